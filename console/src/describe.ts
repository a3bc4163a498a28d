import {
  fieldOf,
  restNameOf,
  rootFields,
  type Catalog,
  type CatalogTable as TableFacts,
  type ColumnDescriptor,
  type ColumnType,
  type Index,
  type Registry,
  type RelationDescriptor,
  type Routine,
  type Table,
} from '@tablewright/runtime/console';
import { keyOf, type DiagramReference } from './diagram/diagram.js';
import type {
  ConsoleColumn,
  ConsoleFacts,
  ConsoleFunction,
  ConsoleModel,
  ConsoleRelation,
  ConsoleTable,
} from './console-model.js';

/** The catalogue of the served objects, by name. */
interface Facts {
  readonly schemas: ReadonlyMap<string, string | null>;
  readonly tables: ReadonlyMap<string, TableFacts>;
  readonly routines: ReadonlyMap<string, Routine>;
}

/** The served tables and functions, with their facts from the catalogue. */
export function describe(
  registry: Registry,
  catalog: Catalog | undefined,
): Pick<ConsoleModel, 'schemas' | 'tables' | 'functions'> {
  const facts: Facts = {
    schemas: new Map(catalog?.schemas.map(({ name, comment }) => [name, comment])),
    tables: new Map(catalog?.tables.map((table) => [keyOf(table), table])),
    routines: new Map(catalog?.routines.map((routine) => [keyOf(routine), routine])),
  };
  return {
    schemas: [...registry.schemas.keys()].map((name) => ({ name, comment: facts.schemas.get(name) ?? null })),
    tables: registry.tables.map((table) => describeTable(table, registry, facts.tables.get(keyOf(table)))),
    functions: describeFunctions(registry, facts),
  };
}

function describeTable(table: Table, registry: Registry, facts: TableFacts | undefined): ConsoleTable {
  const { field, schema, name, kind, insertable, updatable, deletable } = table;
  const { byPk, aggregate, create, changes } = rootFields(table);
  const columns = new Map(facts?.columns.map((column) => [column.name, column]));
  return {
    field,
    fields: { byPk, aggregate, create, changes },
    schema,
    name,
    kind,
    comment: facts?.comment ?? null,
    columns: table.columns.map((column) => describeColumn(column, table, registry, columns.get(column.name))),
    primaryKey: table.primaryKey?.columns ?? table.rowKey ?? [],
    uniques: (table.uniques ?? []).map((unique) => ({ name: unique.name, columns: unique.columns })),
    relations: (table.relations ?? []).flatMap((relation) => describeRelation(relation, registry)),
    references: (table.relations ?? []).flatMap((relation) => describeReference(relation, table, registry, facts)),
    writes: [
      ...(insertable === true ? (['insert'] as const) : []),
      ...(updatable === true ? (['update'] as const) : []),
      ...(deletable === true ? (['delete'] as const) : []),
    ],
    ...(facts === undefined ? {} : { facts: describeFacts(facts) }),
  };
}

function describeColumn(
  column: ColumnDescriptor,
  table: Table,
  registry: Registry,
  facts: TableFacts['columns'][number] | undefined,
): ConsoleColumn {
  const { name, type, nullable, hasDefault, readOnly, insertOnly } = column;
  const values = type.enum === undefined ? undefined : registry.enums.get(type.enum)?.values;
  return {
    name,
    field: fieldOf(column),
    rest: restNameOf(table, name),
    type: facts?.type.formatted ?? typeText(type),
    kind: type.kind,
    ...(values === undefined
      ? {}
      : { values: values.map((value) => ({ label: value.label, name: value.name ?? value.label })) }),
    leaf: isLeaf(type),
    nullable: nullable === true,
    hasDefault: hasDefault === true,
    readOnly: readOnly === true,
    insertOnly: insertOnly === true,
    default: facts?.default ?? null,
    comment: facts?.comment ?? null,
  };
}

const typeText = ({ sql }: ColumnType): string => `${sql.name}${sql.array === true ? '[]' : ''}`;

const isLeaf = ({ kind, element }: Pick<ColumnType, 'kind' | 'element'>): boolean =>
  kind !== 'composite' && kind !== 'range' && (kind !== 'array' || element === undefined || isLeaf(element));

function describeRelation(relation: RelationDescriptor, registry: Registry): readonly ConsoleRelation[] {
  const { name, cardinality, table, constraint, columns, references } = relation;
  const direction = relation.function === undefined ? relation.direction : 'function';
  if (!registry.table.has(table)) return [];
  return [{ name, cardinality, table, constraint, columns, references, direction }];
}

/** The reference that a relation stands for, seen from the table that has it. */
function describeReference(
  { direction, table, constraint, columns, references, function: called }: RelationDescriptor,
  own: Table,
  registry: Registry,
  facts: TableFacts | undefined,
): readonly DiagramReference[] {
  const other = registry.table.get(table);
  if (other === undefined || direction !== 'forward' || called !== undefined) return [];
  const key = facts?.foreignKeys.find(({ name }) => name === constraint);
  const keys = [own.primaryKey, ...(own.uniques ?? [])].flatMap((each) => (each === undefined ? [] : [each.columns]));
  return [
    {
      name: constraint,
      from: { schema: own.schema, name: own.name, columns },
      to: { schema: other.schema, name: other.name, columns: references },
      single: keys.some((each) => each.every((column) => columns.includes(column))),
      optional: columns.some((column) => own.byName.get(column)?.nullable === true),
      onDelete: key?.onDelete ?? 'noAction',
      onUpdate: key?.onUpdate ?? 'noAction',
    },
  ];
}

const describeFacts = ({ indexes, checks, rowSecurity }: TableFacts): ConsoleFacts => ({
  indexes: indexes.map((index) => ({ name: index.name, text: indexText(index) })),
  checks,
  rowSecurity: rowSecurity.enabled ? (rowSecurity.forced ? 'forced' : 'on') : 'off',
  policies: rowSecurity.policies,
});

function indexText({ method, unique, keys, include, predicate }: Index): string {
  const list = keys.map(({ column, expression }) => column ?? expression ?? '').join(', ');
  return [
    ...(unique ? ['unique'] : []),
    `${method} (${list})`,
    ...(include.length === 0 ? [] : [`include (${include.join(', ')})`]),
    ...(predicate === null ? [] : [`where ${predicate}`]),
  ].join(' ');
}

function describeFunctions({ functions, procedures }: Registry, { routines }: Facts): readonly ConsoleFunction[] {
  const all = [
    ...[...functions.values()].map((each) => ({ ...each, kind: 'function' as const })),
    ...[...procedures.values()].map((each) => ({ ...each, operation: 'mutation' as const, table: undefined })),
  ];
  return all.map(({ field, schema, name, operation, kind, table, returnsSet, arguments: given }) => ({
    field,
    schema,
    name,
    operation,
    kind,
    arguments: given
      .filter(({ mode }) => mode !== 'out')
      .map((each) => ({
        name: each.name,
        field: each.field ?? each.name,
        kind: each.type.kind,
        optional: each.hasDefault === true,
      })),
    table: table ?? null,
    returnsSet: returnsSet === true,
    comment: routines.get(keyOf({ schema, name }))?.comment ?? null,
  }));
}
