import type { Column, Table } from '../../../catalog/catalog.js';
import { viewSources, type ViewQuery } from '../../view-sources.js';
import { tableKey } from './row.js';
import type { Definition, Equality } from './view-query.js';

/** A definition, and what the server says of its view. */
export interface ReadDefinition extends Definition {
  readonly isUpdatable: boolean;
  readonly isHidden: boolean;
}

/**
 * The tables and views, each view with the relations that its columns come from.
 * @param definitionOf the definition of a view; undefined for a table
 */
export function withViewSources(
  tables: readonly Table[],
  definitionOf: (view: Table) => ReadDefinition | undefined,
): readonly Table[] {
  const byKey = new Map(tables.map((table) => [tableKey(table.schema, table.name), table]));
  const columnsOf = ({ relation }: Definition['items'][number]): ReadonlyMap<string, Column> => {
    const table = relation === undefined ? undefined : byKey.get(tableKey(relation.schema, relation.name));
    return new Map(table?.columns.map((column) => [column.name, column]));
  };
  const sourcesOf = viewSources(tables, (view) => {
    const definition = definitionOf(view);
    return definition === undefined ? undefined : queryOf(definition, columnsOf, definition.isUpdatable);
  });
  return tables.map((table) => {
    const sources = sourcesOf(table);
    const definition = definitionOf(table);
    const unread = definition?.isUnderstood === false && (definition.isHidden ? 'hidden' : 'unknown');
    return { ...table, ...(sources.length > 0 && { sources }), ...(unread && { unread }) };
  });
}

function queryOf(
  { items, columns, groups, mayAggregate }: Definition,
  columnsOf: (item: Definition['items'][number]) => ReadonlyMap<string, Column>,
  isUpdatable: boolean,
): ViewQuery {
  const known = items.map(columnsOf);
  const determines = (at: number, { column, other }: Equality): boolean => {
    const comparison = comparisonOf(known[at]?.get(column));
    const its = 'constant' in other ? other.constant : comparisonOf(known[other.item]?.get(other.column));
    return comparison !== undefined && (comparison === its || (its === 'text' && comparison.startsWith('text ')));
  };
  return {
    from: new Map(
      items.map(({ relation, nullable, isModified, equalities }, at) => [
        at,
        {
          relation: isModified ? undefined : relation,
          nullable,
          equalities: equalities
            .filter((each) => determines(at, each))
            .map(({ column, other }) => ({ column, other: 'constant' in other ? undefined : other.item })),
        },
      ]),
    ),
    columns,
    reshapesRows: groups || (mayAggregate && !isUpdatable),
  };
}

const integers = new Set(['tinyint', 'smallint', 'mediumint', 'int', 'bigint']);
const texts = new Set(['char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext']);
const others = new Set([
  'decimal',
  'date',
  'datetime',
  'time',
  'year',
  'uuid',
  'inet4',
  'inet6',
  'binary',
  'varbinary',
]);

/**
 * How a column is compared; undefined if unequal values may be equal to one value of the same kind.
 * Between kinds MariaDB converts values: the texts `1` and `01` are both equal to the number 1, and
 * a text of another collation may be equal to two values of a unique column.
 * Source: MariaDB manual, "Type Conversion"
 */
function comparisonOf(column: Column | undefined): string | undefined {
  if (column?.type.kind !== 'base') return undefined;
  const [family = ''] = column.type.name.split(' ');
  if (integers.has(family)) return 'integer';
  if (texts.has(family)) return column.type.collation === undefined ? undefined : `text ${column.type.collation}`;
  return others.has(family) ? family : undefined;
}
