import { Agent, request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

/** The results of a strict client, which repeats no request and counts every failure. */
export interface StrictReport {
  readonly requests: number;
  /** Each failure as text: the status, or the error of the connection. */
  readonly failures: readonly string[];
  /** Duration of the slowest request, in milliseconds. */
  readonly longest: number;
}

/** One possible request of a strict client. */
export interface StrictRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface StrictOptions {
  /**
   * The number of concurrent clients of each kind: on one connection, on a new connection for each
   * request, and on a connection that was idle before.
   */
  readonly keepAlive: number;
  readonly fresh: number;
  readonly idle: number;
}

/** Sends requests continuously until it is stopped, like clients without retries. */
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
