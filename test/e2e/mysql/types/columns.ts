/** A column type of MariaDB, with values in the order of the type. */
export interface ColumnCase {
  readonly name: string;
  /** As CREATE TABLE has it. */
  readonly type: string;
  /** The JSON text of each value, as REST answers it, from the least to the greatest. */
  readonly values: readonly string[];
  /** Absent: the values are ordered, and can be a key. */
  readonly lacks?: 'order' | 'key';
}

const text = (...values: readonly string[]): readonly string[] => values.map((value) => JSON.stringify(value));
const labels = Array.from({ length: 64 }, (_, at) => `m${String(at + 1)}`);
const list = (all: readonly string[]): string => all.map((label) => `'${label}'`).join(',');

/** Every type that a column of MariaDB can have. */
export const columnCases: readonly ColumnCase[] = [
  { name: 'tiny', type: 'tinyint', values: ['-128', '-1', '0', '2', '10', '127'] },
  { name: 'flag', type: 'tinyint(1)', values: ['0', '1', '2'] },
  { name: 'truth', type: 'tinyint(1)', values: ['false', 'true'], lacks: 'key' },
  { name: 'small', type: 'smallint unsigned', values: ['0', '9', '65535'] },
  { name: 'medium', type: 'mediumint', values: ['-8388608', '7', '8388607'] },
  { name: 'whole', type: 'int', values: ['-2147483648', '9', '10', '2147483647'] },
  { name: 'unsigned', type: 'int unsigned', values: ['0', '9', '4294967295'] },
  { name: 'big', type: 'bigint', values: ['-9223372036854775808', '9', '9007199254740993', '9223372036854775807'] },
  { name: 'ubig', type: 'bigint unsigned', values: ['0', '9', '18446744073709551614', '18446744073709551615'] },
  { name: 'filled', type: 'int(8) unsigned zerofill', values: ['0', '7', '10', '123456789'] },
  { name: 'filledbig', type: 'bigint(20) unsigned zerofill', values: ['0', '7', '18446744073709551615'] },
  { name: 'filleddecimal', type: 'decimal(8,2) zerofill', values: ['0.00', '7.50', '100000.00'] },
  { name: 'filledfloat', type: 'float zerofill', values: ['0', '0.12345679104328156', '7.5', '16777216'] },
  { name: 'yearly', type: 'year', values: ['0', '1901', '1999', '2000', '2155'] },
  { name: 'exact', type: 'decimal(20,5)', values: ['-10.50000', '9.00000', '10.50000', '123456789012345.00001'] },
  {
    name: 'wide',
    type: 'decimal(60,2)',
    values: [`-${'9'.repeat(58)}.99`, '0.00', '1.50', `${'9'.repeat(57)}8.99`, `${'9'.repeat(58)}.99`],
  },
  { name: 'widest', type: 'decimal(65,0)', values: [`-${'9'.repeat(65)}`, '1', '9'.repeat(65)] },
  {
    name: 'single',
    type: 'float',
    values: ['-3.40282e38', '0.1', '0.12345679104328156', '1.1', '16777215', '16777216', '16777220'],
  },
  {
    name: 'double_',
    type: 'double',
    values: ['-1.7976931348623157e308', '0.1', '0.30000000000000004', '0.3333333333333333', '9.007199254740993e18'],
  },
  { name: 'bits', type: 'bit(5)', values: text('0', '1', '101', '1010', '11111') },
  { name: 'bits64', type: 'bit(64)', values: text('0', `1${'0'.repeat(63)}`, '1'.repeat(64)) },
  { name: 'mood', type: `enum('z','m','a','it''s','x y')`, values: text('z', 'm', 'a', "it's", 'x y') },
  {
    name: 'tags',
    type: `set('z','m','a b','"q"')`,
    values: ['[]', '["z"]', '["m"]', '["z","m"]', '["a b"]', '["z","a b"]', '["\\"q\\""]'],
  },
  {
    name: 'manytags',
    type: `set(${list(labels)})`,
    values: ['["m1"]', '["m2"]', '["m64"]', '["m1","m64"]', JSON.stringify(labels)],
  },
  { name: 'fixed', type: 'char(5) character set latin1', values: text('a', 'b', 'é') },
  { name: 'varying', type: 'varchar(20) collate utf8mb4_bin', values: text('', 'B', 'a\nb', 'a,"b"', '😀') },
  { name: 'long', type: 'longtext collate utf8mb4_bin', values: text('', 'B', 'a'), lacks: 'key' },
  {
    name: 'unique_id',
    type: 'uuid',
    values: text('00000000-0000-0000-0000-000000000001', '6ccd780c-baba-1026-9564-5b8c656024db'),
  },
  { name: 'address', type: 'inet6', values: text('::1', '2001:db8::ff00:42:8329') },
  { name: 'day', type: 'date', values: text('0001-01-01', '1999-12-31', '2024-02-29') },
  { name: 'wakes', type: 'time(6)', values: text('-838:59:59', '06:30:00', '06:30:00.5', '838:59:59') },
  { name: 'made', type: 'datetime(6)', values: text('1000-01-01T00:00:00', '2024-02-29T12:00:00.123456') },
  { name: 'seen', type: 'timestamp(3)', values: text('2001-01-01T00:00:00+00:00', '2024-02-29T12:00:00.123+00:00') },
  { name: 'padded', type: 'binary(2)', values: text('\\x0000', '\\x00ff', '\\xff00') },
  { name: 'bytes', type: 'varbinary(20)', values: text('\\x', '\\x00', '\\x5c22', '\\xff') },
  { name: 'blob_', type: 'longblob', values: text('\\x', '\\x00', '\\xff'), lacks: 'key' },
  { name: 'document', type: 'json', values: ['{"a":1}', '[1,"x"]', '"text"', '7'], lacks: 'order' },
  { name: 'place', type: 'point', values: text('POINT(1 2)', 'POINT(3 4)'), lacks: 'order' },
];

/** The configuration of a project that is not new, which has only these truth values. */
export const configuration = { types: { '*.*_truth.v': 'boolean' } };

export const tables: string = columnCases
  .map(
    ({ name, type, lacks }) => `
create table o_${name} (id int not null auto_increment primary key, v ${type} null);
create table c_${name} (id int not null primary key, v ${type} null);
${lacks === undefined ? `create table k_${name} (v ${type} not null primary key, note varchar(10));` : ''}`,
  )
  .join('');
