import { sql } from 'kysely';
import { isRaised, raised } from '../failures/raised.js';
import type { Fragment } from '../sql.js';

/** A geometry as text, with its reference system where it has one: `SRID=4326;POINT(1 2)`. */
export const shownGeometry = (value: Fragment): Fragment =>
  sql`concat(if(st_srid(${value}) = 0, '', concat('SRID=', st_srid(${value}), ';')), st_astext(${value}))`;

/**
 * The form in which a geometry is sent: the number of its reference system, and its text.
 *
 *     geometryText('SRID=4326;POINT(1 2)')    // '4326;POINT(1 2)'
 */
export function geometryText(given: string): string {
  const [, srid = '0', text = given] = /^\s*srid=(\d{1,10});([^]*)$/i.exec(given) ?? [];
  return `${srid};${text}`;
}

export function textOfGeometry(sent: string): string {
  const at = sent.indexOf(';');
  return sent.startsWith('0;') ? sent.slice(at + 1) : `SRID=${sent}`;
}

/** The geometry of a sent text: of a malformed one the database makes NULL, without an error. */
export function geometry(text: Fragment): Fragment {
  const made = sql`st_geomfromtext(substring_index(${text}, ';', -1), cast(substring_index(${text}, ';', 1) as unsigned))`;
  return sql`coalesce(${made}, st_geomfromtext(if(${text} is null, null, cast(${raised(malformed)} as char))))`;
}

const malformed = 'tablewright_geometry';

export const isGeometryError = (number: number, message: string): boolean => isRaised(malformed, number, message);
