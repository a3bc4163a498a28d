import { parse } from 'graphql';
import { textOfDocument, type TypedDocument } from '../../runtime/src/execute/custom/documents.js';
import type { Caller } from '../../runtime/src/execute/custom/caller.js';
import { Loaders, type Batch } from '../../runtime/src/execute/custom/loader.js';
import { firstWord } from '../../runtime/src/dialect/custom-statement.js';

describe('documents', () => {
  test('are texts, nodes, or objects that are texts', () => {
    expect(textOfDocument('{ a }')).toBe('{ a }');
    const node = parse('query Q($id: Int!) { a(id: $id) }');
    expect(parse(textOfDocument(node), { noLocation: true })).toEqual(
      parse('query Q($id: Int!) { a(id: $id) }', { noLocation: true }),
    );
    expect(textOfDocument(node)).toBe(textOfDocument(node));
    expect(textOfDocument(new String('{ b }'))).toBe('{ b }');
  });

  test('say the types of their data and variables', () => {
    const caller = { query: () => Promise.resolve({ issue: { title: 'x' } }) } as unknown as Caller;
    const one = parse('{ a }') as TypedDocument<{ issue: { title: string } }, { id: number }>;
    const none = parse('{ a }') as TypedDocument<{ count: number }, Record<string, never>>;
    const titleOf = async (): Promise<string> => (await caller.query(one, { id: 1 })).issue.title;
    const countOf = async (): Promise<number> => (await caller.query(none)).count;
    // @ts-expect-error a variable is missing
    const missing = (): Promise<unknown> => caller.query(one);
    // @ts-expect-error a variable has another type
    const wrong = (): Promise<unknown> => caller.query(one, { id: 'x' });
    expect([titleOf, countOf, missing, wrong]).toHaveLength(4);
  });
});

describe('a loader', () => {
  const asked: (readonly number[])[] = [];
  const load = (answer: (keys: readonly number[]) => ReturnType<Batch<number, string, undefined>>) => {
    const batch: Batch<number, string, undefined> = (keys) => {
      asked.push(keys);
      return answer(keys);
    };
    return new Loaders<undefined>().of(batch, undefined);
  };
  beforeEach(() => {
    asked.length = 0;
  });

  test('asks once for all keys of a tick, each key once', async () => {
    const loader = load((keys) => Promise.resolve(keys.map(String)));
    expect(await Promise.all([loader.load(1), Promise.resolve().then(() => loader.load(2)), loader.load(1)])).toEqual([
      '1',
      '2',
      '1',
    ]);
    expect(await loader.loadMany([3, 1])).toEqual(['3', '1']);
    expect(asked).toEqual([
      [1, 2],
      [3, 1],
    ]);
  });

  test('is one for each function', () => {
    const loaders = new Loaders<undefined>();
    const batch: Batch<number, string, undefined> = () => Promise.resolve([]);
    expect(loaders.of(batch, undefined)).toBe(loaders.of(batch, undefined));
  });

  test('takes maps, and errors of single keys', async () => {
    const loader = load(() =>
      Promise.resolve(
        new Map<number, string | Error>([
          [1, 'one'],
          [2, new Error('no two')],
        ]),
      ),
    );
    const [one, two, three] = await Promise.allSettled([loader.load(1), loader.load(2), loader.load(3)]);
    expect(one).toEqual({ status: 'fulfilled', value: 'one' });
    expect(two).toMatchObject({ status: 'rejected', reason: { message: 'no two' } });
    expect(three).toMatchObject({ status: 'rejected', reason: { name: 'TypeError' } });
  });

  test('refuses a list that does not fit its keys', async () => {
    await expect(load(() => Promise.resolve(['a'])).loadMany([1, 2])).rejects.toThrow('1 values for 2 keys');
  });
});

test.each([
  ['commit', 'commit'],
  ['  ROLLBACK', 'rollback'],
  ['-- a\n/* b\n */ Begin', 'begin'],
  ['((select 1))', 'select'],
  ['/* /* */ */ commit', 'commit'],
  ['/* /* */ commit', ''],
  ['/* a -- */ # b\n;begin', 'begin'],
  ['$1', ''],
  ['', ''],
])('the first word of %j is %j', (text, word) => {
  expect(firstWord(text)).toBe(word);
});
