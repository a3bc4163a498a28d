import type { Client } from 'graphql-ws';
import { createConnection, type Connection } from 'mysql2/promise';
import { binlogSql } from '../../../runtime/src/dialect/mysql/changes/sql.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createMysqlDatabase, describeMysql, loadMysql } from '../../support/mysql.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { followingServer } from '../../support/following-server.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';
import { openClient, untilLive, watch, type Change } from '../changes/support/live.js';

const schema = `
  create database live character set utf8mb4;
  use live;
  create table projects (id int primary key, name varchar(50) not null);
  create table issues (
    id int primary key, project_id int, title varchar(100) not null, votes bigint not null default 0,
    foreign key (project_id) references projects (id), fulltext (title)
  );
  create table seats (\`row\` varchar(50), number int, taken tinyint not null default 0, primary key (\`row\`, number));
  create table tokens (id uuid primary key, note text);
  create table hashes (id binary(4) primary key);
  create table amounts (id decimal(20, 4) primary key);
  create table counters (id bigint unsigned primary key);
  create table moods (id enum('good', 'it''s, bad') primary key);
  create table moments (id datetime(6) primary key);
  create table stamps (id timestamp(3) primary key);
  create table days (id date primary key);
  create table words (id char(10) character set latin1 primary key);
  create table entries (line text);
  insert into projects values (1, 'one'), (2, 'two');
  ${binlogSql([{ schema: 'live', name: 'issues', key: ['id'] }])}
  alter user tablewright_changes@'%' identified by 'changes' account unlock;
`;

const issues = `subscription ($where: LiveIssuesWhereInput, $operations: [ChangeOperation!]) {
  liveIssuesChanges(where: $where, operations: $operations) { operation key data { id title } } }`;
const issueEvent = (operation: string, id: number, title?: string): object => ({
  operation,
  key: { id },
  data: title === undefined ? null : { id, title },
});

describeOwnMariadb('changes from the binary log', () => {
  let mariadb: OwnMariadb;
  let url: string;
  let program: Transpiled;
  let server: RunningServer;
  let client: Client;
  let writer: Connection;

  beforeAll(async () => {
    mariadb = await createOwnMariadb(['--log-bin', '--binlog-format=ROW', '--server-id=7']);
    await mariadb.start();
    await loadMysql(mariadb.url, schema);
    url = `${mariadb.url}live`;
    program = await buildGenerated(url);
    const changes = new URL(url);
    Object.assign(changes, { username: 'tablewright_changes', password: 'changes' });
    server = await startServerHere(program.folder, {
      DATABASE_URL: url,
      APP_LOG_LEVEL: 'info',
      APP_CHANGES_SOURCE: 'binlog',
      APP_CHANGES_URL: changes.href,
    });
    await untilLive(server);
    client = openClient(server);
    writer = await createConnection({ uri: url, multipleStatements: true });
  });

  afterAll(async () => {
    await client.dispose();
    await writer.end();
    expect(await server.stop()).toBe(0);
    await program.remove();
    await mariadb.remove();
  });

  const run = async (text: string, values: readonly string[] = []): Promise<void> => {
    await writer.query(text, [...values]);
  };

  test('what another client writes, as a query shows it: relations, digits, another name', async () => {
    const watching = await watch(
      client,
      `subscription { told: liveIssuesChanges { __typename operation schema table timestamp key error
         row: data { id votes liveProjectId { name } } } }`,
    );
    await run(`insert into issues values (1, 1, 'first', 9007199254740993)`);
    await watching.until(({ length }) => length === 1);
    expect(watching.events).toEqual([
      {
        __typename: 'LiveIssuesChange',
        operation: 'INSERT',
        schema: 'live',
        table: 'issues',
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        key: { id: 1 },
        error: null,
        row: { id: 1, votes: '9007199254740993', liveProjectId: { name: 'one' } },
      },
    ]);
    watching.stop();
  });

  test('a filter that searches: a row is told as soon as it matches, and that it no longer does', async () => {
    const found = await watch(client, issues, { where: { title: { webSearch: 'gear -small' } } });
    for (const [step, events] of [
      [`insert into issues (id, title) values (40, 'a gear'), (41, 'small gear'), (42, 'none')`, 1],
      [`update issues set title = 'the gear, large' where id = 41`, 2],
      [`update issues set title = 'nothing' where id = 40`, 3],
    ] as const) {
      await run(step);
      await found.until(({ length }) => length >= events);
    }
    expect(found.events).toEqual([
      issueEvent('INSERT', 40, 'a gear'),
      issueEvent('UPDATE', 41, 'the gear, large'),
      issueEvent('DELETE', 40),
    ]);
    found.stop();
  });

  test('operations and rows that are asked for; a row that leaves the filter is deleted to its subscriber', async () => {
    const [updates, urgent] = await Promise.all([
      watch(client, issues, { operations: ['UPDATE'] }),
      watch(client, issues, { where: { title: { startsWith: 'urgent' } } }),
    ]);
    // Each step waits until both subscribers have the event: changes in quick succession may arrive
    // as one event.
    const steps = [
      [`insert into issues (id, title) values (10, 'urgent: a'), (11, 'b')`, 1, 0],
      [`update issues set title = 'urgent: b' where id = 11`, 2, 1],
      [`update issues set title = 'calm' where id = 10`, 3, 2],
      [`update issues set title = 'calmer' where id = 10`, 3, 3],
      [`delete from issues where id = 11`, 4, 3],
    ] as const;
    for (const [step, ofUrgent, ofUpdates] of steps) {
      await run(step);
      await urgent.until(({ length }) => length >= ofUrgent);
      await updates.until(({ length }) => length >= ofUpdates);
    }
    expect(updates.events).toEqual([
      issueEvent('UPDATE', 11, 'urgent: b'),
      issueEvent('UPDATE', 10, 'calm'),
      issueEvent('UPDATE', 10, 'calmer'),
    ]);
    expect(urgent.events).toEqual([
      issueEvent('INSERT', 10, 'urgent: a'),
      issueEvent('UPDATE', 11, 'urgent: b'),
      issueEvent('DELETE', 10),
      issueEvent('DELETE', 11),
    ]);
    updates.stop();
    urgent.stop();
  });

  test.each(['FULL', 'MINIMAL', 'NOBLOB'])(
    'keys of several columns that change, in row images that are %s',
    async (image) => {
      await run(`set session binlog_row_image = '${image}'`);
      const watching = await watch(
        client,
        'subscription { liveSeatsChanges { operation key data { row number taken } } }',
      );
      const odd = `it's "A", {1}\\ é 😀`;
      const steps: readonly (readonly [string, number])[] = [
        ['insert into seats values (?, 1, 0)', 1],
        ['update seats set taken = 1 where `row` = ?', 2],
        ['update seats set number = 2 where `row` = ?', 4],
        ['delete from seats where `row` = ?', 5],
      ];
      for (const [step, count] of steps) {
        await run(step, [odd]);
        await watching.until(({ length }) => length >= count);
      }
      const one = { row: odd, number: 1 };
      const two = { row: odd, number: 2 };
      expect(watching.events).toEqual([
        { operation: 'INSERT', key: one, data: { ...one, taken: 0 } },
        { operation: 'UPDATE', key: one, data: { ...one, taken: 1 } },
        { operation: 'DELETE', key: one, data: null },
        { operation: 'INSERT', key: two, data: { ...two, taken: 1 } },
        { operation: 'DELETE', key: two, data: null },
      ]);
      watching.stop();
      await run(`set session binlog_row_image = 'FULL'`);
    },
  );

  test.each([
    ['Tokens', `'0188d0b1-7f2a-7c3d-9e4f-000000000000'`, '0188d0b1-7f2a-7c3d-9e4f-000000000000'],
    ['Hashes', `x'ff010000'`, '\\xff010000'],
    ['Amounts', '1234567890123456.5000', 1234567890123456.5],
    ['Counters', '18446744073709551615', '18446744073709551615'],
    ['Moods', `'it''s, bad'`, 'it_s__bad'],
    ['Moments', `'2024-02-29 12:00:00.123400'`, '2024-02-29T12:00:00.1234'],
    ['Stamps', `'2024-02-29 12:00:00.500'`, '2024-02-29T12:00:00.5+00:00'],
    ['Days', `'2024-02-29'`, '2024-02-29'],
    ['Words', `'Grün'`, 'Grün'],
  ])('keys of %s', async (name, literal, id) => {
    const table = name.toLowerCase();
    const watching = await watch(client, `subscription { live${name}Changes { operation key data { id } } }`);
    await run(`set time_zone = '+00:00'; insert into ${table} (id) values (${literal})`);
    await watching.until(({ length }) => length === 1);
    await run(`delete from ${table}`);
    await watching.until(({ length }) => length === 2);
    expect(watching.events).toEqual([
      { operation: 'INSERT', key: { id }, data: { id } },
      { operation: 'DELETE', key: { id }, data: null },
    ]);
    watching.stop();
  });

  test('a rollback is not told; TRUNCATE, more than 10,000 rows, and a changed table are RESYNC', async () => {
    const watching = await watch(client, issues.replace('key', 'key error'));
    await run(`start transaction; insert into issues (id, title) values (20, 'never'); rollback`);
    await run('truncate issues');
    await watching.until(({ length }) => length === 1);
    await run(`insert into issues (id, title) select seq, 'many' from seq_1000_to_12000`);
    await watching.until(({ length }) => length === 2);
    await run('alter table issues add note text first');
    await watching.until(({ length }) => length === 3);
    await run(`update issues set title = 'one' where id = 1000`);
    await watching.until(({ length }) => length === 4);
    expect(watching.events[0]?.error).toContain('was truncated');
    expect(watching.events.map(({ operation, key }) => [operation, key])).toEqual([
      ['RESYNC', null],
      ['RESYNC', null],
      ['RESYNC', null],
      ['UPDATE', { id: 1000 }],
    ]);
    watching.stop();
    await run('delete from issues; alter table issues drop note');
  });

  test('6,000 writes of six writers: each row at last as it is, and never as it was before', async () => {
    const watching = await watch(client, 'subscription { liveIssuesChanges { operation key data { id votes } } }');
    const last = new Map<number, number>();
    await Promise.all(
      Array.from({ length: 6 }, async (_, at) => {
        const connection = await createConnection({ uri: url });
        for (let turn = 1; turn <= 100; turn += 1) {
          const rows = Array.from(
            { length: 10 },
            (__, row) => `(${String(5000 + at * 100 + row)}, 'x', ${String(turn)})`,
          );
          await connection.query(
            `insert into issues (id, title, votes) values ${rows.join()} on duplicate key update votes = value(votes)`,
          );
        }
        for (let row = 0; row < 10; row += 1) last.set(5000 + at * 100 + row, 100);
        await connection.end();
      }),
    );
    const votesOf = (events: readonly Change[]): ReadonlyMap<unknown, unknown> =>
      new Map(events.map(({ data }) => [data?.['id'], Number(data?.['votes'])]));
    await watching.until((events) => {
      const told = votesOf(events);
      return [...last].every(([id, votes]) => told.get(id) === votes);
    });
    const seen = new Map<unknown, number>();
    for (const { data } of watching.events) {
      // Deletions of the previous test may arrive, too.
      if (data === null || data === undefined) continue;
      expect(Number(data['votes'])).toBeGreaterThanOrEqual(seen.get(data['id']) ?? 0);
      seen.set(data['id'], Number(data['votes']));
    }
    watching.stop();
  });

  test('a restart of the database: the client stays, is told RESYNC, and then everything', async () => {
    const watching = await watch(client, issues);
    await writer.end();
    await mariadb.stop('SIGTERM');
    await mariadb.start();
    await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    await untilLive(server);
    writer = await createConnection({ uri: url, multipleStatements: true });
    await run(`insert into issues (id, title) values (90, 'after')`);
    await watching.until((events) => events.some(({ data }) => data?.['title'] === 'after'));
    expect(watching.isOver()).toBe(false);
    watching.stop();
  });

  test('what cannot be subscribed to has no field', async () => {
    const watching = await watch(client, 'subscription { liveEntriesChanges { operation } }');
    await followingServer(() => server).until(() => Promise.resolve(watching.isOver()));
    expect(JSON.stringify(watching.errors)).toContain('Cannot query field');
  });

  test('a twin of another name reports its own changes alone, by the names of the schema', async () => {
    await loadMysql(
      mariadb.url,
      `create database live_twin character set utf8mb4; use live_twin;
       ${/create table projects[\s\S]*?create table words[^\n]*/.exec(schema)?.[0] ?? ''}
       grant references on live_twin.* to tablewright_changes@'%'; insert into projects values (1, 'twin');`,
    );
    const twin = `${mariadb.url}live_twin`;
    const changes = new URL(twin);
    Object.assign(changes, { username: 'tablewright_changes', password: 'changes' });
    const other = await startServerHere(program.folder, {
      DATABASE_URL: twin,
      APP_CHANGES_SOURCE: 'binlog',
      APP_CHANGES_URL: changes.href,
    });
    try {
      await untilLive(other);
      const watching = openClient(other);
      const seen = await watch(
        watching,
        `subscription { told: liveIssuesChanges { operation schema key data { title } } }`,
      );
      await writer.query("insert into live.issues (id, title) values (901, 'of the original')");
      await loadMysql(twin, "insert into issues (id, title) values (902, 'of the twin')");
      await seen.until(({ length }) => length > 0);
      expect(seen.events).toEqual([
        { operation: 'INSERT', schema: 'live', key: { id: 902 }, data: { title: 'of the twin' } },
      ]);
      await watching.dispose();
    } finally {
      await other.stop();
      await writer.query('delete from live.issues where id = 901');
    }
  });
});

describeMysql('a MariaDB without a binary log', () => {
  test('the server has no Subscription type, and says why', async () => {
    const database = await createMysqlDatabase('nolog');
    await loadMysql(database.url, 'create table things (id int primary key)');
    const program = await buildGenerated(database.url);
    const server = await startServerHere(program.folder, {
      DATABASE_URL: database.url,
      APP_LOG_LEVEL: 'info',
      APP_CHANGES_SOURCE: 'binlog',
    });
    try {
      const { ask, logged, ready } = followingServer(() => server);
      await logged('There are no subscriptions. The database writes no binary log: log_bin is off.');
      expect(await ask('{ __schema { subscriptionType { name } } }')).toEqual({
        data: { __schema: { subscriptionType: null } },
      });
      expect(await ready()).toEqual({ status: 'ready' });
    } finally {
      await server.stop();
      await program.remove();
      await database.drop();
    }
  });
});
