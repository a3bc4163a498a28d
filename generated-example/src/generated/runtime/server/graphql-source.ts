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
import type { ColumnType } from '../descriptor.js';
import { ServerError, codes } from '../errors.js';
import { fieldOf, type Registry, type Table } from '../registry.js';
import { columnKey, wholeKey } from '../request/graphql/column.js';
import type { RawAnswers } from '../response/graphql-answers.js';
import { JsonText } from '../response/graphql-json.js';

/** The statement's data, as graphql-js goes through it when a document has fields that no descriptor stands behind. */
export interface StatementSource {
  /** The value of a generated root field. */
  readonly root: (info: GraphQLResolveInfo) => unknown;
  /** Resolves the fields of generated types; everything else as graphql-js does. */
  readonly fieldResolver: GraphQLFieldResolver<unknown, unknown>;
}

/**
 * Rows of the statement stand as plain objects with the columns of their table under the GraphQL names: what a custom
 * resolver gets as `@Root()`. What the document selected of a row is found by response key, in the row's JSON text.
 * @param data the statement's JSON; undefined when the document had no generated field
 */
export function createSource(data: string | undefined, registry: Registry, answers: RawAnswers): StatementSource {
  const texts = new WeakMap<object, RowText>();
  const document = data === undefined ? undefined : JsonText.of(data);

  const complete = ({ text, whole }: RowText, info: GraphQLResolveInfo): unknown => {
    if (text.isNull) return null;
    const type = getNamedType(info.returnType);
    if (isLeafType(type)) {
      answers.record(info.path, text.raw);
      return standIn(info.returnType);
    }
    const table = registry.tableByType.get(type.name);
    if (!text.isList) return row({ text, whole }, table);
    answers.recordSeparator(info.path, text.separator());
    return text.items().map((item) => row({ text: item, whole }, table));
  };
  const row = ({ text, whole }: RowText, table: Table | undefined): unknown => {
    if (text.isNull) return null;
    const source = table === undefined ? {} : columnsOf(table, text);
    texts.set(source, { text, whole });
    return source;
  };
  return {
    root: (info) => {
      const text = document?.get(String(info.path.key));
      return text === undefined ? undefined : complete({ text, whole: false }, info);
    },
    fieldResolver: (source, args, context, info) => {
      const part = isObject(source) ? partOf(texts.get(source), info) : undefined;
      if (part !== undefined) return complete(part, info);
      refuseUnread(source, info, registry);
      return defaultFieldResolver(source, args, context, info);
    },
  };
}

/**
 * The text of an object. `whole`: its members are all there, by their names; otherwise those selected, by response key.
 */
interface RowText {
  readonly text: JsonText;
  readonly whole: boolean;
}

/** Only rows of the document's statement have their relations read. */
function refuseUnread(source: unknown, { fieldName, parentType }: GraphQLResolveInfo, registry: Registry): void {
  if (!isObject(source) || fieldName in source) return;
  if (registry.tableByType.get(parentType.name)?.relationsByName.has(fieldName) !== true) return;
  throw new ServerError(500, codes.unsupported, `${parentType.name}.${fieldName} was not read.`, {
    hint: `A resolver that answers ${parentType.name} itself has to give ${fieldName} too; context.query can read it.`,
  });
}

function partOf(row: RowText | undefined, { path, fieldName }: GraphQLResolveInfo): RowText | undefined {
  if (row === undefined) return undefined;
  const key = String(path.key);
  const text = row.text.get(row.whole ? fieldName : key);
  if (text !== undefined) return { text, whole: row.whole };
  const whole = row.text.get(wholeKey(key));
  return whole === undefined ? undefined : { text: whole, whole: true };
}

/** The columns that were read for custom resolvers, if any were. */
function columnsOf(table: Table, text: JsonText): Record<string, unknown> {
  const columns: Record<string, unknown> = {};
  for (const [at, column] of table.columns.entries()) {
    const value = text.get(columnKey(at));
    if (value === undefined) break;
    columns[fieldOf(column)] = decode(value.raw, column.type);
  }
  return columns;
}

const decimals: readonly ColumnType['kind'][] = ['bigint', 'numeric', 'money'];

/** As JSON.parse does, but a decimal that JavaScript would round is its text. */
function decode(raw: string, type: ColumnType): unknown {
  const value: unknown = JSON.parse(raw);
  return typeof value === 'number' && decimals.includes(type.kind) && !isExact(value, raw) ? raw : value;
}

/** Trailing zeros aside, JavaScript would write the same digits. */
const isExact = (value: number, raw: string): boolean =>
  String(value) === (raw.includes('.') ? raw.replace(/\.?0+$/, '') : raw);

/** Something that graphql-js completes without an error, in place of a value that it will not see. */
function standIn(type: GraphQLOutputType): unknown {
  const nullable = getNullableType(type);
  return isListType(nullable) ? [] : leafStandIn(getNamedType(nullable));
}

function leafStandIn(type: GraphQLNamedType): unknown {
  if (isEnumType(type)) return type.getValues()[0]?.value as unknown;
  if (type.name === 'Boolean') return false;
  return type.name === 'String' || type.name === 'ID' ? '' : 0;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
