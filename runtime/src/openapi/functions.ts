import type { ArgumentDescriptor, ColumnDescriptor, ProcedureDescriptor } from '../descriptor/descriptor.js';
import { calledProcedure, isProcedure, resultTable } from '../descriptor/results.js';
import { description } from '../model/description.js';
import type { FunctionModel, Model, TableModel } from '../model/model.js';
import { answer, maybeRow, unchanged, valueAnswer } from './answers.js';
import { nullable, textSchema, valueSchema, type Schema } from './column-schema.js';
import { failing } from './failures.js';
import { compositesOf } from '../schema/definitions/functions.js';
import { columnFilters, filtersOf, type NamedParameter } from './filters.js';
import type { Json, JsonObject } from './json.js';
import { readHeaders, readParameters } from './parameters.js';
import { profiles, references, type PathContext } from './parts.js';

/**
 * The paths of functions, and of procedures where `app.rest.procedures` is on: `/rpc/{name}`.
 * Overloads have a path each, with the name of their GraphQL field. Source: decisions 005 and 006;
 * https://docs.postgrest.org/en/stable/references/api/functions.html
 */
export function functionPaths(model: Model, context: PathContext): readonly (readonly [string, Json])[] {
  const tables = new Map(model.tables.map((table) => [table.descriptor.field, table]));
  const named = new Map<string, number>();
  const procedures = model.procedures.map((each) => ({ ...each, descriptor: calledProcedure(each.descriptor) }));
  const all = [...model.functions, ...procedures].filter(
    ({ descriptor }) => model.options.restProcedures === true || !isProcedure(descriptor),
  );
  for (const { descriptor } of all) named.set(descriptor.name, (named.get(descriptor.name) ?? 0) + 1);
  return all.map((each) => {
    const { name, field, table } = each.descriptor;
    const path = encodeURIComponent(named.get(name) === 1 ? name : field);
    return [`/rpc/${path}`, operations(each, tables.get(table ?? ''), model, context)];
  });
}

function operations(
  { descriptor, comment }: FunctionModel,
  table: TableModel | undefined,
  model: Model,
  context: PathContext,
): Json {
  const { field, schema, name, operation } = descriptor;
  const summary = description(comment) || `Calls ${schema}.${name}.`;
  const common = (suffix: string, how: string): JsonObject => ({
    operationId: context.ids.of(field, suffix),
    tags: [schema],
    summary,
    description: `Calls the ${isProcedure(descriptor) ? 'procedure' : 'function'} ${schema}.${name}. ${how}`,
  });
  const values = resultTable(descriptor, compositesOf(model.composites.map((each) => each.descriptor)));
  const given = new Set(descriptor.arguments.map(argumentName));
  const reading = readingOf(descriptor, table, values?.columns);
  const get = {
    ...common('', 'Its arguments are parameters, in the text form of the database.'),
    parameters: [
      ...descriptor.arguments.map((each) => parameter(each, model)),
      ...reading.flatMap(({ name: each, parameter: read }) => (given.has(each) ? [] : [read])),
      ...references(isList(descriptor) ? readHeaders : ['If-None-Match']),
      ...profiles('Accept-Profile', [schema], context),
    ],
    responses: { ...answers(descriptor, table, model, true), ...unchanged, ...failing(kindOf(descriptor, table)) },
  };
  const post = {
    ...common('Post', 'Its arguments are members of the body.'),
    parameters: [
      ...reading.map(({ parameter: read }) => read),
      ...references(isList(descriptor) ? ['Range', 'Prefer'] : []),
      ...profiles('Content-Profile', [schema], context),
    ],
    requestBody: requestBody(descriptor.arguments, model),
    responses: { ...answers(descriptor, table, model, false), ...failing(table === undefined ? 'call' : 'calledRows') },
  };
  return operation === 'query' ? { get, post } : { post };
}

/**
 * Whether the answer is a list of a table's rows, in the envelope of lists. GraphQL has such lists
 * of queries alone.
 */
const isList = ({ table, returnsSet }: FunctionModel['descriptor']): boolean =>
  table !== undefined && returnsSet === true;

/** How the rows that a function answers are read. */
function readingOf(
  called: FunctionModel['descriptor'],
  table: TableModel | undefined,
  values: readonly ColumnDescriptor[] | undefined,
): readonly NamedParameter[] {
  const shared = (names: readonly string[]) =>
    references(names).map((each, at) => ({ name: names[at] ?? '', parameter: each }));
  if (table === undefined)
    return values === undefined ? [] : [...columnFilters(values), ...shared(valueParameters(called))];
  return isList(called) ? [...filtersOf([table]), ...shared(readParameters)] : shared(['select']);
}

const kindOf = (called: FunctionModel['descriptor'], table: TableModel | undefined) =>
  table === undefined ? 'value' : isList(called) ? 'list' : 'row';

/** Values without names have nothing to select. */
const valueParameters = ({ record }: FunctionModel['descriptor']): readonly string[] => [
  ...(record === true ? ['select'] : []),
  ...['order', 'limit', 'offset', 'or', 'and'],
];

const argumentName = ({ name, field }: ArgumentDescriptor): string => (name === '' ? (field ?? name) : name);

const isRequired = ({ hasDefault, mode }: ArgumentDescriptor): boolean => hasDefault !== true && mode !== 'variadic';

const parameter = (argument: ArgumentDescriptor, model: Model): Json => ({
  name: argumentName(argument),
  in: 'query',
  required: isRequired(argument),
  schema: argument.mode === 'variadic' ? several : textSchema(argument.type, model),
  description: 'An argument, in the text form of the database.',
});

/** A VARIADIC argument may be given several times. */
const several: Schema = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };

function requestBody(all: readonly ArgumentDescriptor[], model: Model): JsonObject {
  const properties = all.map((each): readonly [string, Schema] => [
    argumentName(each),
    nullable(valueSchema(each.type, model, 'write')),
  ]);
  const required = all.filter(isRequired).map(argumentName);
  const schema: Schema = {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
  return { ...(required.length === 0 ? {} : { required: true }), content: { 'application/json': { schema } } };
}

function answers(
  called: FunctionModel['descriptor'],
  table: TableModel | undefined,
  model: Model,
  isTagged: boolean,
): JsonObject {
  const { returns, returnsSet, procedure } = called;
  if (procedure !== undefined) return { 200: valueAnswer(outputsOf(procedure, model), isTagged) };
  if (table !== undefined && isList(called)) {
    return { 200: answer([table], 'List'), 206: answer([table], 'List') };
  }
  if (table === undefined && returns === undefined) {
    return called.operation === 'mutation'
      ? { 204: { description: 'Done.' } }
      : { 200: valueAnswer({ type: 'null' }, isTagged) };
  }
  const one =
    returns === undefined ? (table === undefined ? {} : maybeRow(table)) : nullable(valueSchema(returns, model));
  const schema: Schema = returnsSet === true ? { type: 'array', items: one } : one;
  return { 200: valueAnswer(schema, isTagged) };
}

/** The OUT parameters of a procedure; `{"result": "OK"}` if it has none. */
function outputsOf({ arguments: all }: ProcedureDescriptor, model: Model): Schema {
  const outputs = all.filter(({ mode }) => mode === 'out' || mode === 'inout');
  if (outputs.length === 0) return { type: 'object', properties: { result: { type: 'string', const: 'OK' } } };
  const members = outputs.map((each): readonly [string, Schema] => [
    argumentName(each),
    nullable(valueSchema(each.type, model)),
  ]);
  return { type: 'object', required: outputs.map(argumentName), properties: Object.fromEntries(members) };
}
