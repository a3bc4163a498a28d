import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { autocannon } from './autocannon.js';
import { processorTime } from './processes.js';
import { POOL_SIZE, type HttpRequest } from './target.js';
import { wrk } from './wrk.js';

export type { HttpRequest } from './target.js';

/** Requests that are repeated, one after the other on each connection. */
export interface LoadOptions {
  /** The requests are sent in turn; a single request is repeated. */
  readonly requests: readonly HttpRequest[];
  readonly connections: number;
  readonly seconds: number;
}

export interface Outcome {
  /** Number of answered requests. */
  readonly requests: number;
  readonly seconds: number;
  /** Answers with a status of 400 or more, and failed connections. */
  readonly errors: number;
  /** Latency in milliseconds: median and 99th percentile. */
  readonly p50: number;
  readonly p99: number;
}

/**
 * Sends requests for some seconds, from a separate process: wrk where it is installed, otherwise
 * autocannon, which uses more processor time and therefore shows lower rates.
 */
export async function runLoad(base: string, options: LoadOptions): Promise<Outcome> {
  return (await hasWrk()) ? await wrk(base, options) : await autocannon(base, options);
}

/** The load generator that this machine uses. */
export const loadGenerator = async (): Promise<string> => ((await hasWrk()) ? 'wrk' : 'autocannon');

export interface Load {
  readonly requestsPerSecond: number;
  /** Microseconds of the server's processor time per request. */
  readonly serverMicroseconds: number;
}

export const CONNECTIONS = POOL_SIZE;

/**
 * Sends the requests in turn over 16 connections for some seconds. Throws when any request fails.
 */
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
    // `wrk -v` prints its version and exits with 1, so only ENOENT means that the program is
    // missing.
    (error: unknown) => (error as { code?: unknown }).code !== 'ENOENT',
  ));
