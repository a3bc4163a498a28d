import type { QualifiedName } from '@tablewright/runtime/model';
import { quoted, quotedPath } from '../quote.js';
import type { Subject } from '../subject.js';

const largest: Readonly<Record<string, bigint>> = {
  smallint: 32_767n,
  integer: 2_147_483_647n,
  bigint: 9_223_372_036_854_775_807n,
};

/** The largest value of an integer type; undefined of others. */
export const largestOf = (type: string): bigint | undefined => largest[type];

/** How many percent of the numbers up to `end` are used. */
export const share = (last: string, end: string): number => Number((BigInt(last) * 10_000n) / BigInt(end)) / 100;

/** Makes a key bigint, and with it the columns that reference it. */
export function widerKey(
  { catalog }: Subject,
  table: QualifiedName,
  column: string,
): { readonly sql: readonly string[]; readonly note: string } {
  const referencing = catalog.tables.flatMap((child) =>
    child.foreignKeys.flatMap(({ columns, references }) =>
      references.schema === table.schema && references.name === table.name
        ? columns.filter((_, at) => references.columns[at] === column).map((name) => ({ child, name }))
        : [],
    ),
  );
  const narrow = referencing.filter(
    ({ child, name }) => child.columns.find((each) => each.name === name)?.type.name !== 'int8',
  );
  return {
    sql: [
      `alter table ${quotedPath(table)} alter column ${quoted(column)} type bigint;`,
      ...narrow.map(({ child, name }) => `alter table ${quotedPath(child)} alter column ${quoted(name)} type bigint;`),
    ],
    note: 'It rewrites the tables and locks them meanwhile: plan a pause. Views and policies of the columns have to be dropped and created again. int8 is a string over GraphQL.',
  };
}
