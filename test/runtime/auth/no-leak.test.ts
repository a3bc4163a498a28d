import fc from 'fast-check';
import { createServer, type TablewrightServer } from '../../../runtime/src/extensions/create-server.js';
import { reachEnvironment } from '../../support/pooler.js';
import { createTestDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { importGenerated } from '../../support/import-generated.js';
import { describeDatabase } from '../../support/describe-database.js';
import { createKey, sign, type TestKey } from './support.js';

/** Pooled connections must not carry one request's settings to the next request. */
const users = ['ada', 'bob', 'cyd', "d'eve"];

/** Rows without an owner are those of nobody. */
const policy = `alter table leak.notes enable row level security;
  create policy own on leak.notes using (owner is not distinct from nullif(current_setting('request.user_id', true), ''));`;

/** Nobody has no claim, which matches nothing. */
const rules = { 'leak.notes': { read: { owner: { eq: { claim: 'userId' } } } } };

describe.each(['policies', 'rules'] as const)('%s decide', (decidedBy) => {
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
     ${decidedBy === 'policies' ? policy : ''}
     create view leak.broken with (security_invoker) as select id / (id - id) as id, owner from leak.notes;
     create role ${role} login password 'leak';
     grant usage on schema leak to ${role};
     grant select on leak.notes, leak.broken to ${role};`,
    );
    const url = new URL(database.url);
    [url.username, url.password] = [role, 'leak'];
    server = createServer({
      generated: {
        ...(await importGenerated(await describeDatabase(database.url))),
        ...(decidedBy === 'rules' && { rules }),
      },
      environment: {
        ...reachEnvironment(url.href),
        PORT: '0',
        APP_DATASOURCE_POOL_SIZE: '2',
        APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
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

  /**
   * The user and the protocol of a request, and its kind: valid, with a forged token of a user, or
   * refused by the database.
   */
  interface Asked {
    readonly as: string | null;
    readonly over: 'rest' | 'graphql';
    readonly how: 'fine' | 'forged' | 'failing';
  }

  const asked: fc.Arbitrary<Asked> = fc.record({
    as: fc.option(fc.constantFrom(...users)),
    over: fc.constantFrom('rest', 'graphql'),
    how: fc.constantFrom('fine', 'fine', 'fine', 'forged', 'failing'),
  });

  interface Answered {
    readonly status: number;
    readonly owners: readonly (string | null)[] | undefined;
  }

  /**
   * A failing request is a real error of PostgreSQL after the claims are set: a division by zero in
   * a view under a policy.
   */
  async function ask({ as, over, how }: Asked): Promise<void> {
    const token = as === null ? undefined : await sign(how === 'forged' ? stranger : key, { sub: as });
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const name = how === 'failing' ? 'broken' : 'notes';
    const { status, owners } = await (over === 'rest' ? askRest(name, headers) : askGraphql(name, headers));
    if (token !== undefined && how === 'forged') expect(status).toBe(401);
    else if (how === 'failing') expect([status, owners]).toEqual([over === 'rest' ? 500 : 200, undefined]);
    else expect(owners).toEqual(as === null && decidedBy === 'rules' ? [] : [as, as, as, as, as]);
  }

  async function askRest(name: string, headers: Record<string, string>): Promise<Answered> {
    const response = await fetch(`${server.address ?? ''}/api/v1/${name}`, { headers });
    const { data } = (await response.json()) as { data?: { owner: string | null }[] };
    return { status: response.status, owners: data?.map(({ owner }) => owner) };
  }

  async function askGraphql(name: string, headers: Record<string, string>): Promise<Answered> {
    const response = await fetch(`${server.address ?? ''}/graphql`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: name === 'notes' ? '{ rows: leakNotes { id owner } }' : '{ rows: leakBroken { id owner } }',
      }),
    });
    const { data } = (await response.json()) as { data?: { rows: { owner: string | null }[] } | null };
    return { status: response.status, owners: data?.rows.map(({ owner }) => owner) };
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
    for (const over of ['rest', 'graphql'] as const) {
      for (const how of ['fine', 'failing', 'forged', 'fine'] as const) {
        await ask({ as: null, over, how: 'fine' });
        await ask({ as: 'ada', over, how });
        await ask({ as: null, over, how: 'fine' });
      }
    }
  });
});
