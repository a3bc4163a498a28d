import type { ColumnType, EnumDescriptor } from '../../../runtime/src/descriptor/descriptor.js';
import { isKeyText } from '../../../runtime/src/descriptor/key-text.js';

const enums: ReadonlyMap<string, EnumDescriptor> = new Map([
  ['Mood', { type: 'Mood', schema: 'app', name: 'mood', values: [{ label: "it's, bad", name: 'it_s_bad' }] }],
]);

const type = (kind: ColumnType['kind'], name = 'x', more: Partial<ColumnType> = {}): ColumnType => ({
  kind,
  sql: { name },
  ...more,
});

const cases: readonly (readonly [ColumnType, taken: readonly string[], refused: readonly string[]])[] = [
  [type('int', 'int4'), ['0', '-2147483648', '2147483647'], ['', '2147483648', '1.5', '1e3', ' 1', 'x', '+1']],
  [type('int', 'int2'), ['-32768', '32767'], ['32768', '-32769']],
  [type('bigint', 'int8'), ['9223372036854775807'], ['9223372036854775808', '9'.repeat(5000)]],
  [type('int', 'tinyint(4)'), ['-128', '127'], ['128']],
  [type('int', 'int(10) unsigned'), ['4294967295'], ['-1', '4294967296']],
  [type('bigint', 'bigint(20) unsigned'), ['18446744073709551615'], ['18446744073709551616']],
  [type('numeric', 'numeric'), ['1', '-0.50', '123456789012345678901234567890.1'], ['', '1e5', 'NaN', '1.', '.5']],
  [type('float', 'float8'), ['1.5', '-1e-07', 'Infinity', 'NaN', '1e+20'], ['', 'x', '1e999', '1,5']],
  [type('boolean', 'bool'), ['true', 'false', '1', '0'], ['yes', 'TRUE', '2']],
  [
    type('uuid', 'uuid'),
    ['8d8ac610-566d-4ef0-9c22-186b2a5ed793', '8D8AC610-566D-4EF0-9C22-186B2A5ED793'],
    ['', '8d8ac610566d4ef09c22186b2a5ed793', '8d8ac610-566d-4ef0-9c22-186b2a5ed79'],
  ],
  [
    type('date', 'date'),
    ['2024-02-29', 'infinity', '0044-03-15 BC', '10000-01-01'],
    ['2023-02-29', '2024-13-01', '2024-00-10', '0000-01-01', 'today', '2024-2-1', '2024-02-29 12:00'],
  ],
  [type('time', 'time'), ['00:00:00', '23:59:59.999999', '24:00:00', '10:00:00+02'], ['25:00:00', '10:60:00', '10:00']],
  [
    type('timestamp', 'timestamptz'),
    ['2024-02-29 12:00:00+00', '2024-02-29T12:00:00.5+00:00', '-infinity', '0044-03-15 12:00:00+00 BC'],
    ['2024-02-30 12:00:00+00', '2024-02-29', 'now', '2024-02-29 25:00:00'],
  ],
  [type('bytes', 'bytea'), ['\\x', '\\xFF00'], ['', '\\xf', 'ff', '\\xgg']],
  [type('enum', 'mood', { enum: 'Mood' }), ["it's, bad"], ['it_s_bad', 'good']],
  [type('text', 'text'), ['', 'anything'], []],
  [type('range', 'int4range'), ['whatever'], []],
];

test.each(cases.map(([of, taken, refused]) => ({ of, name: of.sql.name, taken, refused })))(
  'a key of the type $name',
  ({ of, taken, refused }) => {
    const isTaken = (text: string): boolean => isKeyText(of, text, enums);
    expect([...taken, ...refused].filter(isTaken)).toEqual(taken);
  },
);
