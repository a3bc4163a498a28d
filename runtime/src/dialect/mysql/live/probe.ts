import type { CatalogQueries, CatalogQuery } from '../catalog/queries.js';

/**
 * A statement whose one value changes exactly when the catalogue changes. MariaDB's time of a
 * change is too coarse: `create_time` has seconds, so that the second of two changes would be
 * missed.
 */
export const probeText = (queries: CatalogQueries): string =>
  `select md5(concat_ws(',', ${Object.values(queries).map(digest).join(', ')}))`;

/** Privileges are read, but do not affect the served API. */
const unserved: ReadonlySet<string> = new Set(['privileges']);

/**
 * The number of rows, and the sum of the hashes of all rows, so that their order does not matter.
 */
function digest({ columns, from, orderBy }: CatalogQuery): string {
  const served = Object.entries(columns).filter(([name]) => !unserved.has(name));
  const values = [...served.map(([, expression]) => expression), ...(orderBy === undefined ? [] : [orderBy])];
  const row = `concat_ws(char(0), ${values.map((value) => `coalesce(${value}, char(1))`).join(', ')})`;
  const hash = `cast(conv(left(md5(${row}), 16), 16, 10) as unsigned)`;
  return `(select concat(count(*), ':', bit_xor(${hash})) from ${from})`;
}
