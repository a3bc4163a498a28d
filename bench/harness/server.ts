import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { processorTime, timed } from './figures.js';

export interface RunningServer {
  readonly base: string;
  readonly pid: number;
  /** From the start of the process to its first answer. */
  readonly startSeconds: number;
  /** Processor time until then. */
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
      // Its log goes to standard error: standard output has figures only.
      stdio: ['ignore', 2, 2],
    });
    await answers(started, `${base}${path}`);
    return started;
  });
  const pid = child.pid ?? 0;
  const startProcessorSeconds = processorTime(pid) / 1e6;
  return { base, pid, startSeconds: seconds, startProcessorSeconds, stop: () => stop(child) };
}

/** Does the work once the server runs, and stops it whatever comes of it. */
export async function whileRunning<T>(
  starting: Promise<RunningServer>,
  work: (server: RunningServer) => Promise<T>,
): Promise<T> {
  const server = await starting;
  try {
    return await work(server);
  } finally {
    await server.stop();
  }
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

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}
