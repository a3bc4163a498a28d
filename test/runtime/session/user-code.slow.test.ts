import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { createKey, sign, type TestKey } from '../auth/support.js';
import { describeDatabase } from '../../support/describe-database.js';
import {
  createWriteDatabase,
  startWriteServer,
  type WriteDatabase,
  type WriteServer,
} from '../write/support/server.js';

/**
 * Triggers, defaults and functions of the database's author inside our transactions, and their
 * effects on the session.
 */
const schema = `
  create schema yard;
  create table yard.items (id int primary key, n int not null default 0, made timestamptz not null default '2024-01-01 12:00Z');
  insert into yard.items select i from generate_series(1, 40) i;
  create table yard.audit (item int not null, how text not null);
  create function yard.audited() returns trigger language plpgsql as $$ begin
    begin
      insert into yard.audit values (new.id, 'others');
    exception when others then null; end;
    begin
      insert into yard.audit values (new.id, 'lock');
    exception when lock_not_available then null; end;
    return new;
  end $$;
  create trigger audited after update on yard.items for each row execute function yard.audited();

  create view yard.asked as select current_setting('request.user_id', true) as user_id, current_setting('request.project_id', true) as project_id,
    current_setting('request.jwt.claims', true) as claims, current_user = session_user as own_role, current_setting('search_path') as path,
    current_setting('statement_timeout') as timeout, current_setting('row_security') as row_security, current_setting('TimeZone') as zone,
    current_setting('IntervalStyle') as intervals, current_setting('bytea_output') as bytes, current_setting('transaction_read_only') as read_only;
  create table yard.written (id int generated always as identity primary key, user_id text default current_setting('request.user_id', true),
    own_role bool default current_user = session_user, path text default current_setting('search_path'),
    timeout text default current_setting('statement_timeout'), lock_timeout text default current_setting('lock_timeout'),
    zone text default current_setting('TimeZone'), read_only text default current_setting('transaction_read_only'));

  create function yard.leave() returns text language plpgsql as $$ begin
    perform set_config('request.user_id', 'mallory', false), set_config('request.project_id', 'mallory', false),
      set_config('request.jwt.claims', '{"sub":"mallory"}', false), set_config('search_path', 'pg_temp', false),
      set_config('statement_timeout', '77s', false), set_config('lock_timeout', '5s', false), set_config('row_security', 'off', false),
      set_config('TimeZone', 'Asia/Tokyo', false), set_config('IntervalStyle', 'postgres', false), set_config('bytea_output', 'escape', false),
      set_config('default_transaction_read_only', case current_setting('transaction_read_only') when 'on' then 'off' else 'on' end, false),
      set_config('role', 'ROLE', false);
    return 'left';
  end $$;
  create view yard.leaving as select id, yard.leave() as what from yard.items where id = 1;
  create table yard.left_by_writes (id int generated always as identity primary key, what text default yard.leave());
  create function yard.sneaky() returns int language plpgsql as $$ begin insert into yard.audit values (-1, 'sneaky'); return 1; end $$;
  create view yard.sneaking as select yard.sneaky() as n;

  create function yard.lose() returns text language plpgsql as $$ begin deallocate all; return 'lost'; end $$;
  create view yard.losing as select id, yard.lose() as what from yard.items where id = 1;
  create table yard.lost_by_writes (id int generated always as identity primary key, what text default yard.lose());`;

const other = `yard_other_${randomBytes(4).toString('hex')}`;

let db: WriteDatabase;
let key: TestKey;
beforeAll(async () => {
  db = await createWriteDatabase(schema.replaceAll('ROLE', other), ['yard']);
  const role = new URL(db.roleUrl).username;
  await db.query(
    `create role ${other}; grant ${other} to ${role}; grant usage on schema yard to ${other}; grant select on all tables in schema yard to ${other};`,
  );
  key = await createKey('EdDSA');
});
afterAll(async () => {
  await db.query(`drop owned by ${other}; drop role ${other}`);
  await db.drop();
});

const json = { 'content-type': 'application/json' };

async function withServer(environment: Readonly<Record<string, string>>, work: (server: WriteServer) => Promise<void>) {
  const server = await startWriteServer(db, { environment });
  try {
    await work(server);
  } finally {
    await server.stop();
  }
}

const patch = (server: WriteServer, id: number, prefer = 'return=representation') =>
  server.send('PATCH', `/api/v1/items?id=eq.${id}`, { ...json, prefer }, '{"n":1}');

/** Sends enough requests for the server to know the statements as short. */
async function warm(server: WriteServer): Promise<void> {
  for (let times = 0; times < 60; times += 1) {
    expect((await patch(server, (times % 16) + 1)).status).toBe(200);
    expect((await server.get('/api/v1/asked')).status).toBe(200);
  }
  for (let times = 0; times < 5; times += 1)
    await Promise.all(Array.from({ length: 16 }, (_, at) => patch(server, at + 1)));
}

describe('writes that come together at a warm server', () => {
  test.each(['return=representation', 'max-affected=1'])(
    'are audited by a trigger that catches errors, though another session holds its table (%s)',
    async (prefer) => {
      await withServer({}, async (server) => {
        await warm(server);
        await db.query('truncate yard.audit');
        const locker = new pg.Client(db.url);
        await locker.connect();
        await locker.query('begin; lock table yard.audit in share mode');
        try {
          const replies = Array.from({ length: 16 }, (_, at) => patch(server, at + 1, prefer));
          await new Promise((resolve) => setTimeout(resolve, 300));
          await locker.query('rollback');
          expect((await Promise.all(replies)).map(({ status }) => status)).toEqual(
            Array.from({ length: 16 }, () => 200),
          );
        } finally {
          await locker.end();
        }
        const audited = await db.query(
          'select how, count(*)::int, count(distinct item)::int as items from yard.audit group by 1 order by 1',
        );
        expect(audited).toEqual(['lock', 'others'].map((how) => ({ how, count: 16, items: 16 })));
      });
    },
  );

  test('do not wait for one that waits', async () => {
    await withServer({}, async (server) => {
      await warm(server);
      const locker = new pg.Client(db.url);
      await locker.connect();
      await locker.query('begin; update yard.items set n = 2 where id = 20');
      try {
        const held = patch(server, 20);
        const others = await Promise.all(Array.from({ length: 9 }, (_, at) => patch(server, at + 1)));
        expect(others.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 200));
        await locker.query('rollback');
        expect((await held).status).toBe(200);
      } finally {
        await locker.end();
      }
    });
  });
});

const poolers = ['none', 'transaction'] as const;

const seen = {
  own_role: true,
  path: '"yard","public"',
  timeout: '30s',
  row_security: 'on',
  zone: 'UTC',
  intervals: 'iso_8601',
  bytes: 'hex',
  read_only: 'on',
};

const wrote = {
  own_role: true,
  path: '"yard","public"',
  timeout: '30s',
  lock_timeout: '0',
  zone: 'UTC',
  read_only: 'off',
};

describe.each(poolers)('what a function has left in the session, pooler %s,', (pooler) => {
  const one = { APP_DATASOURCE_POOL_SIZE: '1', APP_DATASOURCE_POOLER: pooler };

  /**
   * All requests whose functions change the session: a single read, concurrent reads, a write, and
   * a write of several round trips.
   */
  const leavings: readonly (readonly [string, (server: WriteServer) => Promise<unknown>])[] = [
    ['a read', (server) => server.get('/api/v1/leaving')],
    ['reads together', (server) => Promise.all(Array.from({ length: 8 }, () => server.get('/api/v1/leaving')))],
    ['a write', (server) => server.send('POST', '/api/v1/left_by_writes', json, '{}')],
    [
      'a transaction',
      (server) => server.send('POST', '/api/v1/left_by_writes', { ...json, prefer: 'max-affected=1' }, '{}'),
    ],
    ['a dry run', (server) => server.send('POST', '/api/v1/left_by_writes', { ...json, prefer: 'tx=rollback' }, '{}')],
  ];

  test.each(leavings)('%s, is not there for the next, whoever asks, with tokens', async (_name, leave) => {
    const jwt = { APP_SECURITY_JWT_ENABLED: 'true', APP_SECURITY_AUTH_PUBLIC_KEY: key.pem };
    const token = { authorization: `Bearer ${await sign(key, { sub: 'ada', projectId: 'p' })}` };
    await withServer({ ...one, ...jwt }, async (server) => {
      const anonymous = { ...seen, user_id: '', project_id: '', claims: '' };
      const ada = { ...seen, user_id: 'ada', project_id: 'p', claims: expect.stringContaining('"ada"') as string };
      for (const prefer of ['return=representation', 'max-affected=1']) {
        await leave(server);
        expect(JSON.parse((await server.get('/api/v1/asked')).text)).toMatchObject({ data: [anonymous] });
        await leave(server);
        expect(JSON.parse((await server.get('/api/v1/asked', token)).text)).toMatchObject({ data: [ada] });
        await leave(server);
        for (const [as, headers] of [
          ['', {}],
          ['ada', token],
        ] as const) {
          const { text } = await server.send('POST', '/api/v1/written', { ...json, prefer, ...headers }, '{}');
          expect(JSON.parse(text)).toMatchObject({ ...wrote, user_id: as });
        }
        await leave(server);
        expect((await server.get('/api/v1/sneaking')).status).not.toBe(200);
      }
      expect(await db.query(`select from yard.audit where how = 'sneaky'`)).toEqual([]);
    });
  });

  test.each(leavings)('%s, is not there for the next without tokens', async (_name, leave) => {
    await withServer(one, async (server) => {
      for (let times = 0; times < 3; times += 1) {
        await leave(server);
        expect(JSON.parse((await server.get('/api/v1/asked')).text)).toMatchObject({ data: [seen] });
        await leave(server);
        expect(JSON.parse((await server.send('POST', '/api/v1/written', json, '{}')).text)).toMatchObject(wrote);
        await leave(server);
        expect((await server.get('/api/v1/sneaking')).status).not.toBe(200);
      }
      expect(await db.query(`select from yard.audit where how = 'sneaky'`)).toEqual([]);
    });
  });

  test('is not seen by reads that share the connection with what leaves it', async () => {
    await withServer(one, async (server) => {
      await warm(server);
      for (let times = 0; times < 30; times += 1) await server.get('/api/v1/leaving');
      for (let times = 0; times < 10; times += 1) {
        const asked = Array.from({ length: 12 }, (_, at) =>
          server.get(at % 3 === 0 ? '/api/v1/leaving' : '/api/v1/asked'),
        );
        for (const [at, { status, text }] of (await Promise.all(asked)).entries()) {
          expect(status).toBe(200);
          if (at % 3 !== 0) expect(JSON.parse(text)).toMatchObject({ data: [seen] });
        }
      }
    });
  });
});

describe('prepared statements that a function loses', () => {
  test('are prepared again: nothing fails, and everything is written once', async () => {
    await db.query('truncate yard.lost_by_writes');
    await withServer({ APP_DATASOURCE_POOL_SIZE: '2' }, async (server) => {
      await warm(server);
      const requests: readonly (() => Promise<{ readonly status: number }>)[] = [
        () => server.get('/api/v1/losing'),
        () => server.get('/api/v1/asked'),
        () => server.send('POST', '/api/v1/lost_by_writes', json, '{}'),
        () => server.send('POST', '/api/v1/lost_by_writes', { ...json, prefer: 'max-affected=1' }, '{}'),
        () => server.send('POST', '/api/v1/lost_by_writes', { ...json, prefer: 'tx=rollback' }, '{}'),
        () => patch(server, 3),
      ];
      const rounds = 40;
      for (let times = 0; times < rounds; times += 1)
        for (const request of requests) expect((await request()).status).toBeLessThan(300);
      for (let times = 0; times < rounds; times += 1) {
        const replies = await Promise.all([...requests, ...requests].map((request) => request()));
        expect(replies.filter(({ status }) => status >= 300)).toEqual([]);
      }
      expect(await db.query('select count(*)::int from yard.lost_by_writes')).toEqual([{ count: 6 * rounds }]);
    });
  });
});

describe('a write whose plan went stale', () => {
  test('is parsed again', async () => {
    await db.query('create table yard.changing (id int primary key, a int); grant all on yard.changing to public');
    const { descriptors } = await describeDatabase(db.url, { schemas: ['yard'] });
    const server = await startWriteServer({ ...db, descriptors }, { environment: { APP_DATASOURCE_POOL_SIZE: '1' } });
    try {
      for (const prefer of ['return=representation', 'max-affected=2']) {
        const write = () => server.send('PATCH', '/api/v1/changing?id=gt.0', { ...json, prefer }, '{"a":1}');
        for (let times = 0; times < 8; times += 1) expect((await write()).status).toBe(200);
        for (const type of ['bigint', 'numeric', 'int']) {
          await db.query(`alter table yard.changing alter a type ${type}`);
          expect((await write()).status).toBe(200);
        }
      }
    } finally {
      await server.stop();
    }
  });
});
