import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { mayLoseDigits } from '../../../templates/runtime/exact-number.js';
import { scanRows } from '../../../templates/runtime/request/rest/write-scan.js';
import { boardRegistry } from '../../support/registry.js';

const found = boardRegistry.tables.find(({ name }) => name === 'issues');
if (found === undefined) throw new TypeError('the board has no issues');
const issues = found;
const scan = (text: string): ReturnType<typeof scanRows> => scanRows(text, issues);

test.each([
  ['[{"id":1,"title":"Ada"},{"id":2,"title":null}]', 2, ['id', 'title']],
  [' [ {\n"id" : -0.5e+3 ,\t"urgent":true} , {"id":0,"urgent":false}\r\n] ', 2, ['id', 'urgent']],
  ['[{"title":"\\" \\\\ \\/ \\b\\f\\n\\r\\t \\u00e9 é 😀 {[,]}"}]', 1, ['title']],
  ['[{"title":"\\\\u0000"}]', 1, ['title']],
  ['[{"metadata":5}]', 1, ['metadata']],
])('%s is scanned', (text, count, columns) => {
  expect(JSON.parse(text)).toHaveLength(count);
  expect(scan(text)).toEqual({ count, columns });
});

test.each([
  ['no rows', '[]'],
  ['an object', '{"id":1}'],
  ['a row without columns', '[{}]'],
  ['other columns', '[{"id":1},{"title":"a"}]'],
  ['another order of columns', '[{"id":1,"title":"a"},{"title":"a","id":1}]'],
  ['a column that is not there', '[{"titel":"a"}]'],
  ['a column that is given twice', '[{"id":1,"id":2}]'],
  ['a name with an escape', '[{"i\\u0064":1}]'],
  ['a list', '[{"labels":["a"]}]'],
  ['the text form of a list', '[{"labels":"{a}"}]'],
  ['an object as a value', '[{"metadata":{}}]'],
  ['a zero byte', '[{"title":"\\u0000"}]'],
  ['a control character', '[{"title":"a\nb"}]'],
  ['an unknown escape', '[{"title":"\\x"}]'],
  ['half an escape', '[{"title":"\\u00e"}]'],
  ['a leading zero', '[{"id":01}]'],
  ['a plus', '[{"id":+1}]'],
  ['half a number', '[{"id":1.}]'],
  ['a comma too many', '[{"id":1},]'],
  ['a comma too many in a row', '[{"id":1,}]'],
  ['rows without a comma', '[{"id":1}{"id":2}]'],
  ['no end', '[{"id":1}'],
  ['something after the end', '[{"id":1}] 1'],
  ['another space', '[{"id":\u00a01}]'],
  ['nothing', ''],
])('%s is left to the parser', (_what, text) => {
  expect(scan(text)).toBeUndefined();
});

const cell = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const alike = fc.array(fc.record({ id: cell, title: cell, urgent: cell }), { minLength: 1, maxLength: 4 });

test('rows that look alike are scanned, however they are spaced', () => {
  fc.assert(
    fc.property(alike, fc.constantFrom(undefined, 1, '\t'), (rows, indent) => {
      expect(scan(JSON.stringify(rows, null, indent))).toEqual({
        count: rows.length,
        columns: Object.keys(rows[0] ?? {}),
      });
    }),
  );
});

test('whatever is scanned is JSON, and every row of it has these columns', () => {
  const character = fc.constantFrom(...Array.from('[]{}",:\\0123456789.-+eEtfnul \n\u0000bx'));
  let scanned = 0;
  fc.assert(
    fc.property(alike, fc.nat(), fc.nat({ max: 1 }), character, (rows, place, removed, inserted) => {
      const text = JSON.stringify(rows);
      const at = place % text.length;
      const changed = text.slice(0, at) + inserted + text.slice(at + removed);
      const found = scan(changed);
      if (found === undefined) return;
      scanned += 1;
      const parsed = JSON.parse(changed) as readonly object[];
      expect(parsed).toHaveLength(found.count);
      for (const row of parsed) expect(Object.keys(row).sort()).toEqual([...found.columns].sort());
    }),
    { numRuns: 5000 },
  );
  expect(scanned).toBeGreaterThan(100);
});

test.each([
  ['as many as one match reads', 16],
  ['one more', 17],
  ['as many as two matches read, and some', 40],
])('rows are counted: %s', (_what, length) => {
  const rows = Array.from({ length }, (_, id) => ({ id, title: `"${id}"` }));
  for (const indent of [undefined, 2]) {
    expect(scan(JSON.stringify(rows, null, indent))).toEqual({ count: length, columns: ['id', 'title'] });
  }
});

const thirty = Array.from({ length: 30 }, (_, id) => `{"id":${id},"title":"a"}`);
const withRow = (at: number, row: string): string => `[${thirty.with(at, row).join()}]`;

test.each([0, 1, 15, 16, 29])('one of 30 rows that is spaced otherwise is scanned as well: %d', (at) => {
  expect(scan(withRow(at, ' { "id" : 1,\n"title":"a"} '))).toEqual({ count: 30, columns: ['id', 'title'] });
});

test.each([1, 15, 16, 29])('one of 30 rows that is another leaves all to the parser: %d', (at) => {
  for (const row of ['{"id":1}', '{"title":"a","id":1}', '{"id":1,"title":[]}', '{"id":1,"title":"\\u0000"}', '']) {
    expect(scan(withRow(at, row))).toBeUndefined();
  }
});

test.each([
  [50, 2],
  [1600, undefined],
])('of rows with %d columns, %s are scanned', (length, count) => {
  const title = issues.byName.get('title');
  if (title === undefined) throw new TypeError('issues have no title');
  const names = Array.from({ length }, (_, at) => `column${at}`);
  const wide = { ...issues, byName: new Map(names.map((name) => [name, title])) };
  const row = Object.fromEntries(names.map((name) => [name, 'a']));
  expect(scanRows(JSON.stringify([row, row]), wide)?.count).toBe(count);
});

test('space makes no expression too long', () => {
  const space = ' '.repeat(1_000_000);
  const row = `${space}{${space}"id"${space}:${space}1${space}}${space}`;
  expect(scan(`${space}[${row},${row}]${space}`)).toEqual({ count: 2, columns: ['id'] });
});

test('what the last list looked like decides nothing about the next one', () => {
  const lists = ['title', 'urgent'].map((name) =>
    JSON.stringify(Array.from({ length: 40 }, () => ({ id: 1, [name]: 'a' }))),
  );
  for (const [at, list] of [...lists, ...lists].entries()) {
    expect(scan(list)).toEqual({ count: 40, columns: ['id', at % 2 === 0 ? 'title' : 'urgent'] });
  }
  expect(scan('[{"id":1,"titel":"a"}]')).toBeUndefined();
});

test('more escapes than an expression can read are left to the parser', () => {
  expect(scan(JSON.stringify([{ title: '\n'.repeat(6_000_000) }]))).toBeUndefined();
});

test('a long string full of escapes is scanned', () => {
  expect(scan(JSON.stringify([{ title: '\n'.repeat(2_000_000) }]))).toEqual({ count: 1, columns: ['title'] });
});

test.each([
  ['1234567890123456', true],
  ['-0.12345678901234567', true],
  ['{"n": 9007199254740993}', true],
  ['1e400', true],
  ['1E-400', true],
  ['123456789012345', false],
  ['2024-01-01T10:00:00.123456Z', false],
  ['1e20', false],
])('digits of %s may be lost: %s', (text, expected) => {
  expect(mayLoseDigits(text)).toBe(expected);
});

test('wherever a long number stands, it is found', () => {
  fc.assert(
    fc.property(fc.nat({ max: 60 }), fc.integer({ min: 1, max: 40 }), fc.nat({ max: 60 }), (before, length, after) => {
      const text = 'x'.repeat(before) + '7'.repeat(length) + 'x'.repeat(after);
      expect(mayLoseDigits(text)).toBe(length >= 16);
    }),
  );
});
