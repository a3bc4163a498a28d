import fc from 'fast-check';
import * as t from '../../../templates/runtime/types.js';
import type { TableDescriptor } from '../../../templates/runtime/descriptor.js';
import { createServer, type TablewrightServer } from '../../../templates/runtime/server/create-server.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { createKey, sign, type TestKey } from './support.js';

/** Issue of every server that pools connections: what one request sets, the next one must not find. */
const users = ['ada', 'bob', 'cyd', "d'eve"];

const notes: TableDescriptor = {
  field: 'leakNotes',
  type: 'LeakNotes',
  schema: 'leak',
  name: 'notes',
  kind: 'table',
  columns: [
    { name: 'id', type: t.int4 },
    { name: 'owner', type: t.text, nullable: true },
  ],
  primaryKey: { name: 'notes_pkey', columns: ['id'] },
};

let key: TestKey;
let stranger: TestKey;
let database: TestDatabase;
let server: TablewrightServer;
let role: string;

beforeAll(async () => {
  key = await createKey();
  stranger = await createKey();
  database = await createTestDatabase('auth_leak');
  role = `${new URL(database.url).pathname.slice(1)}_app`;
  await loadSql(
    database.url,
    `create schema leak;
     create table leak.notes (id int primary key, owner text);
     insert into leak.notes select n, (array['ada', 'bob', 'cyd', 'd''eve', null])[1 + n % 5] from generate_series(0, 24) n;
     alter table leak.notes enable row level security;
     create policy own on leak.notes using (owner is not distinct from nullif(current_setting('request.user_id', true), ''));
     create role ${role} login password 'leak';
     grant usage on schema leak to ${role};
     grant select on leak.notes to ${role};`,
  );
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'leak'];
  server = createServer({
    generated: {
      descriptors: { tables: [notes] },
      resolvers: [],
      routes: [{ table: notes, list: (exchange) => exchange.list(notes), row: (exchange) => exchange.row(notes) }],
      settings: {},
      openapi: new URL('file:///unused'),
      fingerprint: '',
    },
    environment: {
      DATABASE_URL: url.href,
      PORT: '0',
      APP_DATASOURCE_POOL_SIZE: '2',
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
    },
    observe: () => undefined,
  });
  await server.listen({ ownsProcess: false });
});

afterAll(async () => {
  await server.close();
  await database.drop();
  const admin = new URL(database.url);
  admin.pathname = '/postgres';
  await loadSql(admin.href, `drop role ${role}`);
});

/** Who asks, and how: as a user, anonymously, with a forged token of a user, or in a way the database refuses. */
interface Asked {
  readonly as: string | null;
  readonly how: 'fine' | 'forged' | 'failing';
}

const asked: fc.Arbitrary<Asked> = fc.record({
  as: fc.option(fc.constantFrom(...users)),
  how: fc.constantFrom('fine', 'fine', 'fine', 'forged', 'failing'),
});

async function ask({ as, how }: Asked): Promise<void> {
  const headers =
    as === null ? {} : { authorization: `Bearer ${await sign(how === 'forged' ? stranger : key, { sub: as })}` };
  // Of a type the column cannot take: PostgreSQL's own error, after the claims were set.
  const filter = how === 'failing' ? 'id=eq.x' : 'id=gte.0';
  const response = await fetch(`${server.address ?? ''}/api/v1/notes?${filter}`, { headers });
  const body = (await response.json()) as { data?: { owner: string | null }[] };
  if (as !== null && how === 'forged') expect(response.status).toBe(401);
  else if (how === 'failing') expect(response.status).toBe(500);
  else expect(body.data?.map(({ owner }) => owner)).toEqual([as, as, as, as, as]);
}

test('whoever asks, in whatever order, sees their own rows and nobody sees others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 30 }), async (requests) => {
      await Promise.all(requests.map(ask));
    }),
    { numRuns: 60 },
  );
});

test('anonymous answers are the same on a cold connection and after every sort of request', async () => {
  for (let round = 0; round < 3; round += 1) {
    for (const how of ['fine', 'failing', 'forged'] as const) {
      await ask({ as: null, how: 'fine' });
      await ask({ as: 'ada', how });
      await ask({ as: null, how: 'fine' });
    }
  }
});
