import { post, type GraphqlBody } from './graphql-server.js';
import type { RunningServer } from './running-server.js';
import { until as untilHolds } from './until.js';

/** Requests of tests to a server that follows its database. */
export interface FollowingServer {
  readonly ask: (query: string) => Promise<GraphqlBody>;
  /** A REST request with a path below `/api/v1`. */
  readonly rest: (path: string, init?: RequestInit) => Promise<RestAnswer>;
  readonly ready: () => Promise<unknown>;
  readonly hasField: (type: string, field: string) => Promise<boolean>;
  /** Waits longer than the shortest `app.cache.schema-ttl-minutes`, and for a slow machine. */
  readonly until: (holds: () => Promise<boolean>) => Promise<void>;
  /** Waits until the log contains the text. */
  readonly logged: (text: string) => Promise<void>;
}

export interface RestAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** @param current the running server, because a test may start another one */
export function followingServer(current: () => Pick<RunningServer, 'base' | 'log'>): FollowingServer {
  const until = (holds: () => Promise<boolean>): Promise<void> =>
    untilHolds(holds, () => `${String(holds)}\n${current().log().slice(-3000)}`);
  const ask = async (query: string): Promise<GraphqlBody> =>
    (await post(`${current().base}/graphql`, JSON.stringify({ query }))).body;
  return {
    ask,
    until,
    rest: async (path, init) => {
      const answer = await fetch(`${current().base}/api/v1${path}`, init);
      return { status: answer.status, text: await answer.text(), headers: answer.headers };
    },
    ready: async () => (await fetch(`${current().base}/health/ready`)).json() as Promise<unknown>,
    hasField: async (type, field) => {
      const { data } = await ask(`{ __type(name: "${type}") { fields { name } } }`);
      return JSON.stringify(data).includes(`"${field}"`);
    },
    logged: (text) => until(() => Promise.resolve(current().log().includes(text))),
  };
}
