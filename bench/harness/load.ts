import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { autocannon } from './autocannon.js';
import { processorTime } from './processes.js';
import { POOL_SIZE, type HttpRequest } from './target.js';
import { wrk } from './wrk.js';

export type { HttpRequest } from './target.js';

/** What is asked, again and again, one after the other over each connection. */
export interface LoadOptions {
  /** Taken in turn; a single one is repeated. */
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly seconds: number;
}

export interface Outcome {
  /** Answered ones. */
  readonly requests: number;
  readonly seconds: number;
  /** Answers with a status of 400 or more, and connections that failed. */
  readonly errors: number;
  /** Milliseconds until the answer was there: of half of the requests, and of 99 of 100. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Asks for some seconds. The load comes from a process of its own: wrk where it is installed, else autocannon, which takes more of the
 * machine and so shows lower rates.
 */
export async function runLoad(base: string, options: LoadOptions): Promise<Outcome> {
  return (await hasWrk()) ? await wrk(base, options) : await autocannon(base, options);
}

/** Which of them it is on this machine. */
export const loadGenerator = async (): Promise<string> => ((await hasWrk()) ? 'wrk' : 'autocannon');

export interface Load {
  readonly requestsPerSecond: number;
  /** Microseconds of the server's processor time per request. */
  readonly serverMicroseconds: number;
}

export const CONNECTIONS = POOL_SIZE;

/** Asks in turn over 16 connections for some seconds. Throws when any answer is not a success. */
export async function load(
  base: string,
  pid: number,
  requests: readonly HttpRequest[],
  seconds: number,
): Promise<Load> {
  const before = processorTime(pid);
  const outcome = await runLoad(base, { requests, connections: CONNECTIONS, seconds });
  const used = processorTime(pid) - before;
  const [first] = requests;
  if (outcome.errors > 0 && first !== undefined)
    throw new Error(`${outcome.errors} answers to requests like ${first.method} ${first.path} were failures.`);
  return { requestsPerSecond: outcome.requests / outcome.seconds, serverMicroseconds: used / outcome.requests };
}

let wrkFound: Promise<boolean> | undefined;
const hasWrk = (): Promise<boolean> =>
  (wrkFound ??= promisify(execFile)('wrk', ['-v']).then(
    () => true,
    // It prints its version and then exits with 1; only a missing program is ENOENT.
    (error: unknown) => (error as { code?: unknown }).code !== 'ENOENT',
  ));
