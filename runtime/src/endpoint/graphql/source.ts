import {
  defaultFieldResolver,
  getNamedType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  type GraphQLFieldResolver,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
} from 'graphql';
import { LosslessNumber } from 'lossless-json';
import type { ColumnType } from '../../descriptor/descriptor.js';
import { ServerError, codes } from '../../errors.js';
import { nodeIdOfRow } from '../../descriptor/node-id.js';
import { fieldOf, type Registry, type Table } from '../../descriptor/registry.js';
import { columnKey, wholeKey } from '../../request/graphql/query/column.js';
import type { RawAnswers } from '../../response/graphql-answers.js';
import { parseDatabaseJson, plainJson } from '../../response/graphql-json.js';
import type { Reading } from './reading.js';
import { isObject } from '../../is-record.js';

/**
 * The statement's data, as graphql-js goes through it when a document has fields that no descriptor
 * stands behind.
 */
export interface StatementSource {
  /** The value of a generated root field. */
  readonly root: (info: GraphQLResolveInfo) => Promise<unknown>;
  /** Resolves the fields of generated types; everything else as graphql-js does. */
  readonly fieldResolver: GraphQLFieldResolver<unknown, unknown>;
}

/**
 * Rows of the statement stand as plain objects with the columns of their table under the GraphQL
 * names: what a custom resolver gets as `@Root()`. What the document selected of a row is found by
 * response key, in the row's JSON.
 */
export function createSource(reading: Reading, registry: Registry, answers: RawAnswers): StatementSource {
  const parts = new WeakMap<object, Part>();

  const complete = ({ value, whole }: Part, info: GraphQLResolveInfo): unknown => {
    if (value === null) return null;
    const type = getNamedType(info.returnType);
    if (isLeafType(type)) {
      answers.record(info.path, value);
      return standIn(info.returnType);
    }
    const table = registry.tableByType.get(type.name);
    return rows({ value, whole }, table);
  };
  /** A row, or the rows of a list: a domain over a list of composites makes lists of lists. */
  const rows = ({ value, whole }: Part, table: Table | undefined): unknown =>
    Array.isArray(value)
      ? value.map((item: unknown) => rows({ value: item, whole }, table))
      : row({ value, whole }, table);
  const row = (part: Part, table: Table | undefined): unknown => {
    if (part.value === null) return null;
    const source = table === undefined ? {} : columnsOf(table, part.value);
    parts.set(source, part);
    return source;
  };
  const root = async (info: GraphQLResolveInfo): Promise<unknown> => {
    const [key, fields] = [String(info.path.key), await reading.fields()];
    const [text, all] = [fields.get(key), fields.get(wholeKey(key))];
    if (all !== undefined) return complete({ value: parseDatabaseJson(all), whole: true }, info);
    return text === undefined ? undefined : complete({ value: parseDatabaseJson(text), whole: false }, info);
  };
  return {
    root,
    fieldResolver: (source, args, context, info) => {
      // A generated field of Subscription has no method of a class that would ask for it.
      if (source === undefined && info.path.prev === undefined) return root(info);
      const part = isObject(source) ? partOf(parts.get(source), info) : undefined;
      if (part !== undefined) return complete(part, info);
      const id = isObject(source) ? ownNodeId(source, info, registry) : undefined;
      if (id !== undefined) return id;
      refuseUnread(source, info, registry);
      return defaultFieldResolver(source, args, context, info);
    },
  };
}

/** A part of the statement's JSON. */
interface Part {
  readonly value: unknown;
  /**
   * Whether an object's members are all there, by their names; otherwise those selected, by
   * response key.
   */
  readonly whole: boolean;
}

/** The global identifier of a row from the user's code, made of the columns of its key. */
function ownNodeId(source: object, { fieldName, parentType }: GraphQLResolveInfo, registry: Registry): unknown {
  if (fieldName in source) return undefined;
  const table = registry.tableByType.get(parentType.name);
  return table?.nodeId === fieldName ? nodeIdOfRow(table, source) : undefined;
}

/** Only rows of the document's statement have their relations read. */
function refuseUnread(source: unknown, { fieldName, parentType }: GraphQLResolveInfo, registry: Registry): void {
  if (!isObject(source) || fieldName in source) return;
  const table = registry.tableByType.get(parentType.name);
  if (table?.nodeId !== fieldName && table?.relationsByName.has(fieldName) !== true) return;
  throw new ServerError(500, codes.unsupported, `${parentType.name}.${fieldName} was not read.`, {
    hint: `A resolver that answers ${parentType.name} itself has to give ${fieldName} too; context.query can read it.`,
  });
}

function partOf(row: Part | undefined, { path, fieldName }: GraphQLResolveInfo): Part | undefined {
  if (row === undefined) return undefined;
  const key = String(path.key);
  const { whole } = row;
  const value = memberOf(row.value, whole ? fieldName : key);
  if (value !== undefined) return { value, whole };
  const part = memberOf(row.value, wholeKey(key));
  return part === undefined ? undefined : { value: part, whole: true };
}

const memberOf = (value: unknown, key: string): unknown =>
  isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;

/** The columns that were read for custom resolvers, if any were. */
function columnsOf(table: Table, row: unknown): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [at, column] of table.columns.entries()) {
    const value = memberOf(row, columnKey(at));
    if (value === undefined) break;
    columns[fieldOf(column)] = decode(value, column.type);
  }
  return columns;
}

const decimals: readonly ColumnType['kind'][] = ['bigint', 'numeric', 'money'];

/** As JSON.parse does, but a decimal that JavaScript would round is its text. */
function decode(value: unknown, { kind }: ColumnType): unknown {
  if (!(value instanceof LosslessNumber) || !decimals.includes(kind)) return plainJson(value);
  return isExact(value.value) ? Number(value.value) : value.value;
}

/** Trailing zeros aside, JavaScript would write the same digits. */
const isExact = (digits: string): boolean =>
  String(Number(digits)) === (digits.includes('.') ? digits.replace(/\.?0+$/, '') : digits);

/**
 * Something that graphql-js completes without an error, in place of a value that it will not see.
 */
function standIn(type: GraphQLOutputType): unknown {
  const nullable = getNullableType(type);
  return isListType(nullable) ? [] : leafStandIn(getNamedType(nullable));
}

function leafStandIn(type: GraphQLNamedType): unknown {
  if (isEnumType(type)) return type.getValues()[0]?.value as unknown;
  if (type.name === 'Boolean') return false;
  return type.name === 'String' || type.name === 'ID' ? '' : 0;
}
