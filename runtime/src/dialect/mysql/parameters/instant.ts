import { sql } from 'kysely';
import type { ColumnType } from '../../../descriptor/descriptor.js';
import type { Features } from '../start-up/features.js';
import type { DatabaseZone } from '../start-up/zone.js';
import type { Fragment } from '../sql.js';
import { baseName } from './type-name.js';

/** Whether the values of a type depend on the session's time zone, and that zone is not UTC. */
const isLocal = (type: ColumnType, { zone }: Features): boolean =>
  zone !== undefined && baseName(type.sql) === 'timestamp';

/** Whether a text of the value stands for one value alone. */
export const isExact = (type: ColumnType, features: Features): boolean => !isLocal(type, features);

/**
 * A value in UTC, if it is a TIMESTAMP. UNIX_TIMESTAMP is exact, also in the hour that clocks
 * repeat. For zero dates, which are the same in every zone, it is 0.
 */
export const inUtc = (type: ColumnType, value: Fragment, features: Features): Fragment =>
  isLocal(type, features)
    ? sql`coalesce(cast('1970-01-01' as datetime(6)) + interval nullif(unix_timestamp(${value}), 0) second, ${value})`
    : value;

/**
 * A time in UTC as the session writes it, if the type is TIMESTAMP. CONVERT_TZ makes NULL of a zero
 * date.
 */
export const inSession = (type: ColumnType, time: Fragment, features: Features): Fragment =>
  isLocal(type, features) ? sql`coalesce(convert_tz(nullif(${time}, 0), '+00:00', @@time_zone), ${time})` : time;

const zeroDate = /^(0000|\d{4}-00|\d{4}-\d\d-00)/;

/**
 * A time in UTC for a TIMESTAMP. Out of the range of TIMESTAMP it becomes a time that the database
 * refuses: CONVERT_TZ would not convert it, and it may be in the range of the session's zone.
 */
export function inRange(text: string, type: ColumnType, zone: DatabaseZone | undefined): string {
  if (zone === undefined || baseName(type.sql) !== 'timestamp' || zeroDate.test(text)) return text;
  if (text > zone.last) return '9999-12-31 23:59:59.999999';
  return text < '1970-01-01 00:00:01' ? '0001-01-01 00:00:00.000000' : text;
}
