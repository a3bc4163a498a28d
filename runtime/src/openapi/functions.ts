import type { ArgumentDescriptor } from '../descriptor/descriptor.js';
import { answersList } from '../descriptor/names.js';
import { description } from '../model/description.js';
import type { FunctionModel, Model, TableModel } from '../model/model.js';
import { answer, failure } from './answers.js';
import { nullable, reference, valueSchema, type Schema } from './column-schema.js';
import { filters, readParameters } from './filters.js';
import type { Json, JsonObject } from './json.js';
import { headers, references } from './parts.js';

/**
 * The paths of functions: `/rpc/{name}`. Overloads have a path each, with the name of their GraphQL field. Source: decisions 5 and 6;
 * https://docs.postgrest.org/en/stable/references/api/functions.html
 */
export function functionPaths(model: Model, profiled: boolean): readonly (readonly [string, Json])[] {
  const tables = new Map(model.tables.map((table) => [table.descriptor.field, table]));
  const named = new Map<string, number>();
  for (const { descriptor } of model.functions) named.set(descriptor.name, (named.get(descriptor.name) ?? 0) + 1);
  return model.functions.map((each) => {
    const { name, field, table } = each.descriptor;
    const path = encodeURIComponent(named.get(name) === 1 ? name : field);
    return [`/rpc/${path}`, operations(each, tables.get(table ?? ''), model, profiled)];
  });
}

function operations(
  { descriptor, comment }: FunctionModel,
  table: TableModel | undefined,
  model: Model,
  profiled: boolean,
): Json {
  const { field, schema, name, operation } = descriptor;
  const summary = description(comment) || `Calls ${schema}.${name}.`;
  const common = (suffix: string): JsonObject => ({ operationId: `${field}${suffix}`, tags: [schema], summary });
  const rows =
    table === undefined ? [] : answersList(descriptor) ? [...references(readParameters)] : references(['select']);
  const filtered = table !== undefined && answersList(descriptor) ? filters([table]) : [];
  const responses = { ...answers(descriptor, table, model), ...failure };
  const given = new Set(descriptor.arguments.map(argumentName));
  const get = {
    ...common(''),
    parameters: [
      ...descriptor.arguments.map((each) => parameter(each, model)),
      ...rows.filter((each) => !given.has(sharedName(each))),
      ...headers('Accept-Profile', profiled),
      ...filtered.filter((each) => !given.has(ownName(each))),
    ],
    responses,
  };
  const post = {
    ...common('Post'),
    parameters: [...rows, ...headers('Content-Profile', profiled), ...filtered],
    requestBody: requestBody(descriptor.arguments, model),
    responses,
  };
  return operation === 'query' ? { get, post } : { post };
}

const argumentName = ({ name, field }: ArgumentDescriptor): string => (name === '' ? (field ?? name) : name);

const isRequired = ({ hasDefault, mode }: ArgumentDescriptor): boolean => hasDefault !== true && mode !== 'variadic';

const parameter = (argument: ArgumentDescriptor, model: Model): Json => ({
  name: argumentName(argument),
  in: 'query',
  required: isRequired(argument),
  schema: argument.type.kind === 'array' ? { type: 'string' } : textSchema(valueSchema(argument.type, model.options)),
  description: 'An argument, in the text form of the database.',
});

/** Objects and lists are texts in a query string. */
const textSchema = (schema: Schema): Schema =>
  typeof schema['type'] === 'string' && schema['type'] !== 'array' && schema['type'] !== 'object'
    ? schema
    : { type: 'string' };

function requestBody(all: readonly ArgumentDescriptor[], model: Model): JsonObject {
  const properties = all.map((each): readonly [string, Schema] => [
    argumentName(each),
    nullable(valueSchema(each.type, model.options)),
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

function answers(called: FunctionModel['descriptor'], table: TableModel | undefined, { options }: Model): JsonObject {
  const { returns, returnsSet } = called;
  if (table !== undefined && answersList(called)) {
    return { 200: answer([table], 'List'), 206: answer([table], 'List') };
  }
  if (table === undefined && returns === undefined) return { 204: { description: 'Done.' } };
  const one = nullable(returns === undefined ? reference(table?.descriptor.type ?? '') : valueSchema(returns, options));
  const schema: Schema = returnsSet === true ? { type: 'array', items: one } : one;
  return { 200: { description: 'What the function answers.', content: { 'application/json': { schema } } } };
}

const sharedName = (shared: Json): string => {
  const { $ref } = shared as JsonObject;
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : '';
};

const ownName = (own: Json): string => {
  const { name } = own as JsonObject;
  return typeof name === 'string' ? name : '';
};
