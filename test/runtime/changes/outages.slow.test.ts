import type { Client } from 'graphql-ws';
import { until, type ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, untilLive, watch, type Live, type Watching } from './support/live.js';

/**
 * A slot may keep 64 MB of the log. Beyond that limit the database disconnects a reader that does
 * not read.
 */
let live: Live;
let server: ServedServer;
let client: Client;
let watching: Watching;

const document = 'subscription { liveIssuesChanges { operation key error data { id title } } }';

beforeAll(async () => {
  live = await openLive('wal', ['max_slot_wal_keep_size=64MB', 'min_wal_size=32MB', 'max_wal_size=64MB']);
  server = await live.startProcess({ APP_LOG_LEVEL: 'silent' });
  client = openClient(server);
  watching = await watch(client, document);
});
afterAll(async () => {
  await client.dispose();
  expect(await server.stop()).toBe(0);
  await live.stop();
});

const slots = async (): Promise<readonly string[]> =>
  (await live.run(`select slot_name from pg_replication_slots`)).map((row) => String(row['slot_name']));

/** The feed has one slot, whose name contains the process id. */
const processOf = (slot: string): number => Number(slot.split('_')[1]);

async function toldAgain(title: string): Promise<void> {
  await live.run(
    `insert into live.issues (id, title) values (1, $1) on conflict (id) do update set title = excluded.title`,
    [title],
  );
  await watching.until((events) => events.some(({ data }) => data?.['title'] === title));
}

test('a walsender that is ended: the client stays, is told RESYNC soon, and then everything', async () => {
  await toldAgain('before');
  watching.forget();
  await live.run(`select pg_terminate_backend(pid) from pg_stat_replication`);
  await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
  await toldAgain('after');
  expect(watching.isOver()).toBe(false);
});

test('a restart of the database: the same, soon after its return', async () => {
  watching.forget();
  await live.restart();
  await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
  await until(() =>
    toldAgain('restarted').then(
      () => true,
      () => false,
    ),
  );
  expect(watching.isOver()).toBe(false);
});

test('a process that hangs does not keep the database from its checkpoints', async () => {
  const [slot = ''] = await slots();
  process.kill(processOf(slot), 'SIGSTOP');
  try {
    for (let turn = 0; turn < 8; turn += 1) {
      await live.run(
        `insert into live.issues (id, title) select n, repeat(md5(n::text), 40) from generate_series($1::int, $1 + 9999) n`,
        [10_000 * (turn + 1)],
      );
      // A checkpoint that waited for the process would last until it continues.
      await live.run('checkpoint');
    }
  } finally {
    process.kill(processOf(slot), 'SIGCONT');
  }
  watching.forget();
  await until(async () => !(await slots()).includes(slot));
  await untilLive(server);
  await toldAgain('thawed');
});

test('a server that is killed leaves no slot; its clients connect to the next one', async () => {
  const before = await slots();
  const other = await live.startProcess({ APP_LOG_LEVEL: 'silent' });
  const both = await slots();
  expect([before.length, both.length]).toEqual([1, 2]);
  const [own] = both.filter((slot) => !before.includes(slot));
  process.kill(processOf(own ?? ''), 'SIGKILL');
  await until(async () => (await slots()).length === 1);
  expect(await other.stop()).toBeNull();
});
