import type { ColumnDescriptor, RelationDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { mayLack } from '../descriptor/may-lack.js';
import { isBareJunction, isNamed } from '../descriptor/nesting.js';
import { fieldOf } from '../descriptor/registry.js';
import { argumentTexts } from './descriptions.js';
import {
  described,
  input,
  list,
  optional,
  optionalList,
  required,
  type EnumShape,
  type FieldShape,
  type TypeShape,
} from './type-shape.js';
import { nestedFields, nestedTexts } from './nested-shape.js';
import { canCreate, columnField, isInsertable, isUpdatable, writtenColumns } from './writable.js';
import { mergeKeys, rowKeyOf } from '../descriptor/unique-keys.js';

/** The table of this field; undefined: GraphQL has none. */
export type FindTable = (field: string) => TableDescriptor | undefined;

/**
 * The types of mutations' arguments: `KanbanIssuesCreateInput`, `KanbanIssuesOnConflictInput`, …
 * Source: decision 005.
 */
export interface WriteShape {
  readonly types: readonly TypeShape[];
  readonly enums: readonly EnumShape[];
}

/**
 * The inputs of `create<T>` and `createMany<T>`. A column is required unless it may be null, has a
 * default, or belongs to a foreign key that a nested or an enclosing row may fill.
 */
export function createShape(table: TableDescriptor, find: FindTable): WriteShape {
  const { type, name } = table;
  const conflict = conflictArguments(table);
  const inside = (many: boolean): TypeShape =>
    input(
      `${type}NestedCreate${many ? 'Many' : ''}Input`,
      many ? `New rows of ${name}, given inside another row.` : `A new row of ${name}, given inside another row.`,
      () => insideFields(table, many, conflict),
    );
  return {
    types: [
      input(`${type}CreateInput`, `A new row of ${name}.`, () => createFields(table, find)),
      inside(false),
      inside(true),
      ...conflictTypes(table),
    ],
    enums: conflictEnums(table),
  };
}

/**
 * The fields of a nested create. A row without a key cannot be identified, so only new rows are
 * possible.
 */
function insideFields(table: TableDescriptor, many: boolean, conflict: readonly FieldShape[]): readonly FieldShape[] {
  const { type } = table;
  if (!isNamed(table))
    return [many ? list('data', `${type}CreateInput`) : required('data', `${type}CreateInput`), ...conflict];
  const field = many ? optionalList : optional;
  return [
    described(field('data', `${type}CreateInput`), many ? nestedTexts.newRows : nestedTexts.newRow),
    ...conflict,
    described(field('connect', `${type}KeyInput`), many ? nestedTexts.connectMany : nestedTexts.connect),
    described(field('connectOrCreate', `${type}ConnectOrCreateInput`), nestedTexts.connectOrCreate),
  ];
}

function createFields(table: TableDescriptor, find: FindTable): readonly FieldShape[] {
  const within = nestedRelations(table, find);
  const filled = new Set(within.flatMap(({ relation }) => (relation.direction === 'forward' ? relation.columns : [])));
  return [
    ...writtenColumns(table)
      .filter(isInsertable)
      .map((column) => createField(column, filled)),
    ...within.map(({ relation: { name, cardinality }, other }) =>
      optional(name, `${other.type}NestedCreate${cardinality === 'many' ? 'Many' : ''}Input`),
    ),
  ];
}

interface NestedRelation {
  readonly relation: RelationDescriptor;
  readonly other: TableDescriptor;
}

/**
 * The relations through which a new row may contain others. A relation through a junction table
 * also writes rows of the junction table. Views have none: foreign keys belong to the table behind
 * a view.
 */
function nestedRelations({ kind, relations = [] }: TableDescriptor, find: FindTable): readonly NestedRelation[] {
  if (kind !== 'table') return [];
  const creatable = (field: string): TableDescriptor | undefined => {
    const other = find(field);
    return other?.kind === 'table' && canCreate(other) ? other : undefined;
  };
  return relations.flatMap((relation) => {
    const other = creatable(relation.table);
    const { through } = relation;
    if (relation.function !== undefined || other === undefined) return [];
    const junction = through === undefined ? undefined : creatable(through.table);
    if (through !== undefined && (junction === undefined || !isBareJunction(junction, through))) return [];
    return [{ relation, other }];
  });
}

/** The inputs of `update<T>`. */
export function updateShape(table: TableDescriptor, find: FindTable): WriteShape {
  const { type, name } = table;
  const columns = writtenColumns(table).filter(isUpdatable);
  const numbers = numbersOf(table);
  return {
    types: [
      input(`${type}UpdateInput`, `New values of columns of ${name}.`, () => [
        ...columns.map(columnField),
        ...nestedFields(table, find),
      ]),
      ...(numbers.length === 0
        ? []
        : [
            input(`${type}IncInput`, 'Numbers to add to columns; a negative number subtracts.', () =>
              numbers.map(columnField),
            ),
          ]),
    ],
    enums: [],
  };
}

/** Arguments of `create<T>`. */
export function createArguments(table: TableDescriptor): readonly FieldShape[] {
  return [described(required('input', `${table.type}CreateInput`), argumentTexts.newRow), ...conflictArguments(table)];
}

/** Arguments of `createMany<T>`. */
export function createManyArguments(table: TableDescriptor): readonly FieldShape[] {
  return [described(list('inputs', `${table.type}CreateInput`), argumentTexts.newRows), ...conflictArguments(table)];
}

/** Arguments of `update<T>`. */
export function updateArguments(table: TableDescriptor): readonly FieldShape[] {
  const { type } = table;
  return [
    ...rowArguments(table),
    described(required('input', `${type}UpdateInput`), argumentTexts.newValues),
    ...(numbersOf(table).length > 0 ? [described(optional('inc', `${type}IncInput`), argumentTexts.inc)] : []),
    described(optional('atMost', 'Int'), argumentTexts.atMost),
  ];
}

/** Arguments of `delete<T>`. */
export function deleteArguments(table: TableDescriptor): readonly FieldShape[] {
  return [...rowArguments(table), described(optional('atMost', 'Int'), argumentTexts.atMost)];
}

/** The arguments that select rows. `id` exists for a primary key of one column. */
function rowArguments(table: TableDescriptor): readonly FieldShape[] {
  const where = described(optional('where', `${table.type}WhereInput`), argumentTexts.written);
  const [first, ...more] = rowKeyOf(table) ?? [];
  const key = more.length > 0 ? undefined : table.columns.find(({ name }) => name === first);
  return key === undefined ? [where] : [where, { ...columnField(key), name: 'id', description: argumentTexts.id }];
}

function conflictArguments(table: TableDescriptor): readonly FieldShape[] {
  return constraintsOf(table).length > 0
    ? [described(optional('onConflict', `${table.type}OnConflictInput`), argumentTexts.onConflict)]
    : [];
}

const countable: ReadonlySet<ColumnDescriptor['type']['kind']> = new Set([
  'int',
  'bigint',
  'numeric',
  'float',
  'money',
]);

function createField(column: ColumnDescriptor, filled: ReadonlySet<string>): FieldShape {
  const nullable = mayLack(column) || filled.has(column.name);
  return { ...columnField(column), nullable };
}

/** Whether the table has a key for `onConflict`. */
export const hasConstraints = (table: TableDescriptor): boolean => constraintsOf(table).length > 0;

/** Whether the table has a column for `inc`. */
export const hasNumbers = (table: TableDescriptor): boolean => numbersOf(table).length > 0;

const numbersOf = (table: TableDescriptor): readonly ColumnDescriptor[] =>
  table.columns.filter((column) => isUpdatable(column) && countable.has(column.type.kind));

function constraintsOf(table: TableDescriptor): readonly string[] {
  return table.columns.some(isUpdatable) ? mergeKeys(table).map(({ name, field }) => field ?? name) : [];
}

/** `update_columns` is another spelling of `updateColumns`. */
function conflictTypes(table: TableDescriptor): readonly TypeShape[] {
  const { type } = table;
  if (constraintsOf(table).length === 0) return [];
  return [
    input(`${type}OnConflictInput`, 'The treatment of a new row whose key exists already.', () => [
      described(required('constraint', `${type}Constraint`), 'The key by which a row counts as the same.'),
      described(optionalList('updateColumns', `${type}UpdateColumn`), 'Columns to update; absent: all that are given.'),
      described(optionalList('update_columns', `${type}UpdateColumn`), 'Another spelling of `updateColumns`.'),
      described(optional('where', `${type}WhereInput`), 'Update only rows that match; the others stay as they are.'),
    ]),
  ];
}

function conflictEnums(table: TableDescriptor): readonly EnumShape[] {
  const { type, name } = table;
  const constraints = constraintsOf(table);
  if (constraints.length === 0) return [];
  return [
    { name: `${type}Constraint`, description: `Unique keys of ${name}.`, values: constraints },
    {
      name: `${type}UpdateColumn`,
      description: `Columns of ${name} that can be written.`,
      values: table.columns.filter(isUpdatable).map(fieldOf),
    },
  ];
}
