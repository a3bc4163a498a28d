import type { Column, Table as CatalogTable } from '../../../catalog/catalog.js';
import type { ColumnDescriptor } from '../../../descriptor/descriptor.js';
import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import { shownKeyOf } from '../../../descriptor/unique-keys.js';
import { defaultOf, ifAny, referenceTo, schemaOf, type Schema, type TypeContext } from './types.js';

/** A table as a role has it, and what the catalogue says of it. */
export interface DescribedTable {
  readonly table: Table;
  readonly facts: CatalogTable | undefined;
}

/** The paths, definitions and parameters of a table. Source: PostgREST, "OpenAPI". */
export interface TableParts {
  readonly path: Schema;
  readonly definition: Schema;
  readonly parameters: readonly (readonly [name: string, parameter: Schema])[];
}

/** @param tables those of the role, by field: whose keys are shown */
export function describeTable(described: DescribedTable, tables: Registry['table'], context: TypeContext): TableParts {
  const { table, facts } = described;
  const { name, columns, writeOnly = [] } = table;
  const describedColumn = (column: ColumnDescriptor) => ({
    column,
    name: restNameOf(table, column.name),
    facts: facts?.columns.find((each) => each.name === column.name),
  });
  const read = columns.map(describedColumn);
  const all = [...read, ...writeOnly.map(describedColumn)];
  const filterName = (column: string): string => `rowFilter.${name}.${column}`;
  return {
    path: operations(
      described,
      read.map((each) => filterName(each.name)),
    ),
    definition: {
      ...spoken(facts?.comment),
      ...ifAny(
        'required',
        all.filter(({ column }) => column.nullable !== true).map((each) => each.name),
      ),
      properties: Object.fromEntries(
        all.map((each) => [
          each.name,
          property(each.column, each.facts, notesOf(described, each.column, tables), context),
        ]),
      ),
      type: 'object',
    },
    parameters: [
      [
        `body.${name}`,
        { name, description: name, required: false, in: 'body', schema: referenceTo('definitions', name) },
      ],
      ...read.map((each): readonly [string, Schema] => [
        filterName(each.name),
        { name: each.name, ...spoken(each.facts?.comment), required: false, in: 'query', type: 'string' },
      ]),
    ],
  };
}

/** What every table's operations refer to, in PostgREST's order. */
export const readParameters = ['select', 'order', 'range', 'rangeUnit', 'offset', 'limit', 'preferCount'];

function operations({ table, facts }: DescribedTable, rowFilters: readonly string[]): Schema {
  const { name } = table;
  const common = { tags: [name], ...summed(facts?.comment) };
  const operation = (parameters: readonly string[], responses: Schema): Schema => ({
    ...common,
    parameters: parameters.map((each) => referenceTo('parameters', each)),
    responses,
  });
  const rows = { type: 'array', items: referenceTo('definitions', name) };
  const done = { 204: { description: 'No Content' } };
  const body = `body.${name}`;
  return {
    ...(table.columns.length > 0 && {
      get: operation([...rowFilters, ...readParameters], {
        200: { description: 'OK', schema: rows },
        206: { description: 'Partial Content' },
      }),
    }),
    ...(table.insertable && {
      post: operation([body, 'select', 'preferPost'], { 201: { description: 'Created' } }),
    }),
    ...(table.deletable && { delete: operation([...rowFilters, 'preferReturn'], done) }),
    ...(table.updatable && { patch: operation([...rowFilters, body, 'preferReturn'], done) }),
  };
}

function property(
  column: ColumnDescriptor,
  facts: Column | undefined,
  notes: readonly string[],
  context: TypeContext,
): Schema {
  const noted = notes.length === 0 ? [] : [['Note:', ...notes].join('\n')];
  const texts = [...(facts?.comment == null ? [] : [facts.comment]), ...noted];
  const value = facts?.generated === null ? defaultOf(column.type, facts.default, context) : undefined;
  return {
    ...ifAny('description', texts.join('\n\n')),
    ...(value === undefined ? {} : { default: value }),
    ...schemaOf(column.type, facts?.type, context),
  };
}

/** What tools that edit rows look for: the keys. */
function notesOf({ table }: DescribedTable, { name }: ColumnDescriptor, tables: Registry['table']): readonly string[] {
  const isKey = shownKeyOf(table)?.includes(name) === true;
  const others = [...(table.relations ?? []), ...(table.embedded ?? [])].flatMap((relation) => {
    const { direction, columns, references } = relation;
    const other = tables.get(relation.table);
    const [column, ...more] = direction === 'forward' ? references : [];
    const isIts = columns.length === 1 && columns[0] === name && more.length === 0;
    return other === undefined || column === undefined || !isIts ? [] : [{ other, column }];
  });
  const found = others.find(({ other }) => other.kind === 'table') ?? others[0];
  return [
    ...(isKey ? ['This is a Primary Key.<pk/>'] : []),
    ...(found === undefined ? [] : [foreignKeyNote(found.other.name, restNameOf(found.other, found.column))]),
  ];
}

const foreignKeyNote = (table: string, column: string): string =>
  `This is a Foreign Key to \`${table}.${column}\`.<fk table='${table}' column='${column}'/>`;

const spoken = (comment: string | null | undefined): Schema => ifAny('description', comment ?? '');

/** The first line of a comment is the summary, and the others are the description. */
export function summed(comment: string | null | undefined, summary = 'summary'): Schema {
  const [, first = '', rest = ''] = /^([^\n]*)\n*(.*)$/s.exec(comment ?? '') ?? [];
  return { ...ifAny(summary, first), ...ifAny('description', rest) };
}
