import type { SharedAccess } from '../../../templates/runtime/session/drivers/pg/access-mode.js';
import { placeFor } from '../../../templates/runtime/session/drivers/pg/place-for.js';
import { KEPT_BY_EACH, mostPrepared } from '../../../templates/runtime/session/drivers/pg/prepared.js';

/** Something a connection has prepared or not, by its text. */
const asked = [{ text: 'asked', values: [] }];

interface Made {
  readonly count?: number;
  readonly has?: boolean;
  readonly set?: SharedAccess;
}

const made = (name: string, { count = KEPT_BY_EACH, has = false, set = 'read' }: Made = {}) => ({
  name,
  preparedCount: count,
  hasRoom: count < KEPT_BY_EACH,
  has: () => has,
  isFor: (access: SharedAccess) => access === set,
});

/** The name of the one that is chosen; the last one was used last. */
function chosen(connections: readonly ReturnType<typeof made>[], access: SharedAccess = 'read'): string | undefined {
  const atHand = connections.map((connection) => ({ connection }));
  return connections[placeFor(atHand, access, asked)]?.name;
}

test('none is chosen of none', () => {
  expect(placeFor([], 'read', asked)).toBe(-1);
});

test('while the connection used last has room, it is that, whatever it and others have', () => {
  expect(chosen([made('a', { count: 0 }), made('b', { has: true }), made('c', { count: 249 })])).toBe('c');
});

test('when it is full, it is the one used last of those that have the statements', () => {
  expect(chosen([made('a', { has: true }), made('b'), made('c', { has: true })])).toBe('c');
  expect(chosen([made('a', { has: true }), made('b'), made('c')])).toBe('a');
  expect(chosen([made('a', { has: true }), made('b', { has: true }), made('c', { count: 0 }), made('d')])).toBe('b');
});

test('what none has goes to the one with the fewest, and where all have as many, to the one used longest ago', () => {
  expect(chosen([made('a'), made('b', { count: 7 }), made('c', { count: 8 }), made('d')])).toBe('b');
  expect(chosen([made('a'), made('b'), made('c')])).toBe('a');
});

describe('connections that are set to what is to be done', () => {
  test('come before others, and while the one of them used last has room, it is that', () => {
    const connections = [made('a', { count: 1, set: 'write' }), made('b', { count: 1 }), made('c', { set: 'write' })];
    expect(chosen(connections, 'read')).toBe('b');
    expect(chosen(connections.slice(0, 2), 'write')).toBe('a');
  });

  test('are no reason to have statements parsed when another has them', () => {
    const full = made('a', { set: 'write' });
    expect(chosen([full, made('b', { has: true })], 'write')).toBe('b');
    expect(chosen([made('c', { has: true, set: 'write' }), made('b', { has: true }), full], 'write')).toBe('c');
  });
});

describe('how many statements a connection keeps', () => {
  test('is the same for as many tables as schemas usually have', () => {
    expect([0, 10, 600].map((tables) => mostPrepared(tables, 10))).toEqual([250, 250, 250]);
  });

  test('is more where there are more tables, or fewer connections, within a limit', () => {
    expect([mostPrepared(1000, 10), mostPrepared(1000, 5), mostPrepared(3000, 10)]).toEqual([400, 800, 1000]);
  });
});
