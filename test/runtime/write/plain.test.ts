import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ExactNumber } from '../../../runtime/src/exact-number.js';
import { plainRowsWriter } from '../../../runtime/src/dialect/postgres/parameters/plain-rows.js';
import { rowEncoder } from '../../../runtime/src/dialect/postgres/parameters/rows.js';
import { givenColumns } from '../../../runtime/src/plan/write/rows.js';
import type { Table } from '../../../runtime/src/descriptor/registry.js';
import { objectText } from '../../../runtime/src/dialect/object-text.js';
import { boardRegistry } from '../../support/registry.js';

const found = boardRegistry.tables.find(({ name }) => name === 'issues');
const columns = ['id', 'title', 'status', 'estimate', 'views', 'labels', 'metadata', 'urgent'].map((column) => ({
  column,
  key: column,
}));

function issues(): Table {
  if (found === undefined) throw new TypeError('the board has no issues');
  return found;
}

const given = givenColumns(columns, issues(), {});
const writePlain = plainRowsWriter(given, boardRegistry);
const encode = rowEncoder(given, boardRegistry);

const row = fc.record(
  {
    id: fc.option(fc.integer()),
    title: fc.option(fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'))),
    estimate: fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.constantFrom('1.50', null)),
    urgent: fc.constantFrom(true, false, null, undefined),
  },
  { requiredKeys: [] },
);

/** The value of each member in `json_to_recordset`: the text of a scalar, or null. */
function textsIn(json: string): unknown {
  const rows = JSON.parse(json) as readonly Readonly<Record<string, unknown>>[];
  return rows.map((each) =>
    Object.fromEntries(
      Object.entries(each).map(([name, value]) => [
        name,
        value === null || typeof value === 'object' ? value : String(value as string | number | boolean),
      ]),
    ),
  );
}

test('plain rows say the same as rows that are encoded value by value', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 4 }), (rows) => {
      const plain = writePlain(rows);
      if (rows.some(({ estimate }) => Object.is(estimate, -0))) return plain === undefined;
      const encoded = `[${rows.map((each) => objectText(encode(each))).join()}]`;
      expect(textsIn(plain ?? 'null')).toEqual(textsIn(encoded));
      return true;
    }),
  );
});

test.each<[string, object]>([
  ['a list', { labels: ['a'] }],
  ['the text form of a list', { labels: '{a}' }],
  ['JSON, whose numbers keep their digits', { metadata: { a: 1 } }],
  ['an enum with names of its own', { status: 'in_progress' }],
  ['a number with more digits than JavaScript keeps', { views: new ExactNumber('9007199254740993') }],
  ['a zero with a sign', { estimate: -0 }],
  ['a big integer', { views: 1n }],
  ['a number that JSON does not have', { estimate: NaN }],
  ['a date', { title: new Date(0) }],
  ['a zero byte', { title: 'a\0b' }],
  ['a key that is no column', { kanbanProjectId: null }],
])('%s is left to the encoding', (_what, other) => {
  expect(writePlain([{ id: 1 }, other])).toBeUndefined();
});
