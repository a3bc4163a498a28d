/**
 * The catalogue tables that determine the served API. Source: PostgreSQL manual, "System Catalogs".
 */
const catalogues = [
  'pg_namespace',
  'pg_class',
  'pg_attribute',
  'pg_attrdef',
  'pg_constraint',
  'pg_index',
  'pg_type',
  'pg_enum',
  'pg_range',
  'pg_proc',
  'pg_description',
  'pg_extension',
  'pg_trigger',
  'pg_rewrite',
  'pg_inherits',
  'pg_foreign_table',
];

/**
 * A text that depends on the number of rows in each catalogue table and on the transactions that
 * wrote them. It changes with every migration, and with other events, such as a temporary table.
 * `xmin` does not change when PostgreSQL freezes a row, and statistics are updated in place.
 */
export const probeQuery = `select md5(concat_ws(',', ${catalogues.map(partOf).join(', ')}))`;

function partOf(catalogue: string): string {
  return `(select count(*)::text || ':' || coalesce(sum(hashint8extended(xmin::text::bigint, 0)), 0)::text from pg_catalog.${catalogue})`;
}
