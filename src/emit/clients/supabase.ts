import {
  areUnique,
  type ColumnDescriptor,
  type FunctionDescriptor,
  mayLack,
  type Model,
  type RelationDescriptor,
  type TableDescriptor,
  type TableModel,
} from '@tablewright/runtime/model';
import { group, hardline, ifBroken, indent, join, line, type Doc } from '../source/doc.js';
import { propertyName, stringLiteral } from '../source/escape.js';
import { compareNames, Imports, printFile } from '../source/file.js';
import { string } from '../source/typescript.js';
import { helperTypes } from './supabase-helpers.js';
import { SupabaseTypes } from './supabase-types.js';

/**
 * `supabase.ts`: the tables and functions as supabase-js takes them,
 * `createClient<Database>(url, key)`, for the addresses of PostgREST's form. Source:
 * https://supabase.com/docs/guides/api/rest/generating-types
 */
export function emitSupabase(model: Model): string {
  const types = new SupabaseTypes(model);
  const schemas = model.schemas.map(({ name }) => entry(name, schemaDoc(model, name, types)));
  // The release of PostgREST whose requests supabase-js may send.
  const release = entry('__InternalSupabase', block([entry('PostgrestVersion', string('13'))]));
  return printFile('the database', new Imports(), [
    '/* eslint-disable -- supabase-js asks for these forms of types */',
    'export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];',
    ['export type Database = ', block([release, ...schemas]), ';'],
    ...helperTypes(firstSchema(model)),
  ]);
}

/** The schema of requests that name none, as supabase-js chooses it. */
function firstSchema({ schemas }: Model): string {
  const [first] = schemas;
  const chosen = schemas.find(({ name }) => name === 'public') ?? first;
  return chosen === undefined ? 'never' : stringLiteral(chosen.name);
}

function schemaDoc(model: Model, schema: string, types: SupabaseTypes): Doc {
  const tables = named(model.tables.map((table) => [table.descriptor.name, table] as const)).filter(
    ([, { descriptor }]) => descriptor.schema === schema,
  );
  const relations = (isTable: boolean): readonly Doc[] =>
    tables
      .filter(([, { descriptor }]) => (descriptor.kind === 'table') === isTable)
      .map(([name, table]) => entry(name, tableDoc(model, table, types)));
  const functions = (model.callable ?? model.functions.map(({ descriptor }) => descriptor)).filter(
    (each) => each.schema === schema,
  );
  const overloads = new Map<string, FunctionDescriptor[]>();
  for (const each of functions) overloads.set(each.name, [...(overloads.get(each.name) ?? []), each]);
  const enums = model.enums.map(({ descriptor }) => descriptor).filter((each) => each.schema === schema);
  return block([
    entry('Tables', members(relations(true))),
    entry('Views', members(relations(false))),
    entry(
      'Functions',
      members(named([...overloads]).map(([name, calls]) => entry(name, functionsDoc(model, calls, types)))),
    ),
    entry(
      'Enums',
      members(
        named(enums.map((each) => [each.name, each] as const)).map(([name, { values }]) =>
          unionEntry(
            name,
            values.map(({ label }) => string(label)),
          ),
        ),
      ),
    ),
    entry(
      'CompositeTypes',
      members(
        named(types.composites(schema)).map(([name, attributes]) =>
          entry(name, block(attributes.map((each) => entry(each.name, types.nullable(each.type))))),
        ),
      ),
    ),
  ]);
}

function tableDoc(model: Model, table: TableModel, types: SupabaseTypes): Doc {
  const { kind, columns, insertable, updatable } = table.descriptor;
  const isTable = kind === 'table';
  const forms = [
    entry('Row', block(columns.map((column) => entry(nameOf(model, column), valueDoc(column, types))))),
    ...(isTable || insertable === true ? [entry('Insert', writeDoc(model, columns, types, false))] : []),
    ...(isTable || updatable === true ? [entry('Update', writeDoc(model, columns, types, true))] : []),
  ];
  return block([...forms, entry('Relationships', relationshipsDoc(model, table))]);
}

/** The columns as a write gives them: those that the database fills in, and
 * those that no update may change, are `never`. */
const writeDoc = (model: Model, columns: readonly ColumnDescriptor[], types: SupabaseTypes, isUpdate: boolean): Doc =>
  block(
    columns.map((column) => {
      const name = propertyName(nameOf(model, column));
      if (column.readOnly === true || (isUpdate && column.insertOnly === true)) return [name, '?: never'];
      const optional = isUpdate || mayLack(column);
      return [name, optional ? '?: ' : ': ', valueDoc(column, types)];
    }),
  );

const valueDoc = (column: ColumnDescriptor, types: SupabaseTypes): Doc =>
  column.nullable === true ? types.nullable(column.type) : types.text(column.type);

function relationshipsDoc(model: Model, { descriptor }: TableModel): Doc {
  const byKey = new Map(model.tables.map((each) => [each.descriptor.field, each.descriptor]));
  const named = (table: typeof descriptor, columns: readonly string[]): Doc => [
    '[',
    join(
      ', ',
      columns.map((name) => {
        const column = table.columns.find((each) => each.name === name);
        return string(column === undefined ? name : nameOf(model, column));
      }),
    ),
    ']',
  ];
  const relationship = ({ constraint, columns, references, table: key }: RelationDescriptor): readonly Doc[] => {
    const other = byKey.get(key);
    if (other === undefined) return [];
    return [
      block([
        entry('foreignKeyName', string(constraint)),
        entry('columns', named(descriptor, columns)),
        entry('isOneToOne', String(isOneToOne(descriptor, columns, constraint, other))),
        entry('referencedRelation', string(other.name)),
        entry('referencedColumns', named(other, references)),
      ]),
    ];
  };
  const all = [...(descriptor.relations ?? []), ...(descriptor.embedded ?? [])]
    .filter(({ direction, function: made }) => direction === 'forward' && made === undefined)
    .sort((a, b) => compareNames(a.constraint, b.constraint) || compareNames(a.table, b.table))
    .flatMap(relationship);
  return all.length === 0 ? '[]' : ['[', indent(all.map((each) => [hardline, each, ','])), hardline, ']'];
}

/** As Supabase has it: by constraints, and not by mere indexes. */
const isOneToOne = (
  table: TableDescriptor,
  columns: readonly string[],
  constraint: string,
  { relations = [], embedded = [] }: TableDescriptor,
): boolean =>
  areUnique(table, columns) &&
  ![...relations, ...embedded].some(
    (back) => back.isListInPostgrest === true && back.table === table.field && back.constraint === constraint,
  );

/** The overloads of a function, as a union. */
function functionsDoc(model: Model, calls: readonly FunctionDescriptor[], types: SupabaseTypes): Doc {
  const all = calls.map((each) =>
    block([entry('Args', argumentsDoc(model, each, types)), entry('Returns', types.result(each))]),
  );
  const [only, ...more] = all;
  return only !== undefined && more.length === 0 ? only : indent(all.map((each) => [hardline, '| ', each]));
}

function argumentsDoc(model: Model, { arguments: given }: FunctionDescriptor, types: SupabaseTypes): Doc {
  if (given.length === 0) return 'never';
  return block(
    given.map((each) => [
      propertyName(nameOf(model, each)),
      each.hasDefault === true ? '?: ' : ': ',
      types.text(each.type),
    ]),
  );
}

/** REST calls columns by their names in the database, unless the configuration has camel case. */
const nameOf = ({ options }: Model, each: { readonly name: string; readonly field?: string }): string =>
  options.names?.columns === 'camel' ? (each.field ?? each.name) : each.name;

const entry = (name: string, value: Doc): Doc => [propertyName(name), ': ', value];

const block = (entries: readonly Doc[]): Doc =>
  entries.length === 0
    ? 'Record<never, never>'
    : ['{', indent(entries.map((each) => [hardline, each, ';'])), hardline, '}'];

/** Members by name. supabase-js tells an empty list by this type. */
const members = (entries: readonly Doc[]): Doc => (entries.length === 0 ? '{ [_ in never]: never }' : block(entries));

/** `name: 'a' | 'b'`, or a line for each value. */
const unionEntry = (name: string, values: readonly Doc[]): Doc =>
  group([propertyName(name), ':', indent([line, ifBroken('| '), join([line, '| '], values)])]);

const named = <T>(entries: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] =>
  [...entries].sort(([a], [b]) => compareNames(a, b));
