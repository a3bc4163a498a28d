import type { SqlType } from '../../../descriptor/descriptor.js';
import { malformed } from '../../malformed.js';
import { scalarText } from '../../sql/encode.js';
import { isGeoJson, readGeoJson } from '../../sql/geojson.js';

/** The types of PostGIS. PostgreSQL's own `point` and `polygon` have no GeoJSON. */
export const isGeometry = ({ schema, name }: SqlType): boolean =>
  schema !== undefined && (name === 'geometry' || name === 'geography');

/**
 * A geometry in GeoJSON as its well-known text, which both types of PostGIS read. Without `crs` it
 * gets the reference system of its column.
 */
export function geometryText(value: unknown): string {
  if (!isGeoJson(value)) return scalarText(value);
  const { text, srid } = readGeoJson(value, 3, notGeoJson);
  return srid === undefined ? text : `SRID=${String(srid)};${text}`;
}

const notGeoJson = (): Error => malformed('The value is not a geometry in GeoJSON.', 'See RFC 7946, 3.1.');
