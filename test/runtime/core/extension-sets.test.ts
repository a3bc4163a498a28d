import { randomBytes } from 'node:crypto';
import type { GeneratedServer } from '../../../runtime/src/descriptor/generated.js';
import { createServer, type TablewrightServer } from '../../../runtime/src/extensions/create-server.js';
import { notifySql } from '../../../runtime/src/dialect/postgres/changes/sql.js';
import type { CustomServer } from '../../../runtime/src/server/custom.js';
import { Random } from '../../oracle/random.js';
import { describeDatabase } from '../../support/describe-database.js';
import { importGenerated } from '../../support/import-generated.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { until } from '../../support/until.js';
import { createKey, sign, type TestKey } from '../auth/support.js';

/**
 * Extensions are chosen by chance, and a server with them answers what a server without them does:
 * a read, a write and a subscription over each protocol, as somebody whose rows policies choose.
 * Repeat one with `SETS_SEED=…`, ask more with `SETS=…`.
 */
const { SETS_SEED = '46', SETS = '16' } = process.env;

const role = `sets_${randomBytes(4).toString('hex')}`;
const sql = `
  create schema shop;
  create table shop.items (id integer primary key, name text not null);
  insert into shop.items values (1, 'one'), (2, 'two');
  create table shop.notes (id integer primary key, owner text not null, item integer not null references shop.items);
  insert into shop.notes values (1, 'ada', 1), (2, 'eve', 2), (3, 'ada', 2);
  alter table shop.notes enable row level security;
  create policy own on shop.notes using (owner = nullif(current_setting('request.user_id', true), ''));
  create role ${role} login password '${role}';
  grant usage on schema shop to ${role}; grant select, insert, update, delete on all tables in schema shop to ${role};
  ${notifySql([{ schema: 'shop', name: 'notes', key: ['id'] }])}`;

/** What each extension needs, and requests that it answers itself. */
interface Choice {
  readonly environment?: Readonly<Record<string, string>>;
  readonly custom?: CustomServer;
  readonly answers?: (ask: Ask) => Promise<void>;
}
type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const choices: Readonly<Record<string, Choice>> = {
  postgrest: {
    environment: { APP_REST_POSTGREST: '/rest/v1' },
    answers: async (ask) => {
      expect(await (await ask('/rest/v1/notes?select=id')).json()).toEqual([{ id: 1 }, { id: 3 }]);
    },
  },
  rates: {
    environment: { APP_LIMITS_RATES: '[{"per":"user","requests":1000,"seconds":600}]' },
    answers: async (ask) => {
      expect((await ask('/api/v1/notes')).headers.get('ratelimit')).toContain('"user"');
    },
  },
  roles: { environment: { APP_SECURITY_SCHEMA_BY_ROLE: 'true' } },
  mcp: {
    environment: { APP_MCP: 'true' },
    answers: async (ask) => {
      const body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
      const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const tools = await ask('/mcp', { method: 'POST', headers, body });
      expect([tools.status, await tools.text()]).toEqual([200, expect.stringContaining('"tools"')]);
    },
  },
  'base path': { environment: { APP_SERVER_BASE_PATH: '/data' } },
  'an own one': {
    custom: {
      extensions: [
        {
          name: 'own',
          open: () => ({
            mounts: [
              {
                prefix: '/own',
                handler: async (_request, response, { caller }) => {
                  response.end(JSON.stringify(await caller.query('{ shopNotes { id } }')));
                },
              },
            ],
            admit: () => undefined,
            authenticate: (next) => next,
            driver: (next) => ({
              run: (statements, options) => next.run(statements, options),
              transaction: (work, options) => next.transaction(work, options),
              ping: () => next.ping(),
              close: (grace) => next.close(grace),
            }),
          }),
        },
      ],
    },
    answers: async (ask) => {
      expect(await (await ask('/own')).json()).toEqual({ shopNotes: [{ id: 1 }, { id: 3 }] });
    },
  },
  tenants: {
    custom: {
      tenant: () => 'a',
      tenants: {
        a: {
          get url() {
            return roleUrl;
          },
        },
      },
    },
  },
};

let database: TestDatabase;
let roleUrl: string;
let generated: GeneratedServer;
let key: TestKey;
let bearer: Readonly<Record<string, string>>;

beforeAll(async () => {
  database = await createTestDatabase('sets');
  await loadSql(database.url, sql);
  generated = await importGenerated(await describeDatabase(database.url));
  const url = new URL(database.url);
  url.username = url.password = role;
  roleUrl = url.href;
  key = await createKey('EdDSA');
  bearer = { authorization: `Bearer ${await sign(key, { sub: 'ada' })}` };
});
afterAll(async () => {
  await loadSql(database.url, `drop owned by ${role}; drop role ${role}`);
  await database.drop();
});

function start(names: readonly string[]): TablewrightServer {
  const chosen = names.map((name) => choices[name] ?? {});
  return createServer({
    generated,
    custom: Object.assign({}, ...chosen.map(({ custom }) => custom)) as CustomServer,
    environment: Object.assign(
      {
        DATABASE_URL: roleUrl,
        APP_SECURITY_JWT_ENABLED: 'true',
        APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
        APP_CHANGES_SOURCE: 'notify',
        APP_CHANGES_URL: database.url,
      },
      ...chosen.map(({ environment }) => environment),
    ) as Readonly<Record<string, string>>,
    observe: () => undefined,
  });
}

/** In place of a token: the request is anonymous. */
const nobody = 'nobody';

const json = { 'content-type': 'application/json' };
const graphql = (query: string, headers: object = {}): RequestInit => ({
  method: 'POST',
  headers: { ...json, ...headers },
  body: JSON.stringify({ query }),
});

/** A subscriber hears of her own row, and of nobody else's. */
async function expectEvents(ask: Ask): Promise<void> {
  const document = 'subscription { shopNotesChanges { operation key data { owner } } }';
  const stream = await ask('/graphql', graphql(document, { accept: 'text/event-stream' }));
  let text = '';
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  const reading = (async () => {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) text += part.value;
  })();
  const insert = { method: 'POST', headers: json, body: '{"id":9,"owner":"ada","item":1}' };
  // What is written before the feed of the server is live is no event of this subscription.
  await until(async () => {
    await loadSql(database.url, `insert into shop.notes values (8, 'eve', 1)`);
    expect((await ask('/api/v1/notes', insert)).status).toBe(201);
    expect((await ask('/graphql', graphql('mutation { deleteShopNotes(id: 9) { id } }'))).status).toBe(200);
    await loadSql(database.url, 'delete from shop.notes where id = 8');
    return text.includes('"operation":"INSERT"') && text.includes('"id":9');
  });
  expect(text).not.toMatch(/"owner" ?: ?"eve"/);
  await reader?.cancel();
  await reading;
}

async function expectReads(ask: Ask): Promise<void> {
  const document = '{ shopNotes(orderBy: { id: ASC }) { id shopItem { name } } }';
  const names = [
    { id: 1, shopItem: { name: 'one' } },
    { id: 3, shopItem: { name: 'two' } },
  ];
  expect(await (await ask('/graphql', graphql(document))).json()).toEqual({ data: { shopNotes: names } });
  const rows = (await (await ask('/api/v1/notes?select=id')).json()) as { readonly data: unknown };
  expect(rows.data).toEqual([{ id: 1 }, { id: 3 }]);
  expect((await ask('/api/v1/nothing')).status).toBe(404);
  const anonymous = await ask('/api/v1/notes?select=id', { headers: { authorization: nobody } });
  expect(await anonymous.json()).toMatchObject({ data: [] });
  expect((await ask('/api/v1/notes', { headers: { authorization: 'Bearer x' } })).status).toBe(401);
}

async function expectWrites(ask: Ask): Promise<void> {
  const note = (id: number, owner: string) => `{ id: ${String(id)}, owner: "${owner}", item: 2 }`;
  const made = await ask('/graphql', graphql(`mutation { createShopNotes(input: ${note(20, 'ada')}) { id owner } }`));
  expect(await made.json()).toEqual({ data: { createShopNotes: { id: 20, owner: 'ada' } } });
  const refused = await ask('/graphql', graphql(`mutation { createShopNotes(input: ${note(21, 'eve')}) { id } }`));
  expect(await refused.text()).toContain('"FORBIDDEN"');
  const removed = await ask('/api/v1/notes?id=in.(1,2,20)&owner=eq.eve', { method: 'DELETE' });
  expect(removed.status).toBe(200);
  expect((await ask('/api/v1/notes?id=eq.20', { method: 'DELETE' })).status).toBe(200);
}

/** Those that have one API, or one database, do not go with tenants. */
const excluded = (names: readonly string[]): boolean => names.includes('tenants') && names.includes('roles');

async function expectServed(server: TablewrightServer, names: readonly string[]): Promise<void> {
  const base = names.includes('base path') ? '/data' : '';
  const ask: Ask = (path, init) => {
    const request = new Request(`http://127.0.0.1${base}${path}`, {
      ...init,
      headers: { ...bearer, ...(init?.headers as object) },
    });
    if (request.headers.get('authorization') === nobody) request.headers.delete('authorization');
    return server.fetch(request);
  };
  await expectReads(ask);
  await expectWrites(ask);
  await expectEvents(ask);
  for (const name of names) await choices[name]?.answers?.(ask);
}

const random = new Random(Number(SETS_SEED));
const sets = Array.from({ length: Number(SETS) }, () => Object.keys(choices).filter(() => random.chance(45)));

beforeEach(() => loadSql(database.url, 'delete from shop.notes where id > 3'));

test.each(sets.map((names) => [names.join(', ') || 'none', names] as const))('%s', async (_title, names) => {
  const server = start(names);
  try {
    if (excluded(names)) {
      const asked = server.fetch(new Request('http://127.0.0.1/graphql'));
      expect(await (await asked).json()).toMatchObject({ code: 'TW018' });
    } else await expectServed(server, names);
  } finally {
    await server.close();
  }
});
