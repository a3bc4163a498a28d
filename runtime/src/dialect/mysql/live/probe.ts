import type { CatalogQueries, CatalogQuery } from '../catalog/queries.js';

/**
 * A statement whose one value changes with everything that the catalogue is read from, and with
 * nothing else. MariaDB does not keep the time of a change exactly enough: `create_time` counts
 * seconds, so that the second of two changes would be missed.
 */
export const probeText = (queries: CatalogQueries): string =>
  `select md5(concat_ws(',', ${Object.values(queries).map(digest).join(', ')}))`;

/** Privileges are read, and do not affect the served API. */
const unserved: ReadonlySet<string> = new Set(['privileges']);

/**
 * The number of rows, and the hashes of all rows added up bit by bit: the order in which they come
 * does not matter.
 */
function digest({ columns, from, orderBy }: CatalogQuery): string {
  const served = Object.entries(columns).filter(([name]) => !unserved.has(name));
  const values = [...served.map(([, expression]) => expression), ...(orderBy === undefined ? [] : [orderBy])];
  const row = `concat_ws(char(0), ${values.map((value) => `coalesce(${value}, char(1))`).join(', ')})`;
  const hash = `cast(conv(left(md5(${row}), 16), 16, 10) as unsigned)`;
  return `(select concat(count(*), ':', bit_xor(${hash})) from ${from})`;
}
