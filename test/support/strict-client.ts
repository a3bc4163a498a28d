import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** What became of the requests of a strict client: it repeats none, and counts every failure. */
export interface StrictReport {
  readonly requests: number;
  /** In words: the status, or the error of the connection. */
  readonly failures: readonly string[];
  /** Milliseconds of the slowest one. */
  readonly longest: number;
}

/** One request that a strict client may make. */
export interface StrictRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StrictOptions {
  /**
   * How many ask all the time over one connection each, over a new connection each time, and over
   * one that was idle before.
   */
  readonly keepAlive: number;
  readonly fresh: number;
  readonly idle: number;
}

/** Asks a server without a pause until it is stopped, as clients do that have no retries. */
export function startStrictClient(
  base: string,
  requests: readonly StrictRequest[],
  { keepAlive, fresh, idle }: StrictOptions,
): { readonly stop: () => Promise<StrictReport> } {
  const failures: string[] = [];
  let [count, longest, stopped] = [0, 0, false];
  const ask = async (agent: Agent | false): Promise<void> => {
    const next = requests[count % requests.length];
    count += 1;
    if (next === undefined) return;
    const since = performance.now();
    const failure = await answered(base, next, agent);
    longest = Math.max(longest, performance.now() - since);
    if (failure !== undefined) failures.push(failure);
  };
  const loop = async (kept: boolean, pause: number): Promise<void> => {
    const agent = kept && new Agent({ keepAlive: true, maxSockets: 1 });
    while (!stopped) {
      await ask(agent);
      await delay(pause);
    }
    if (agent !== false) agent.destroy();
  };
  const times = (number: number, run: () => Promise<void>): Promise<void>[] => Array.from({ length: number }, run);
  const loops = [
    ...times(keepAlive, () => loop(true, 1)),
    ...times(fresh, () => loop(false, 5)),
    ...times(idle, () => loop(true, 700)),
  ];
  return {
    stop: async () => {
      stopped = true;
      await Promise.all(loops);
      return { requests: count, failures, longest };
    },
  };
}

function answered(
  base: string,
  { method, path, body, headers: own }: StrictRequest,
  agent: Agent | false,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const headers = { ...own, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    const sent = request(`${base}${path}`, { method, agent, headers }, (response: IncomingMessage) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('error', (error) => {
        resolve(error.message);
      });
      response.on('end', () => {
        const failed = response.statusCode !== 200 || (path === '/graphql' && text.includes('"errors"'));
        resolve(failed ? `${String(response.statusCode)} ${path} ${text.slice(0, 300)}` : undefined);
      });
    });
    sent.on('error', (error) => {
      resolve(error.message);
    });
    sent.end(body);
  });
}
