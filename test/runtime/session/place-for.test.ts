import { placeFor } from '../../../templates/runtime/session/drivers/pg/place-for.js';

interface Connection {
  readonly name: string;
  readonly hasRoom: boolean;
  readonly preparedCount: number;
}

const roomy = (name: string, preparedCount = 0): Connection => ({ name, hasRoom: true, preparedCount });
const full = (name: string, preparedCount = 250): Connection => ({ name, hasRoom: false, preparedCount });

/** The name of the connection that is chosen for statements which those named have; the last one was used last. */
function chosen(connections: readonly Connection[], ...have: readonly string[]): string | undefined {
  const atHand = connections.map((connection) => ({ connection }));
  return connections[placeFor(atHand, ({ name }) => have.includes(name))]?.name;
}

test('none is chosen of none', () => {
  expect(placeFor([], () => true)).toBe(-1);
});

test('while the connection used last has room, it is that, whatever it and others have', () => {
  expect(chosen([roomy('a'), full('b'), roomy('c', 249)])).toBe('c');
  expect(chosen([roomy('a'), full('b'), roomy('c', 249)], 'a', 'b')).toBe('c');
});

test('when it is full, it is the one used last of those that have the statements', () => {
  expect(chosen([full('a'), full('b'), full('c')], 'c', 'a')).toBe('c');
  expect(chosen([full('a'), full('b'), full('c')], 'a')).toBe('a');
  expect(chosen([full('a'), full('b'), roomy('c'), full('d')], 'a', 'b')).toBe('b');
});

test('what none has goes to the one with the fewest, and where all have as many, to the one used longest ago', () => {
  expect(chosen([full('a'), roomy('b', 7), roomy('c', 8), full('d')])).toBe('b');
  expect(chosen([full('a'), full('b'), full('c')])).toBe('a');
});
