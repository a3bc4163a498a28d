import { sql } from 'kysely';
import { isRaised, raised } from '../failures/raised.js';
import { scalarText } from '../../sql/encode.js';
import type { Fragment } from '../sql.js';
import { isGeoJson, readGeoJson } from '../../sql/geojson.js';
import { wrongForm } from './invalid.js';

/** A geometry as text, with its reference system where it has one: `SRID=4326;POINT(1 2)`. */
export const shownGeometry = (value: Fragment): Fragment =>
  sql`concat(if(st_srid(${value}) = 0, '', concat('SRID=', st_srid(${value}), ';')), st_astext(${value}))`;

/**
 * A geometry in GeoJSON. `crs` names its reference system, where it has one, as PostGIS does.
 * Source: https://mariadb.com/kb/en/st_asgeojson/; https://postgis.net/docs/ST_AsGeoJSON.html
 */
export function geojsonOf(value: Fragment): Fragment {
  const name = sql`json_object('name', concat('EPSG:', st_srid(${value})))`;
  const crs = sql`json_object('type', 'name', 'properties', ${name})`;
  const json = sql`st_asgeojson(${value})`;
  return sql`if(st_srid(${value}) = 0, ${json}, json_insert(${json}, '$.crs', ${crs}))`;
}

/**
 * The form in which a geometry is sent: the number of its reference system, and its text. GeoJSON
 * that names no system has no number: it keeps that of the value that it replaces.
 *
 *     geometryText('SRID=4326;POINT(1 2)')                        // '4326;POINT(1 2)'
 *     geometryText({ type: 'Point', coordinates: [1, 2] })        // ';POINT(1 2)'
 */
export function geometryText(value: unknown): string {
  if (isGeoJson(value)) {
    const { text, srid } = readGeoJson(value, 2, wrongForm);
    return `${String(srid ?? '')};${text}`;
  }
  const given = scalarText(value);
  const [, srid = '0', text = given] = /^\s*srid=(\d{1,10});([^]*)$/i.exec(given) ?? [];
  return `${srid};${text}`;
}

export function textOfGeometry(sent: string): string {
  const at = sent.indexOf(';');
  if (at === 0) return sent.slice(1);
  return sent.startsWith('0;') ? sent.slice(at + 1) : `SRID=${sent}`;
}

/**
 * The geometry of a sent text: of a malformed one the database makes NULL, without an error.
 * @param replaced the value whose reference system is kept where the text names none
 */
export function geometry(text: Fragment, replaced?: Fragment): Fragment {
  const kept = replaced === undefined ? sql`0` : sql`coalesce(st_srid(${replaced}), 0)`;
  const srid = sql`if(left(${text}, 1) = ';', ${kept}, cast(substring_index(${text}, ';', 1) as unsigned))`;
  const made = sql`st_geomfromtext(substring_index(${text}, ';', -1), ${srid})`;
  return sql`coalesce(${made}, st_geomfromtext(if(${text} is null, null, cast(${raised(malformed)} as char))))`;
}

const malformed = 'tablewright_geometry';

export const isGeometryError = (number: number, message: string): boolean => isRaised(malformed, number, message);
