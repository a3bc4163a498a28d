import { sql } from 'kysely';
import type { TableName } from '../../../plan/read/plan.js';
import { unsupported } from '../../../plan/refuse.js';
import type { Rows } from './object.js';
import { table, type Fragment } from '../sql.js';

/**
 * Rows as a GeoJSON FeatureCollection: the first geometry of a row is that of its feature, and the
 * other values are its properties.
 * @param writer the function of PostGIS that writes a feature
 */
export function geojsonOf(rows: Rows, writer: TableName | undefined): Fragment {
  if (writer === undefined) throw new TypeError('An extension writes GeoJSON.');
  if (rows.json) throw unsupported('GeoJSON takes no aliases of more than 63 bytes.');
  const features = sql`coalesce(json_agg(${table(writer)}(${rows.row})::json), '[]')`;
  return sql`json_build_object('type', 'FeatureCollection', 'features', ${features})`;
}
