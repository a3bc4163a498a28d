import type { Driver } from '../../driver.js';

/** The time zone of a database server, if it is not UTC. */
export interface DatabaseZone {
  /**
   * The days, in UTC, around the hours that clocks repeat: a local time of such a day may stand for
   * two instants.
   */
  readonly repeating: ReadonlySet<string>;
  /** The last instant of a TIMESTAMP. */
  readonly last: string;
}

const utcNames: ReadonlySet<string> = new Set(['UTC', '+00:00']);

/** Enough steps to go through all days of a TIMESTAMP, until 2106. */
const maxDays = 60_000;

/**
 * The offsets of the zone on each day. The database knows the rules of its zone, and its tables of
 * zones may be older or newer than those of this machine.
 */
const offsets = (last: string): string =>
  `set statement max_recursive_iterations = ${String(maxDays)} for ` +
  `with recursive d (t) as (select cast('1970-01-02' as datetime) union all select t + interval 1 day from d where t < '${last}' - interval 2 day), ` +
  "o as (select t, timestampdiff(second, t, convert_tz(t, '+00:00', @@global.time_zone)) as s from d), " +
  'n as (select t, s, lead(s) over (order by t) as later from o) ' +
  'select sum(s is null), sum(s <> 0), group_concat(if(later < s, date(t), null)) from n';

/**
 * Asks for the zone that sessions have by default. Undefined: UTC, or a zone that the database does
 * not know any more.
 */
export async function zoneOf(
  driver: Driver,
  name: string | null,
  system: string | null,
): Promise<DatabaseZone | undefined> {
  if (utcNames.has((name === 'SYSTEM' ? system : name) ?? 'UTC')) return undefined;
  const [limit] = await driver.run([{ text: 'select from_unixtime(4294967295) is not null', values: [] }]);
  const last = limit?.[0] === '1' ? '2106-02-07 06:28:15.999999' : '2038-01-19 03:14:07.999999';
  const [row] = await driver.run([{ text: offsets(last), values: [] }]);
  const [unknown, others, days] = row ?? [];
  if (unknown !== '0' || others === '0') return undefined;
  return { repeating: new Set((days ?? '').split(',').flatMap(neighbours)), last };
}

/** The day and the days beside it: the repeated hour may begin or end there. */
const neighbours = (day: string): readonly string[] =>
  day === '' ? [] : [-1, 0, 1].map((by) => new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10));

const days = /\d{4}-\d\d-\d\d/g;

/** Whether a text has an instant whose local time may stand for two instants. */
export const isRepeated = ({ repeating }: DatabaseZone, text: string | null): boolean =>
  repeating.size > 0 && text?.match(days)?.some((day) => repeating.has(day)) === true;
