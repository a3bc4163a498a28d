import type { ColumnDescriptor, TableDescriptor } from '../descriptor.js';
import { fieldOf } from '../registry.js';
import type { FieldShape, TypeShape } from './aggregate-shape.js';
import { innermost, inputType } from './graphql-type.js';

/** The relations that rows may be given through inside a new row, each with the GraphQL type of the other table. */
export type NestedRelations = Readonly<Record<string, string>>;

export interface EnumShape {
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
}

/** The types of mutations' arguments. Names: `KanbanIssuesCreateInput`, `KanbanIssuesOnConflictInput`, … Source: decisions 5. */
export interface WriteShape {
  readonly types: readonly TypeShape[];
  readonly enums: readonly EnumShape[];
}

/** Whether GraphQL can insert rows: an input needs a field. */
export const canCreate = (table: TableDescriptor): boolean =>
  table.insertable === true && table.columns.some(isWritable);

/** Whether GraphQL can update rows. */
export const canUpdate = (table: TableDescriptor): boolean =>
  table.updatable === true && table.columns.some(isWritable);

export const canDelete = (table: TableDescriptor): boolean => table.deletable === true;

/**
 * What `create<T>` and `createMany<T>` take. A column is required unless it may be null, has a default, or is part of a foreign key that a
 * row inside this one, or the row around it, may fill.
 */
export function createShape(table: TableDescriptor, nested: NestedRelations): WriteShape {
  const { type, name, relations = [] } = table;
  const within = relations.filter((relation) => Object.hasOwn(nested, relation.name));
  const filled = new Set(
    within.filter(({ direction }) => direction === 'forward').flatMap((relation) => relation.columns),
  );
  const conflict = constraintsOf(table).length > 0 ? [optional('onConflict', `${type}OnConflictInput`)] : [];
  const inside = (many: boolean): TypeShape =>
    input(
      `${type}NestedCreate${many ? 'Many' : ''}Input`,
      many ? `New rows of ${name}, given inside another row.` : `A new row of ${name}, given inside another row.`,
      [many ? list('data', `${type}CreateInput`) : required('data', `${type}CreateInput`), ...conflict],
    );
  return {
    types: [
      input(`${type}CreateInput`, `A new row of ${name}.`, [
        ...table.columns.filter(isWritable).map((column) => createField(column, filled)),
        ...within.map((relation) =>
          optional(
            relation.name,
            `${nested[relation.name] ?? ''}NestedCreate${relation.cardinality === 'many' ? 'Many' : ''}Input`,
          ),
        ),
      ]),
      inside(false),
      inside(true),
      ...conflictTypes(table),
    ],
    enums: conflictEnums(table),
  };
}

/** What `update<T>` takes. */
export function updateShape(table: TableDescriptor): WriteShape {
  const { type, name } = table;
  const columns = table.columns.filter(isWritable);
  const numbers = numbersOf(table);
  return {
    types: [
      input(`${type}UpdateInput`, `New values of columns of ${name}.`, columns.map(columnField)),
      ...(numbers.length === 0
        ? []
        : [input(`${type}IncInput`, 'What to add to numbers; less than zero subtracts.', numbers.map(columnField))]),
    ],
    enums: [],
  };
}

/** Generated columns are the database's own; so are text search documents, which no client writes by hand. */
function isWritable({ readOnly, type }: ColumnDescriptor): boolean {
  return readOnly !== true && innermost(type).kind !== 'tsvector';
}

const countable: ReadonlySet<ColumnDescriptor['type']['kind']> = new Set([
  'int',
  'bigint',
  'numeric',
  'float',
  'money',
]);

function createField(column: ColumnDescriptor, filled: ReadonlySet<string>): FieldShape {
  const nullable = column.nullable === true || column.hasDefault === true || filled.has(column.name);
  return { ...columnField(column), nullable };
}

function columnField(column: ColumnDescriptor): FieldShape {
  const { name, depth } = inputType(column.type);
  return { name: fieldOf(column), type: name, depth, nullable: true, nullableItems: true };
}

/** Whether `onConflict` has a key to name. */
export const hasConstraints = (table: TableDescriptor): boolean => constraintsOf(table).length > 0;

/** Whether there is a number to add to. */
export const hasNumbers = (table: TableDescriptor): boolean => numbersOf(table).length > 0;

const numbersOf = (table: TableDescriptor): readonly ColumnDescriptor[] =>
  table.columns.filter((column) => isWritable(column) && countable.has(column.type.kind));

function constraintsOf({ primaryKey, uniques = [] }: TableDescriptor): readonly string[] {
  return [...(primaryKey === undefined ? [] : [primaryKey]), ...uniques].map(({ name, field }) => field ?? name);
}

/** `update_columns` is another spelling of `updateColumns`. */
function conflictTypes(table: TableDescriptor): readonly TypeShape[] {
  const { type } = table;
  if (constraintsOf(table).length === 0) return [];
  return [
    input(`${type}OnConflictInput`, 'What happens to a new row when there is one with the same key already.', [
      required('constraint', `${type}Constraint`),
      { ...list('updateColumns', `${type}UpdateColumn`), nullable: true },
      { ...list('update_columns', `${type}UpdateColumn`), nullable: true },
      optional('where', `${type}WhereInput`),
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
      values: table.columns.filter(isWritable).map(fieldOf),
    },
  ];
}

function required(name: string, type: string): FieldShape {
  return { name, type, depth: 0, nullable: false, nullableItems: false };
}

function optional(name: string, type: string): FieldShape {
  return { ...required(name, type), nullable: true };
}

function list(name: string, type: string): FieldShape {
  return { ...required(name, type), depth: 1 };
}

function input(name: string, description: string, fields: readonly FieldShape[]): TypeShape {
  return { kind: 'input', name, description, fields };
}
