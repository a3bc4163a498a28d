import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { processorTime, timed } from './figures.js';
import { freePort } from '../../test/support/free-port.js';

export interface RunningServer {
  readonly base: string;
  readonly pid: number;
  /** Seconds from the start of the process to its first answer. */
  readonly startSeconds: number;
  /** Processor time until the first answer, in seconds. */
  readonly startProcessorSeconds: number;
  stop(): Promise<void>;
}

/** Starts a server process that listens on PORT, and waits until it answers `path` with 200. */
export async function startServer(
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>>,
  path: string,
): Promise<RunningServer> {
  const port = await freePort();
  const base = `http://127.0.0.1:${port}`;
  const { seconds, result: child } = await timed(async () => {
    const started = spawn(process.execPath, args, {
      cwd,
      env: { ...process.env, ...environment, PORT: String(port), HOST: '127.0.0.1' },
      // The server's log goes to standard error, because standard output has figures only.
      stdio: ['ignore', 2, 2],
    });
    // An interrupted run leaves no server behind.
    const end = (): boolean => started.kill('SIGKILL');
    process.once('exit', end);
    started.once('exit', () => process.off('exit', end));
    await answers(started, `${base}${path}`);
    return started;
  });
  const pid = child.pid ?? 0;
  const startProcessorSeconds = processorTime(pid) / 1e6;
  return { base, pid, startSeconds: seconds, startProcessorSeconds, stop: () => stop(child) };
}

async function answers(child: ChildProcess, url: string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}; its message is above.`);
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok === true) return;
    await new Promise((done) => setTimeout(done, 10));
  }
}

async function stop(child: ChildProcess): Promise<void> {
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  await closed;
}
