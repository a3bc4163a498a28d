import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from './free-port.js';
import { takePlace } from './places/place.js';
import { patientEnvironment } from './patience.js';
import { until } from './until.js';

export interface RunningServer {
  /** `http://127.0.0.1:…` */
  readonly base: string;
  /** Its output so far, of both streams. */
  readonly log: () => string;
  /** Stops the server and returns its exit code; `null` if a signal had killed it. */
  stop(): Promise<number | null>;
}

/** A server that is a process of its own. */
export interface ServerProcess extends RunningServer {
  readonly pid: number;
}

/**
 * Starts a generated server as a user does, in `folder` on a free port, and waits until it is
 * ready.
 * @param ready a path that answers as soon as it serves
 */
export async function startGeneratedServer(
  folder: string,
  environment: Readonly<Record<string, string>>,
  [program, ...args]: readonly [string, ...string[]] = [process.execPath, 'dist/main.js'],
  ready = '/health/ready',
): Promise<ServerProcess> {
  await takePlace();
  const port = await freePort();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, ...patientEnvironment, ...environment, PORT: String(port), HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A separate process group: a signal to the group reaches the server even through npm, like
    // Ctrl-C in a terminal.
    detached: true,
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const base = `http://127.0.0.1:${port}`;
  const server: ServerProcess = {
    pid: child.pid ?? 0,
    base,
    log: () => log,
    stop: async () => {
      if (child.pid !== undefined && !hasEnded(child)) process.kill(-child.pid, 'SIGTERM');
      return (await ended)[0];
    },
  };
  await untilReady(base, () => hasEnded(child), server.log, ready);
  return server;
}

export const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/**
 * Waits until a server is ready.
 * @throws Error with its output if it fails before
 */
export async function untilReady(
  base: string,
  hasFailed: () => boolean,
  log: () => string,
  path = '/health/ready',
): Promise<void> {
  await until(
    async () => {
      if (hasFailed()) throw new Error(`The server did not start:\n${log()}`);
      const answer = await fetch(base + path).catch(() => undefined);
      return answer?.ok === true;
    },
    () => `a server that is ready:\n${log()}`,
  );
}
