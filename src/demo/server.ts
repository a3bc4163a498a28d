import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { TablewrightError } from '../errors.js';
import { stopWhenAborted } from '../interrupt.js';

export interface DemoServer {
  readonly base: string;
  /** Resolves with the exit code when the server ends. */
  readonly ended: Promise<number>;
  /** Asks it to finish its requests and end. */
  readonly stop: () => void;
  /** Ends it at once. */
  readonly kill: () => void;
}

const startTimeout = 60_000;

/**
 * Starts `node dist/main.js` in `folder` and waits until it is ready to answer.
 *
 * It runs in a process group of its own, so that Ctrl-C reaches it once, through `stop`, and it is
 * notified when this process dies, so that it never outlives it.
 *
 * Throws INTERNAL when it ends, or is not ready, before its time.
 */
export async function startServer(
  folder: string,
  port: number,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<DemoServer> {
  const child = spawn(process.execPath, ['--import', followParent, 'dist/main.js'], {
    cwd: folder,
    env: { ...withoutSettings(process.env), ...environment, PORT: String(port), HOST: '127.0.0.1' },
    // Its log is no result of the command: it goes to standard error.
    stdio: ['ignore', 2, 2, 'ipc'],
    detached: true,
  });
  const server: DemoServer = {
    base: `http://127.0.0.1:${port}`,
    ended: exitCode(child),
    stop: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  };
  try {
    await ready(server, child, signal);
    return server;
  } catch (error) {
    child.kill('SIGKILL');
    await server.ended;
    throw error;
  }
}

/** Settings meant for another server must not reach this one. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !name.startsWith('APP_')));
}

const followParent = new URL('./follow-parent.js', import.meta.url).href;

async function exitCode(child: ChildProcess): Promise<number> {
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
}

async function ready(server: DemoServer, child: ChildProcess, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + startTimeout;
  while (Date.now() < deadline) {
    stopWhenAborted(signal);
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new TablewrightError('INTERNAL', 'The generated server did not start.', 'Its own message is above.');
    }
    const answer = await fetch(`${server.base}/health/ready`).catch(() => undefined);
    if (answer?.ok === true) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new TablewrightError('INTERNAL', 'The generated server is not ready after a minute.', 'Its log is above.');
}
