import { KeyMemory, SentKeys } from '../../../runtime/src/events/sent-keys.js';
import { openClient, openLive, watch } from './support/live.js';

/** Rows that were reported under a policy are remembered, in a budget of bytes of the process. */
test('what has no room is forgotten, and its subscribers receive RESYNC', async () => {
  const live = await openLive();
  try {
    const server = await live.start({ APP_LOG_LEVEL: 'silent', APP_CHANGES_REMEMBERED_BYTES: '2000' });
    const client = openClient(server, await live.served.token('ada'));
    const watching = await watch(client, 'subscription { liveNotesChanges { operation error key data { id } } }');
    const insert = (from: number, to: number) =>
      live.run(`insert into live.notes select n, 'ada', 'x' from generate_series($1::int, $2::int) n`, [from, to]);
    await insert(1, 5);
    await watching.until((events) => events.filter(({ operation }) => operation === 'INSERT').length === 5);
    await live.run('delete from live.notes where id = 1');
    await watching.until((events) => events.some(({ operation }) => operation === 'DELETE'));
    watching.forget();
    await insert(6, 60);
    await watching.until((events) => events.some(({ operation }) => operation === 'RESYNC'));
    expect(watching.events.find(({ operation }) => operation === 'RESYNC')?.error).toMatch(/remember/);
    // Rows that are reported later are remembered again, until there are too many of those.
    let isTold = false;
    for (let id = 100; !isTold; id += 1) {
      watching.forget();
      await insert(id, id);
      await watching.until((events) => events.some(({ operation }) => operation === 'INSERT'));
      await live.run(`delete from live.notes where id = ${String(id)}`);
      await watching.until((events) => events.some(({ operation }) => operation !== 'INSERT'));
      isTold = watching.events.some(({ operation, key }) => operation === 'DELETE' && key?.['id'] === id);
    }
    await client.dispose();
    expect(await server.stop()).toBe(0);
  } finally {
    await live.stop();
  }
});

describe('the memory of a process', () => {
  const groupsOf = (memory: KeyMemory, most = 100) => {
    const told: string[] = [];
    const group = (name: string) => new SentKeys(most, memory, () => told.push(name));
    return { told, group };
  };

  test('is shared: the group that was added to longest ago is forgotten first', () => {
    const { told, group } = groupsOf(new KeyMemory(300));
    const [a, b] = [group('a'), group('b')];
    for (const id of ['1', '2']) a.add(id);
    b.add('1');
    a.add('3');
    expect(told).toEqual([]);
    a.add('4');
    expect(told).toEqual(['b']);
    expect([a.delete('1'), b.delete('1')]).toEqual([true, false]);
  });

  test('is free again when rows are deleted, and when a group ends', () => {
    const { told, group } = groupsOf(new KeyMemory(300));
    const [a, b] = [group('a'), group('b')];
    for (let id = 0; id < 50; id += 1) {
      a.add(String(id));
      a.delete(String(id));
    }
    for (const id of ['1', '2', '3', '4']) a.add(id);
    a.end();
    a.add('5');
    for (const id of ['1', '2', '3', '4']) b.add(id);
    expect(told).toEqual([]);
  });

  test('one group alone has a limit, too', () => {
    const { told, group } = groupsOf(new KeyMemory(1_000_000), 3);
    const a = group('a');
    for (const id of ['1', '2', '3', '1']) a.add(id);
    expect(told).toEqual([]);
    a.add('4');
    expect(told).toEqual(['a']);
  });
});
