import { setTimeout as delay } from 'node:timers/promises';
import { post, type GraphqlBody } from './graphql-server.js';
import type { RunningServer } from './running-server.js';

/** A running server, asked through its doors until something holds. */
export interface ObservedServer {
  readonly ask: (query: string) => Promise<GraphqlBody>;
  readonly rest: (path: string) => Promise<{ readonly status: number; readonly text: string }>;
  readonly ready: () => Promise<unknown>;
  /** Waits for as long as a slow machine may take. */
  readonly until: (holds: () => Promise<boolean>) => Promise<void>;
  readonly hasField: (type: string, field: string) => Promise<boolean>;
  /** Waits until the server has written this text. */
  readonly logged: (text: string) => Promise<void>;
}

/** @param current the server, which a suite may replace by another one */
export function observeServer(current: () => Pick<RunningServer, 'base' | 'log'>): ObservedServer {
  const ask: ObservedServer['ask'] = async (query) =>
    (await post(`${current().base}/graphql`, JSON.stringify({ query }))).body;
  const until: ObservedServer['until'] = async (holds) => {
    const end = Date.now() + 30_000;
    while (!(await holds())) {
      if (Date.now() > end) throw new Error(`It did not come about.\n${current().log().slice(-3000)}`);
      await delay(50);
    }
  };
  return {
    ask,
    until,
    rest: async (path) => {
      const answer = await fetch(`${current().base}/api/v1${path}`);
      return { status: answer.status, text: await answer.text() };
    },
    ready: async () => (await fetch(`${current().base}/health/ready`)).json(),
    hasField: async (type, field) => {
      const { data } = await ask(`{ __type(name: "${type}") { fields { name } } }`);
      return JSON.stringify(data).includes(`"${field}"`);
    },
    logged: (text) => until(() => Promise.resolve(current().log().includes(text))),
  };
}
