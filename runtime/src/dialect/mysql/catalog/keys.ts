import type {
  ConstraintComment,
  ForeignKey,
  Index,
  Key,
  ReferentialAction,
  UniqueKey,
} from '../../../catalog/catalog.js';
import { compareText } from '../../../compare-text.js';
import { commentOf, grouped, nullableText, textOf, type Row } from './row.js';

export interface Keys {
  readonly primaryKey: Key | null;
  readonly uniques: readonly UniqueKey[];
  readonly indexes: readonly Index[];
  readonly constraintComments: readonly ConstraintComment[];
}

const primary = 'PRIMARY';

/**
 * The keys of a table, from the rows of its indexes in the order of their columns. An index on a
 * prefix of a column is no unique key, because whole values may repeat.
 */
export function keysOf(rows: readonly Row[]): Keys {
  const groups = [...grouped(rows, (row) => textOf(row, 'name'))].sort(([a], [b]) => compareText(a, b));
  const whole = groups.filter(([, parts]) => isUnique(parts) && parts.every(isWhole));
  const key = whole.find(([name]) => name === primary);
  return {
    primaryKey: key === undefined ? null : { name: primary, columns: columnsOf(key[1]) },
    uniques: whole
      .filter(([name]) => name !== primary)
      .map(([name, parts]) => ({ name, columns: columnsOf(parts), nullsNotDistinct: false, deferrable: false })),
    indexes: groups.map(([name, parts]) => indexOf(name, parts)),
    constraintComments: whole.flatMap(([constraint, parts]) => {
      const comment = parts[0] === undefined ? null : commentOf(parts[0]);
      return comment === null ? [] : [{ constraint, comment }];
    }),
  };
}

/**
 * The columns that an index for full-text search covers alone. MATCH names exactly the columns of
 * an index.
 */
export const searchableColumns = ({ indexes }: Pick<Keys, 'indexes'>): ReadonlySet<string> =>
  new Set(
    indexes.flatMap(({ method, keys: [first, ...others] }) =>
      method === 'fulltext' && others.length === 0 ? (first?.column ?? []) : [],
    ),
  );

/** The foreign keys of a table, from the rows of their columns, in order. */
export const foreignKeysOf = (rows: readonly Row[]): readonly ForeignKey[] =>
  [...grouped(rows, (row) => textOf(row, 'name'))]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([name, parts]) => {
      const [first] = parts;
      if (first === undefined) return [];
      return [
        {
          name,
          columns: columnsOf(parts),
          references: {
            schema: textOf(first, 'target_schema'),
            name: textOf(first, 'target_table'),
            columns: parts.map((part) => textOf(part, 'target_column')),
          },
          onUpdate: actionOf(nullableText(first, 'on_update')),
          onDelete: actionOf(nullableText(first, 'on_delete')),
          deferrable: false,
        },
      ];
    });

function indexOf(name: string, parts: readonly Row[]): Index {
  return {
    name,
    method: textOf(parts[0] ?? {}, 'method').toLowerCase(),
    unique: isUnique(parts),
    keys: parts.map((part) =>
      isWhole(part)
        ? { column: textOf(part, 'column'), expression: null }
        : { column: null, expression: nullableText(part, 'expression') ?? prefixOf(part) },
    ),
    include: [],
    predicate: null,
  };
}

const prefixOf = (part: Row): string => `left(\`${textOf(part, 'column')}\`, ${textOf(part, 'prefix')})`;

const isUnique = (parts: readonly Row[]): boolean => parts.every((part) => textOf(part, 'non_unique') === '0');

const isWhole = (part: Row): boolean => nullableText(part, 'prefix') === null && nullableText(part, 'column') !== null;

const columnsOf = (parts: readonly Row[]): readonly string[] => parts.map((part) => textOf(part, 'column'));

const actions: ReadonlyMap<string, ReferentialAction> = new Map([
  ['RESTRICT', 'restrict'],
  ['CASCADE', 'cascade'],
  ['SET NULL', 'setNull'],
  ['SET DEFAULT', 'setDefault'],
]);

/**
 * MariaDB shows the action only to users with a privilege besides SELECT, some on the schema. NO
 * ACTION, which the others get, is what a foreign key does that names no action.
 */
const actionOf = (rule: string | null): ReferentialAction => actions.get(rule ?? '') ?? 'noAction';
