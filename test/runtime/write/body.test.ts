import type { Table } from '../../../runtime/src/descriptor/registry.js';
import { readRows, type BodyRows } from '../../../runtime/src/request/rest/write/body.js';
import { catalog, column, table } from '../../support/catalog.js';
import { describeCatalog } from '../../support/describe-database.js';
import { boardRegistry } from '../../support/registry.js';

/**
 * Unusual but valid JSON bodies: decision 006, and the behaviour of JSON.parse for duplicate
 * members.
 */
const found = boardRegistry.tables.find(({ name }) => name === 'issues');
if (found === undefined) throw new TypeError('the board has no issues');
const issues = found;

const read = (text: string, into: Table = issues): BodyRows =>
  readRows('application/json', Buffer.from(text), into, {});

/** A table with these columns, each of type text. */
function tableOf(names: readonly string[]): Table {
  const facts = catalog({
    tables: [
      table(
        's.t',
        names.map((name) => column(name)),
      ),
    ],
  });
  const [first] = describeCatalog(facts).registry.tables;
  if (first === undefined) throw new TypeError('the registry has no table');
  return first;
}

test.each([2, 40, 2000])('%d rows alike go to the database as the client wrote them', (length) => {
  const text = JSON.stringify(
    Array.from({ length }, (_, id) => ({ id, title: '\n"é😀'.repeat(9) })),
    null,
    1,
  );
  expect(read(text)).toMatchObject({ count: length, columns: ['id', 'title'], form: 'text', value: text });
});

test('rows may have other columns than the first one', () => {
  const { columns, keySets } = read('[{"id":1},{"title":"a"},{"id":2}]');
  expect([columns, keySets]).toEqual([
    ['id', 'title'],
    [['id'], ['title']],
  ]);
});

test.each([
  ['numbers of few digits', '{"id":1,"id":2,"labels":"{a}"}', 2],
  ['numbers of many', '{"id":1,"id":9007199254740993,"labels":"{a}"}', '9007199254740993'],
])('of several members of one name the last one counts, with %s', (_what, text, id) => {
  const { columns, value } = read(`[${text}]`);
  expect(columns).toEqual(['id', 'labels']);
  expect(String((value as readonly { readonly id: unknown }[])[0]?.id)).toBe(String(id));
});

test('a column may be called __proto__', () => {
  const { columns, cells } = read('{"__proto__":"a"}', tableOf(['__proto__']));
  expect([columns, cells]).toEqual([['__proto__'], ['a']]);
});

test('1,600 columns are as many as a table may have', () => {
  const names = Array.from({ length: 1600 }, (_, at) => `column${String(at)}`);
  const row = Object.fromEntries(names.map((name) => [name, 'a']));
  expect(read(JSON.stringify([row, row]), tableOf(names))).toMatchObject({ count: 2, columns: names, form: 'text' });
});

test.each([
  ['no end', '[{"id":1}'],
  ['a comma too many', '[{"id":1},]'],
  ['a leading zero', '[{"id":01}]'],
  ['a control character', '[{"title":"a\nb"}]'],
  ['an unknown escape', '[{"title":"\\x"}]'],
  ['something after the end', '[{"id":1}] 1'],
  ['nothing', ''],
])('what is no JSON is refused: %s', (_what, text) => {
  expect(() => read(text)).toThrow('not JSON');
});
