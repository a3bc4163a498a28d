import { momentOutOfRange, wrongMoment } from './invalid.js';

const datePart = String.raw`(\d{4})-(\d{2})-(\d{2})`;
const timePart = String.raw`(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?`;
const zonePart = String.raw`(?:\s*(Z|[+-]\d{2}(?::?\d{2})?))?`;

const dateForm = new RegExp(`^${datePart}$`);
const timeForm = new RegExp(`^${timePart}$`);
const longTimeForm = /^-?\d{1,3}:[0-5]\d(:[0-5]\d(\.\d{1,6})?)?$/;
const timestampForm = new RegExp(`^${datePart}(?:[T ]${timePart}${zonePart})?$`, 'i');

/** `2024-02-29`; the time of a timestamp is dropped. */
export function dateText(given: string): string {
  const written = given.trim();
  if (timestampForm.test(written) && !dateForm.test(written)) return timestampText(written).slice(0, 10);
  const match = dateForm.exec(written);
  if (match === null) throw wrongMoment();
  checkDate(match[1], match[2], match[3]);
  return written;
}

/** `12:00`, `12:00:00.123456`; MySQL's own times go from -838 to 838 hours. */
export function timeText(given: string): string {
  const written = given.trim();
  if (!longTimeForm.test(written) && !timeForm.test(written)) throw wrongMoment();
  const hours = Math.abs(Number.parseInt(written, 10));
  if (hours > 838) throw momentOutOfRange();
  return written;
}

/**
 * `YYYY-MM-DD hh:mm:ss.ffffff` in UTC. The database silently drops an offset when it compares, and
 * refuses one when it inserts.
 *
 * timestampText('2024-02-29T12:00:00+02:00')    // '2024-02-29 10:00:00.000000'
 */
export function timestampText(given: string): string {
  const match = timestampForm.exec(given.trim());
  if (match === null) throw wrongMoment();
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone] = match;
  checkDate(year, month, day);
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) throw momentOutOfRange();
  const micros = fraction.padEnd(6, '0').slice(0, 6);
  const offset = offsetMinutes(zone);
  const local = `${year ?? ''}-${month ?? ''}-${day ?? ''} ${hour}:${minute}:${second}`;
  if (offset === 0) return `${local}.${micros}`;
  // A zero date is the same in every zone, and no other zone shows it.
  if (isZero(month) || isZero(day)) throw momentOutOfRange();
  const moment = new Date(Date.parse(`${local.replace(' ', 'T')}Z`) - offset * 60_000).toISOString();
  if (!/^\d{4}-/.test(moment)) throw momentOutOfRange();
  return `${moment.slice(0, 19).replace('T', ' ')}.${micros}`;
}

/** A month and a day may be zero, as in the database: `0000-00-00`, `2024-02-00`. */
function checkDate(year: string | undefined, month: string | undefined, day: string | undefined): void {
  const [y, m, d] = [Number(year), Number(month), Number(day)];
  const last = new Date(Date.UTC(2000, 0, 1));
  last.setUTCFullYear(y, m, 0);
  if (m > 12 || d > (m === 0 ? 31 : last.getUTCDate())) throw momentOutOfRange();
}

const isZero = (part: string | undefined): boolean => Number(part) === 0;

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const [, sign, hours, minutes = '0'] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone) ?? [];
  if (Number(hours) > 15 || Number(minutes) > 59) throw momentOutOfRange();
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
