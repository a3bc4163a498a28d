import { chooseConnection } from '../../../runtime/src/dialect/postgres/driver/choose-connection.js';
import { KEPT_BY_EACH, maxPrepared } from '../../../runtime/src/dialect/postgres/driver/prepared.js';

/** A statement that a connection has or has not prepared, by its text. */
const asked = [{ text: 'asked', values: [] }];

interface Made {
  readonly count?: number;
  readonly has?: boolean;
}

const made = (name: string, { count = KEPT_BY_EACH, has = false }: Made = {}) => ({
  name,
  preparedCount: count,
  hasRoom: count < KEPT_BY_EACH,
  has: () => has,
});

/** The name of the chosen connection. The last connection in the list is the most recently used. */
function chosen(connections: readonly ReturnType<typeof made>[]): string | undefined {
  return connections[chooseConnection(connections, asked)]?.name;
}

test('none is chosen of none', () => {
  expect(chooseConnection([], asked)).toBe(-1);
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

describe('how many statements a connection keeps', () => {
  test('is the same for as many tables as schemas usually have', () => {
    expect([0, 10, 600].map((tables) => maxPrepared(tables, 10))).toEqual([250, 250, 250]);
  });

  test('is more where there are more tables, or fewer connections, within a limit', () => {
    expect([maxPrepared(1000, 10), maxPrepared(1000, 5), maxPrepared(3000, 10)]).toEqual([400, 800, 1000]);
  });
});
