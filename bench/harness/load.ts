import { execFile } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from './child.js';
import { processorTime } from './figures.js';

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly requestsPerSecond: number;
  /** Microseconds of the server's processor time per request. */
  readonly serverMicroseconds: number;
}

export const CONNECTIONS = 16;

const run = promisify(execFile);

/**
 * Repeats one request over 16 connections for some seconds. The load comes from a process of its own: wrk where it is installed,
 * else autocannon, which takes more of the machine and so shows lower rates. Throws when any answer is not a success.
 */
export async function load(base: string, pid: number, request: HttpRequest, seconds: number): Promise<Load> {
  const before = processorTime(pid);
  const { requests, elapsed } = await ((await hasWrk()) ? wrk : autocannon)(base, request, seconds);
  const used = processorTime(pid) - before;
  return { requestsPerSecond: requests / elapsed, serverMicroseconds: used / requests };
}

interface Outcome {
  readonly requests: number;
  readonly elapsed: number;
}

async function autocannon(base: string, request: HttpRequest, seconds: number): Promise<Outcome> {
  const headers = Object.entries(request.headers).flatMap(([name, value]) => ['-H', `${name}=${value}`]);
  const body = request.body === undefined ? [] : ['-b', request.body];
  const program = join(repository, 'node_modules/autocannon/autocannon.js');
  const options = ['--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(seconds), '-m', request.method];
  const { stdout } = await run(process.execPath, [program, ...options, ...headers, ...body, base + request.path]);
  const outcome = JSON.parse(stdout) as {
    requests: { total: number };
    duration: number;
    errors: number;
    timeouts: number;
    non2xx: number;
  };
  requireSuccess(outcome.errors + outcome.timeouts + outcome.non2xx, request);
  return { requests: outcome.requests.total, elapsed: outcome.duration };
}

async function wrk(base: string, request: HttpRequest, seconds: number): Promise<Outcome> {
  const script = join(repository, '.tmp', `bench-wrk-${process.pid}.lua`);
  const headers = Object.entries(request.headers).map(
    ([name, value]) => `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`,
  );
  const body = request.body === undefined ? [] : [`wrk.body = ${luaString(request.body)}`];
  const done = `done = function(s) io.write(string.format("\\nRESULT %d %d %d\\n", s.requests, s.duration,
    s.errors.connect + s.errors.read + s.errors.write + s.errors.status + s.errors.timeout)) end`;
  writeFileSync(script, [`wrk.method = "${request.method}"`, ...headers, ...body, done].join('\n'));
  try {
    const options = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '-s', script];
    const { stdout } = await run('wrk', [...options, base + request.path]);
    const [requests = 0, microseconds = 0, failures = 0] =
      /RESULT (\d+) (\d+) (\d+)/.exec(stdout)?.slice(1).map(Number) ?? [];
    requireSuccess(failures, request);
    return { requests, elapsed: microseconds / 1e6 };
  } finally {
    rmSync(script, { force: true });
  }
}

const luaString = (text: string): string => `[==[${text}]==]`;

function requireSuccess(failures: number, request: HttpRequest): void {
  if (failures > 0) throw new Error(`${failures} answers to ${request.method} ${request.path} were failures.`);
}

let wrkFound: Promise<boolean> | undefined;
const hasWrk = (): Promise<boolean> =>
  (wrkFound ??= run('wrk', ['-v']).then(
    () => true,
    // It prints its version and then exits with 1; only a missing program is ENOENT.
    (error: unknown) => (error as { code?: unknown }).code !== 'ENOENT',
  ));
