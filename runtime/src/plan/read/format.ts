import type { Table } from '../../descriptor/registry.js';
import { codes, ServerError } from '../../errors.js';
import type { PlanContext } from '../context.js';
import type { RowsForm } from '../intent.js';
import { hiddenColumn } from '../refuse.js';
import type { RowsFormat } from './plan.js';

/**
 * The form of the rows of a table. Throws ServerError 406 where it has none of its rows, and 403
 * for an aggregate over whole rows of which a column is hidden.
 * Source: https://postgis.net/docs/ST_AsGeoJSON.html
 */
export function planFormat(
  form: RowsForm,
  table: Table,
  { rowFilter, dialect }: Pick<PlanContext, 'rowFilter' | 'dialect'>,
): RowsFormat {
  if (typeof form === 'object') {
    if (form.takesAny === true) return { handler: form };
    const [hidden] = rowFilter?.hidden(table) ?? [];
    if (hidden !== undefined) throw hiddenColumn(hidden, table);
    return { handler: form, of: { schema: table.schema, name: table.name } };
  }
  if (form !== 'geojson') return form;
  const geometry = table.columns.find(({ type }) => dialect.capabilities.isGeometry(type.sql));
  if (geometry === undefined) {
    throw new ServerError(
      406,
      codes.notAcceptable,
      `"${table.name}" has no GeoJSON: none of its columns is a geometry.`,
      {
        hint: 'Accept application/json.',
      },
    );
  }
  const { schema } = geometry.type.sql;
  // An extension has its types and its functions in one schema.
  return { geojson: schema === undefined ? undefined : { schema, name: 'st_asgeojson' } };
}

/** The first line of CSV, and all of it where there are no rows. Source: RFC 4180, section 2. */
export const csvHeader = (select: readonly { readonly as: string }[]): string =>
  select.map(({ as }) => (/[",\r\n]/.test(as) || as === '' ? `"${as.replaceAll('"', '""')}"` : as)).join(',');

/** GeoJSON of no rows. */
export const noFeatures = '{"type" : "FeatureCollection", "features" : []}';
