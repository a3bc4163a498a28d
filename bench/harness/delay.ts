import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { median } from './figures.js';

/**
 * A network between a server and its database. It is a separate process, so that it costs neither
 * of them processor time.
 */
export interface Delay {
  readonly pid: number;
  /** The address of a database through the network. */
  via(url: string): string;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('./delay-child.mjs', import.meta.url));

/**
 * Starts a proxy to the database at `url` that forwards everything this many milliseconds later.
 */
export async function startDelay(url: string, milliseconds: number): Promise<Delay> {
  const { hostname, port } = new URL(url);
  const child = spawn(process.execPath, [program], {
    env: {
      ...process.env,
      DELAY_HOST: hostname,
      DELAY_PORT: port === '' ? '5432' : port,
      DELAY_MS: String(milliseconds),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // An interrupted run leaves no process behind.
  const end = (): boolean => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const [printed] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    pid: child.pid ?? 0,
    via: (address) => {
      const delayed = new URL(address);
      [delayed.hostname, delayed.port] = ['127.0.0.1', printed.toString().trim()];
      return delayed.href;
    },
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/**
 * The median round trip to a database, in milliseconds. Timers fire late, so the real delay is
 * longer than the requested delay.
 */
export async function roundTrip(url: string, times = 200): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const taken: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const begin = performance.now();
    await client.query('select 1');
    taken.push(performance.now() - begin);
  }
  await client.end();
  return median(taken);
}
