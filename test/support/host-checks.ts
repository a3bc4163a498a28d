import { once } from 'node:events';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import type { HostProject } from './hosts.js';
import type { ServerProcess } from './running-server.js';
import { openPool, type TestDatabase } from './postgres.js';
import { logged, until } from './until.js';

/** Where a host serves, with the path below which it does: `http://127.0.0.1:…/data`. */
export interface Hosted {
  readonly base: string;
  readonly project: HostProject;
}

export type Check = (hosted: Hosted) => Promise<void>;

/** What each host is to do, whatever it runs on. */
export const checks: Readonly<Record<string, Check>> = {
  'a read over REST': async ({ base }) => {
    const answer = await fetch(`${base}/api/v1/notes?id=eq.1&select=title`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ data: [{ title: 'first' }] });
  },

  'a write over REST, whose Location leads to the row': async ({ base }) => {
    const answer = await post(`${base}/api/v1/notes`, { title: 'written' }, { prefer: 'return=headers-only' });
    expect(answer.status).toBe(201);
    const row = await fetch(new URL(answer.headers.get('location') ?? '', base));
    expect(row.status).toBe(200);
    expect(await row.text()).toContain('"written"');
  },

  GraphQL: async ({ base }) => {
    const answer = await post(`${base}/graphql`, { query: '{ appNotesByPk(id: 1) { title } }' });
    expect(await answer.json()).toEqual({ data: { appNotesByPk: { title: 'first' } } });
  },

  'an error in the usual form': async ({ base }) => {
    const answer = await fetch(`${base}/api/v1/nothing`);
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ code: 'TW001', message: expect.any(String) as unknown });
  },

  'a large answer is complete': async ({ base }) => {
    const answer = await post(`${base}/graphql`, { query: '{ appLong }' });
    expect(await answer.json()).toEqual({ data: { appLong: 'x'.repeat(3_000_000) } });
  },
};

/** A client that goes away ends the statement of its request. */
export const abortChecks: Readonly<Record<string, Check>> = {
  'an aborted request cancels its statement': async ({ base, project }) => {
    const pool = openPool({ connectionString: project.database.url, max: 1 });
    const asleep = async (): Promise<number> => {
      const { rows } = await pool.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and state = 'active' and query ~ 'slow'`,
      );
      return rows[0]?.n ?? 0;
    };
    try {
      const client = new AbortController();
      const answer = post(`${base}/graphql`, { query: '{ appSlow }' }, { signal: client.signal }).catch(String);
      await until(async () => (await asleep()) === 1);
      client.abort();
      expect(await answer).toMatch(/abort/i);
      await until(async () => (await asleep()) === 0);
    } finally {
      await pool.end();
    }
  },
};

const subscription = 'subscription { appNotesChanges { operation data { title } } }';

/** The server has room for one stream or socket: the next one shows that another has ended. */
export const streamChecks: Readonly<Record<string, Check>> = {
  'a stream of events has a change, and ends with its client': async ({ base }) => {
    const client = new AbortController();
    const stream = await openStream(base, client.signal);
    expect(stream.headers.get('content-type')).toMatch(/^text\/event-stream/);
    expect((await post(`${base}/api/v1/notes`, { title: 'streamed' })).status).toBe(201);
    expect(await readUntil(stream, 'streamed')).toContain('"operation":"INSERT"');
    client.abort();
    const next = new AbortController();
    await openStream(base, next.signal);
    next.abort();
  },
};

/** Waits until the server has room for it. */
async function openStream(base: string, signal: AbortSignal): Promise<Response> {
  let stream: Response | undefined;
  await until(async () => {
    stream = await post(`${base}/graphql`, { query: subscription }, { signal, accept: 'text/event-stream' });
    return stream.ok;
  });
  if (stream === undefined) throw new Error('There is no answer.');
  return stream;
}

async function readUntil({ body }: Response, text: string): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  while (!read.includes(text)) {
    const part = await reader?.read();
    if (part?.value === undefined) throw new Error(`The stream ended after: ${read}`);
    read += part.value;
  }
  return read;
}

export const socketChecks: Readonly<Record<string, Check>> = {
  'a WebSocket answers a query and has a change': async ({ base }) => {
    const client = createClient({
      url: `${base.replace('http', 'ws')}/graphql`,
      webSocketImpl: WebSocket,
      retryAttempts: Infinity,
      shouldRetry: () => true,
    });
    const answers = client.iterate({ query: '{ appNotesByPk(id: 1) { title } }' });
    expect((await answers.next()).value).toEqual({ data: { appNotesByPk: { title: 'first' } } });
    const changes = client.iterate({ query: subscription });
    const change = changes.next();
    // The server answers in order, so it has the subscription before it answers the query.
    await client.iterate({ query: '{ __typename }' }).next();
    expect((await post(`${base}/api/v1/notes`, { title: 'over a socket' })).status).toBe(201);
    expect((await change).value).toMatchObject({ data: { appNotesChanges: { operation: 'INSERT' } } });
    await client.dispose();
  },

  'a WebSocket elsewhere is closed': async ({ base }) => {
    const socket = new WebSocket(`${base.replace('http', 'ws')}/elsewhere`, 'graphql-transport-ws');
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toMatch(/404|socket hang up/);
  },
};

const post = (
  address: string,
  body: object,
  { signal, ...headers }: { readonly signal?: AbortSignal; readonly accept?: string; readonly prefer?: string } = {},
): Promise<Response> =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });

/** A host of docs/hosting.md. */
export interface HostCase {
  /** Its section. */
  readonly heading: string;
  /** The path below which it serves. */
  readonly path?: string;
  readonly checks: readonly Readonly<Record<string, Check>>[];
  /** The exit code after SIGTERM; null: the signal ends the command. */
  readonly exit?: number | null;
  /** The folder in which its commands run; default: that of the generated project. */
  readonly folder?: (project: HostProject) => string;
  /** A command that starts another host, which needs nothing of the section. */
  readonly command?: string;
}

/** Follows the section of a host, starts it, and runs checks against it. */
export function testHost(project: () => HostProject, host: HostCase): void {
  const { heading, path = '', checks, exit = 0, folder = ({ server }) => server, command } = host;
  describe(command ?? heading, () => {
    let server: ServerProcess;
    beforeAll(async () => {
      const cwd = folder(project());
      server = await project().start(command ?? (await project().follow(heading, cwd)), path, cwd);
    });

    test.each(checks.flatMap((table) => Object.entries(table)))('%s', (_, check) =>
      check({ base: server.base + path, project: project() }),
    );

    test('SIGTERM ends it, after the answer to a running request', async () => {
      const end = await endDuringRequest(server, path, project().database);
      expect(end).toEqual({ answer: { data: { appTurn: 'mine' } }, code: exit });
    });
  });
}

/** Sends SIGTERM while a statement waits for a lock, and returns what comes of its request. */
async function endDuringRequest(server: ServerProcess, path: string, { url }: TestDatabase): Promise<object> {
  const pool = openPool({ connectionString: url, max: 1 });
  try {
    await pool.query('select pg_advisory_lock(1)');
    const answer = post(`${server.base}${path}/graphql`, { query: '{ appTurn }' });
    await until(async () => (await pool.query(waiting)).rowCount === 1);
    const ended = server.stop();
    await logged(server, 'draining');
    await pool.query('select pg_advisory_unlock(1)');
    return { answer: (await (await answer).json()) as unknown, code: await ended };
  } finally {
    await pool.end();
  }
}

const waiting = `select from pg_locks where not granted and locktype = 'advisory'
  and database = (select oid from pg_database where datname = current_database())`;
