import type { ColumnType, Kind } from '../../../runtime/src/descriptor/descriptor.js';
import { sameNames } from '../../../runtime/src/dialect/schema-names.js';
import { mariadbFeatures } from '../../../runtime/src/dialect/mysql/start-up/features.js';
import { operators as mysqlOperators } from '../../../runtime/src/dialect/mysql/read/operators.js';
import type { FilterKind } from '../../../runtime/src/plan/operator.js';
import { operators } from '../../../runtime/src/plan/operators.js';
import { encoderOf } from '../../../runtime/src/dialect/mysql/parameters/encode.js';
import { checkedPath, stepPath } from '../../../runtime/src/dialect/mysql/parameters/json-path.js';
import { slotOf } from '../../../runtime/src/dialect/mysql/parameters/parameter.js';
import type { Form } from '../../../runtime/src/plan/parameter.js';

const types = {
  enums: new Map([
    [
      'Mood',
      { type: 'Mood', schema: 's', name: 'mood', values: [{ label: 'so-so', name: 'so_so' }, { label: 'fine' }] },
    ],
  ]),
  composites: new Map(),
  features: mariadbFeatures,
  databases: sameNames,
};
const type = (kind: Kind, name: string): ColumnType => ({ kind, sql: { name } });
const mood: ColumnType = { kind: 'enum', sql: { name: 'enum' }, enum: 'Mood' };

const encoded = (of: ColumnType, value: unknown, form: 'text' | 'json' = 'json'): string =>
  encoderOf(of, form, types)(value);

/** The code of the thrown error, or the text. */
function outcome(work: () => string): string {
  try {
    return work();
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

describe('values of MariaDB', () => {
  test.each<[Kind, string, unknown, string]>([
    ['int', 'int', ' +007 ', '7'],
    ['int', 'int', 2147483648, '22003'],
    ['int', 'tinyint', -129, '22003'],
    ['int', 'tinyint unsigned', 255, '255'],
    ['int', 'int', true, '1'],
    ['int', 'year', 2155, '2155'],
    ['int', 'year', 1800, '22003'],
    ['bigint', 'bigint unsigned', '18446744073709551615', '18446744073709551615'],
    ['bigint', 'bigint', '9223372036854775808', '22003'],
    ['bigint', 'bigint', '1abc', '22P02'],
    ['bigint', 'bigint', '', '22P02'],
    ['numeric', 'decimal', '1.50e3', '1500'],
    ['numeric', 'decimal', '-.5', '-0.5'],
    ['numeric', 'decimal', '15e-3', '0.015'],
    ['numeric', 'decimal', '1'.repeat(36), '22003'],
    ['numeric', 'decimal', 'NaN', '22P02'],
    ['numeric', 'decimal(60,2)', `${'9'.repeat(58)}.99`, `${'9'.repeat(58)}.99`],
    ['numeric', 'decimal(65,0)', '1.5', '22003'],
    ['float', 'double', '1e308', '1e308'],
    ['float', 'double', '1e309', '22003'],
    ['float', 'double', 'Infinity', '22P02'],
    ['uuid', 'uuid', '{6CCD780CBABA102695645B8C656024DB}', '6ccd780c-baba-1026-9564-5b8c656024db'],
    ['uuid', 'uuid', '6ccd', '22P02'],
    ['date', 'date', '2024-02-29', '2024-02-29'],
    ['date', 'date', '2023-02-29', '22008'],
    ['date', 'date', '2024-02-29T23:00:00-02:00', '2024-03-01'],
    ['date', 'date', 'today', '22007'],
    ['time', 'time', '838:59:59', '838:59:59'],
    ['time', 'time', '839:00:00', '22008'],
    ['time', 'time', 'noon', '22007'],
    ['timestamp', 'datetime', '2024-02-29T12:00:00.5Z', '2024-02-29 12:00:00.500000'],
    ['timestamp', 'datetime', '2024-02-29 12:00+02:00', '2024-02-29 10:00:00.000000'],
    ['timestamp', 'datetime', '2024-12-31T23:30:00-0100', '2025-01-01 00:30:00.000000'],
    ['timestamp', 'datetime', '2024-02-29T24:00:00', '22008'],
    ['timestamp', 'datetime', '20240229', '22007'],
    ['bytes', 'blob', String.raw`\x00Ff`, '00Ff'],
    ['bytes', 'blob', '00ff', '22P02'],
    ['other', 'bit', '101', '5'],
    ['other', 'bit', '2', '22P02'],
    ['json', 'json', { b: [1, null] }, '{"b":[1,null]}'],
    ['text', 'varchar', 'a\0b', 'TW004'],
    ['text', 'varchar', ['a'], 'TW004'],
  ])('%s %s: %j is %s', (kind, name, value, expected) => {
    expect(outcome(() => encoded(type(kind, name), value))).toBe(expected);
  });

  test('members of an enum: names of GraphQL, labels everywhere, and nothing else', () => {
    expect(encoded(mood, 'so_so')).toBe('so-so');
    expect(encoded(mood, 'so-so')).toBe('so-so');
    expect(outcome(() => encoded(mood, 'so_so', 'text'))).toBe('22P02');
    const set: ColumnType = { kind: 'array', sql: { name: 'set', array: true }, element: mood };
    expect(encoded(set, ['so_so', 'fine'])).toBe('so-so,fine');
    expect(encoded(set, [])).toBe('');
    expect(encoded(set, 'fine,so-so', 'text')).toBe('so-so,fine');
    expect(encoded(set, '{fine,"so-so"}', 'text')).toBe('so-so,fine');
  });

  const bound = (as: Form, given: unknown, form: 'text' | 'json' = 'json'): string | null =>
    slotOf({ value: { read: () => given, form }, as, type: type('text', 'varchar') }, types).bind(undefined);

  test('patterns: the escape character is `!`, whatever it was', () => {
    expect(bound('pattern', String.raw`a\%b!c\\d%`)).toBe(String.raw`a!%b!!c\d%`);
    expect(bound('pattern', 'a*', 'text')).toBe('a%');
    expect(bound('contains', '100%_!')).toBe('%100!%!_!!%');
    expect(bound('prefix', 'a')).toBe('a%');
    expect(bound('suffix', 'a')).toBe('%a');
    expect(outcome(() => bound('pattern', 'a\\') ?? '')).toBe('TW004');
  });

  test('lists are one parameter, texts in it JSON in JSON', () => {
    expect(bound('list', ['a"b', null])).toBe(JSON.stringify([JSON.stringify('a"b'), null]));
    expect(bound('texts', '{a,"b,c"}', 'text')).toBe('["a","b,c"]');
  });

  test('JSON paths go down and nowhere else', () => {
    for (const path of ['$', '$.a', '$.a[0].b', '$[*]', '$."a key".b', '$.*']) expect(checkedPath(path)).toBe(path);
    for (const path of ['', 'a', '$.', '$.a ? (@ > 1)', '$[', '$.a"', '$..a'])
      expect(outcome(() => checkedPath(path))).toBe('TW004');
    expect(stepPath('a key')).toBe('$."a key"');
    expect(stepPath(2)).toBe('$[2]');
    expect(outcome(() => stepPath('a"'))).toBe('TW004');
  });

  test('every operator has SQL, but for those of kinds that are not here', () => {
    const absent: readonly FilterKind[] = ['array', 'range', 'tsvector'];
    const ofSets = ['arrayContains', 'arrayHasAll', 'arrayContainedBy', 'arrayHasAny'];
    const there = operators.filter(
      ({ id, kinds }) => ofSets.includes(id) || kinds === 'any' || !kinds.every((kind) => absent.includes(kind)),
    );
    expect([...mysqlOperators.ids].sort()).toEqual(there.map(({ id }) => id).sort());
  });
});
