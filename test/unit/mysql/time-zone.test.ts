import { sql } from 'kysely';
import { inRange, inSession, inUtc, isExact } from '../../../runtime/src/dialect/mysql/parameters/instant.js';
import { compileFragment } from '../../../runtime/src/dialect/mysql/sql.js';
import { zoneFor } from '../../../runtime/src/dialect/mysql/driver/session-settings.js';
import { mariadbFeatures } from '../../../runtime/src/dialect/mysql/start-up/features.js';
import { datetime, timestamp } from '../../../runtime/src/dialect/mysql/types.js';

const zone = { repeating: new Set(['2024-10-26', '2024-10-27', '2024-10-28']), last: '2038-01-19 03:14:07.999999' };
const elsewhere = { ...mariadbFeatures, zone };

const text = (make: typeof inUtc, ...[type, features]: [typeof timestamp, typeof mariadbFeatures]): string =>
  compileFragment(make(type, sql`v`, features)).text;

test('only a TIMESTAMP is converted, and only where the zone is not UTC', () => {
  for (const make of [inUtc, inSession]) {
    expect(text(make, timestamp, mariadbFeatures)).toBe('v');
    expect(text(make, datetime, elsewhere)).toBe('v');
  }
  expect(text(inUtc, timestamp, elsewhere)).toContain('unix_timestamp(v)');
  expect(text(inSession, timestamp, elsewhere)).toContain("convert_tz(nullif(v, 0), '+00:00', @@time_zone)");
  expect([isExact(timestamp, elsewhere), isExact(datetime, elsewhere), isExact(timestamp, mariadbFeatures)]).toEqual([
    false,
    true,
    true,
  ]);
});

test.each([
  ['1970-01-01 00:00:01.000000', '1970-01-01 00:00:01.000000'],
  ['1970-01-01 00:00:00.999999', '0001-01-01 00:00:00.000000'],
  ['2038-01-19 03:14:07.999999', '2038-01-19 03:14:07.999999'],
  ['2038-01-19 03:14:08.000000', '9999-12-31 23:59:59.999999'],
  ['0000-00-00 00:00:00.000000', '0000-00-00 00:00:00.000000'],
  ['1900-00-01 00:00:00.000000', '1900-00-01 00:00:00.000000'],
])('%s is sent as %s, which no zone makes a TIMESTAMP', (given, sent) => {
  expect(inRange(given, timestamp, zone)).toBe(sent);
  expect(inRange(given, datetime, zone)).toBe(given);
  expect(inRange(given, timestamp, undefined)).toBe(given);
});

test.each([
  [['2024-10-27 00:30:00.000000'], 'fixed'],
  [['[["1","2024-10-28 00:30:00.000000"]]', null], 'fixed'],
  [['2024-10-29 00:30:00.000000'], 'own'],
  [[null], 'own'],
  [[], 'own'],
])('a statement with %j runs in the zone %s', (values, expected) => {
  expect(zoneFor(elsewhere, [{ text: '', values }])).toBe(expected);
  expect(zoneFor(mariadbFeatures, [{ text: '', values }])).toBe('utc');
});
