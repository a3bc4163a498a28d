import { readFile } from 'node:fs/promises';
import { loadSql } from '../support/postgres.js';
import { openServed, until, type Served, type ServedServer } from '../support/served-as-role.js';
import type { Reply } from '../runtime/rest/support/client.js';
import { insert, json, list, protocols, verdictOf, type Protocol } from './support/requests.js';

/**
 * Functions of the database change the session of their connection; the next request must not see
 * the change. Source: decision 007.
 */
const claims = `set_config('request.user_id', 'bob', false), set_config('request.project_id', 'p9', false),
  set_config('request.jwt.claims', '{"sub":"bob"}', false)`;
const settings = {
  default_transaction_read_only: ['on', 'off'],
  default_transaction_isolation: ['serializable'],
  default_transaction_deferrable: ['on'],
  statement_timeout: ['54321', '0'],
  lock_timeout: ['1'],
  TimeZone: ['Asia/Tokyo'],
  DateStyle: ['SQL, DMY'],
  IntervalStyle: ['sql_standard'],
  bytea_output: ['escape'],
  extra_float_digits: ['-15'],
  row_security: ['off'],
  search_path: ['evil, pg_catalog', 'evil', ''],
  client_encoding: ['LATIN1'],
  standard_conforming_strings: ['off'],
  array_nulls: ['off'],
  transform_null_equals: ['on'],
  client_min_messages: ['debug1'],
} as const;
const kept: readonly string[] = [
  `select ${claims}`,
  ...Object.entries(settings).flatMap(([name, values]) =>
    values.map((value) => `select set_config('${name}', '${value}', false)`),
  ),
  'deallocate all',
  'discard plans',
  'discard temp',
  'discard sequences',
  'reset all',
  'listen hostile',
  `notify hostile, 'x'`,
  'create temp table if not exists plain as select 666 as id',
  `create temp table if not exists state as select 666 as id, 'evil' as who`,
  `do $do$ begin if not exists (select from pg_prepared_statements where name = 'mine') then prepare mine as select 1; end if; end $do$`,
  'declare mine cursor for select 1',
  'select pg_advisory_lock_shared(42)',
  `do $do$ begin for n in 1..50 loop raise warning 'noise %', n; end loop; end $do$`,
];
/** Statements that PostgreSQL does not allow in functions. */
const refused: readonly string[] = [
  'discard all',
  'set session authorization postgres',
  'set role postgres',
  'commit',
  'rollback',
  'copy hostile.plain to stdout',
  'vacuum hostile.plain',
];

let served: Served;
let roles: readonly string[];

beforeAll(async () => {
  const read = (name: string): Promise<string> => readFile(new URL(`support/${name}`, import.meta.url), 'utf8');
  served = await openServed({ name: 'hostile', schema: 'hostile', sql: await read('sessions.sql') });
  await loadSql(served.url, await read('evil.sql'));
  const login = new URL(served.roleUrl).username;
  roles = ['other', 'reader'].map((name) => `${login}_${name}`);
  for (const role of roles)
    await loadSql(
      served.url,
      `create role ${role}; grant ${role} to ${login}; grant usage on schema hostile to ${role};
       grant select, insert, update, delete on all tables in schema hostile to ${role};
       grant usage on all sequences in schema hostile to ${role};`,
    );
});
afterAll(async () => {
  for (const role of roles) await loadSql(served.url, `drop owned by ${role}; drop role ${role}`);
  await served.drop();
});

interface Visitor {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function visitors(claimsOf: (name: string) => Record<string, string> = () => ({})): Promise<readonly Visitor[]> {
  const known = ['ada', 'bob'].map(async (name) => ({
    name,
    headers: { authorization: `Bearer ${await served.token(name, { ...claimsOf(name), exp: 4_000_000_000 })}` },
  }));
  return [{ name: '', headers: {} }, ...(await Promise.all(known))];
}

const columns = 'id,who,login,user_id,project_id,claims,read_only,timeout,at,day,lasts,bytes,float,texts,name';

/** Reads the session state and the rows of one visitor over one protocol. */
async function look(server: ServedServer, protocol: Protocol, { name, headers }: Visitor): Promise<unknown> {
  const state = list(server, protocol, 'state', columns, headers);
  const notes = list(server, protocol, 'notes', 'owner,body', headers);
  const plain = list(server, protocol, 'plain', 'id,title', headers);
  return { name, protocol, state: await state, notes: await notes, plain: await plain };
}

/** Reads as all visitors concurrently, so that the reads use every connection. */
const lookAround = (server: ServedServer, all: readonly Visitor[]): Promise<readonly unknown[]> =>
  Promise.all(all.flatMap((visitor) => protocols.map((protocol) => look(server, protocol, visitor))));

/** Sends SQL to the function that executes it, by every way of calling it. */
const poke = (server: ServedServer, what: string, { headers }: Visitor): Promise<readonly Reply[]> =>
  Promise.all([
    insert(server, 'REST', 'pokes', { what }, headers),
    insert(server, 'GraphQL', 'pokes', { what }, headers),
    server.ask(`mutation { rows: callHostilePokeByCall(what: ${JSON.stringify(what)}) }`, headers),
  ]);

/** Every visitor writes rows, each row belongs to its writer, and all rows are removed again. */
async function write(server: ServedServer, all: readonly Visitor[]): Promise<void> {
  for (const protocol of protocols) {
    const replies = await Promise.all(
      all.flatMap(({ headers }) => [
        insert(server, protocol, 'plain', { title: 'written' }, headers),
        insert(server, protocol, 'notes', { body: 'written' }, headers),
      ]),
    );
    const [anonymous, refusedNote, ...others] = replies.map(verdictOf);
    expect([anonymous, refusedNote, new Set(others)]).toEqual(['done', 'refused', new Set(['done'])]);
  }
  const times = protocols.length;
  expect(await served.query(`select from hostile.plain where title = 'written'`)).toHaveLength(3 * times);
  const owners = await served.query<{ owner: string }>(
    `select owner from hostile.notes where body = 'written' order by 1`,
  );
  expect(owners.map(({ owner }) => owner)).toEqual(['ada', 'ada', 'bob', 'bob']);
  await served.query(`delete from hostile.plain where title = 'written'`);
  await served.query(`delete from hostile.notes where body = 'written'`);
}

/** Ends the server's connections, so that the tests do not affect each other. */
async function cool(server: ServedServer): Promise<void> {
  const login = new URL(served.roleUrl).username;
  const ended = await served.query<{ pid: number }>(
    'select pid, pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
    [login],
  );
  // The server may already have opened other connections: it reads its database when it listens
  // again.
  const pids = ended.map(({ pid }) => pid);
  const left = 'select from pg_stat_activity where pid = any ($1::int[])';
  await until(async () => (await served.query(left, [pids])).length === 0);
  await until(async () => (await server.get('/health/ready')).status === 200);
}

const ran = async (): Promise<number> =>
  Number((await served.query<{ n: string }>(`select nextval('hostile.ran') as n`))[0]?.n);

describe('what functions do to the session', () => {
  let server: ServedServer;
  let all: readonly Visitor[];
  let before: readonly unknown[];
  beforeAll(async () => {
    server = await served.start({
      APP_LOG_LEVEL: 'silent',
      APP_DATASOURCE_POOL_SIZE: '2',
      APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
    });
    all = await visitors();
    before = await lookAround(server, all);
  });
  afterAll(() => server.stop());
  afterEach(() => cool(server));

  test.each(kept)('what a function leaves is nothing to the next request: %s', async (what) => {
    const started = await ran();
    for (const visitor of all) {
      const [replies, meanwhile] = await Promise.all([poke(server, what, visitor), lookAround(server, all)]);
      expect(replies.map((reply) => [verdictOf(reply), reply.text])).toEqual(replies.map(({ text }) => ['done', text]));
      expect(meanwhile).toEqual(before);
      expect(await lookAround(server, all)).toEqual(before);
    }
    expect((await ran()) - started - 1).toBe(9);
    await write(server, all);
    expect(await lookAround(server, all)).toEqual(before);
  });

  test.each(refused)('what no function may do is refused, and nothing is left: %s', async (what) => {
    const known = await served.query('select from hostile.pokes');
    for (const visitor of all) {
      expect((await poke(server, what, visitor)).map(verdictOf)).toEqual(['refused', 'refused', 'refused']);
      expect(await lookAround(server, all)).toEqual(before);
    }
    await write(server, all);
    expect(await served.query('select from hostile.pokes')).toHaveLength(known.length);
  });

  test('advisory locks of the session end with the request that took them, or failed after that', async () => {
    const failing = `do $do$ begin perform pg_advisory_lock(43); raise exception 'no'; end $do$`;
    for (const [what, verdict] of [
      ['select pg_advisory_lock(43)', 'done'],
      [failing, 'refused'],
    ] as const) {
      for (const visitor of all) {
        expect((await poke(server, what, visitor)).map(verdictOf)).toEqual([verdict, verdict, verdict]);
        expect(await served.query(`select from pg_locks where locktype = 'advisory' and objid = 43`)).toEqual([]);
      }
    }
  });

  test('functions that only read set nothing for others either', async () => {
    const values = [
      ...['user_id', 'project_id', 'jwt.claims'].map((name) => [`request.${name}`, 'bob'] as const),
      ...Object.entries(settings).flatMap(([name, each]) => each.map((value) => [name, value] as const)),
    ];
    for (const [name, value] of values) {
      await served.query(`insert into hostile.settings values (1, $1, $2)`, [name, value]);
      await Promise.all(protocols.map((protocol) => list(server, protocol, 'settings', 'id,applied')));
      const [meanwhile, after] = [await lookAround(server, all), await lookAround(server, all)];
      expect({ name, value, rows: [meanwhile, after] }).toEqual({ name, value, rows: [before, before] });
      await write(server, all);
      await served.query('delete from hostile.settings');
    }
  });

  test('a read that says it only reads cannot write, whatever a function set before', async () => {
    await poke(server, 'set default_transaction_read_only to off', { name: '', headers: {} });
    for (const protocol of protocols) {
      await list(server, protocol, 'plain', 'id,emptied');
      await insert(server, protocol, 'plain', { title: 'between' });
      await list(server, protocol, 'plain', 'id,emptied');
    }
    expect(await served.query(`select from hostile.plain where title <> 'between'`)).toHaveLength(3);
    await served.query(`delete from hostile.plain where title = 'between'`);
  });
});

test.each([true, false])(
  'roles are those of the request, whatever role a function took or gave up; one for nobody: %s',
  async (nobodyHasRole) => {
    const [other = '', reader = ''] = roles;
    const server = await served.start({
      APP_LOG_LEVEL: 'silent',
      APP_DATASOURCE_POOL_SIZE: '2',
      APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
      APP_SECURITY_ROLE_CLAIM: 'role',
      APP_SECURITY_ALLOWED_ROLES: roles.join(','),
      ...(nobodyHasRole ? { APP_SECURITY_ANONYMOUS_ROLE: other } : {}),
    });
    try {
      const all = await visitors((name): Record<string, string> => (name === 'ada' ? { role: reader } : {}));
      const before = await lookAround(server, all);
      const whom = before.map((each) => (each as { state: [{ who: string }] }).state[0].who);
      const login = new URL(served.roleUrl).username;
      const nobody = nobodyHasRole ? other : login;
      expect(whom).toEqual([nobody, nobody, reader, reader, login, login]);
      for (const what of ['reset role', 'set role none', `set role ${reader}`, `set role ${other}`, 'reset all']) {
        for (const visitor of all) {
          await poke(server, what, visitor);
          expect([what, await lookAround(server, all)]).toEqual([what, before]);
        }
        await write(server, all);
      }
    } finally {
      await server.stop();
    }
  },
);

test('notifications of others are no answers', async () => {
  const server = await served.start({
    APP_LOG_LEVEL: 'silent',
    APP_DATASOURCE_POOL_SIZE: '2',
    APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
  });
  try {
    const all = await visitors();
    const before = await lookAround(server, all);
    for (const visitor of [...all, ...all]) await poke(server, 'listen hostile', visitor);
    for (let round = 0; round < 20; round += 1) {
      const [around] = await Promise.all([
        lookAround(server, all),
        served.query(`select pg_notify('hostile', n::text) from generate_series(1, 50) n`),
      ]);
      expect(around).toEqual(before);
    }
    const noted = { ...json, prefer: 'tx=rollback' };
    expect((await server.send('POST', '/api/v1/pokes', noted, `{"what": "notify hostile"}`)).status).toBe(201);
    await write(server, all);
  } finally {
    await server.stop();
  }
});
