import { GraphQLError, GraphQLScalarType, Kind, print, valueFromASTUntyped, type ValueNode } from 'graphql';
import './non-finite.js';
import { ExactNumber, exactText } from '../exact-number.js';

/**
 * The GraphQL scalars of database types (decision 002). `serialize` returns the database's text
 * unchanged. A client's value stays text if a JavaScript number or Date would lose a digit or a
 * microsecond. Each scalar throws GraphQLError for a value that its type cannot take.
 */

/** int8. https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-INT */
export const GraphQLBigInt = exactScalar(
  'BigInt',
  'A 64-bit integer, as a string of digits. Input: a string or an integer.',
  [Kind.INT, Kind.STRING],
  (text) => /^[+-]?\d{1,40}$/.test(text) && isIn64Bits(BigInt(text.replace('+', ''))),
);

/** With or without a sign: BIGINT UNSIGNED of MariaDB has none. The column checks its own range. */
const isIn64Bits = (number: bigint): boolean =>
  BigInt.asIntN(64, number) === number || BigInt.asUintN(64, number) === number;

/** numeric and money. https://www.postgresql.org/docs/current/datatype-numeric.html#DATATYPE-NUMERIC-DECIMAL */
export const GraphQLNumeric = exactScalar(
  'Numeric',
  'A decimal number with all its digits. Input: a number, or a string.',
  [Kind.INT, Kind.FLOAT, Kind.STRING],
  (text) => /^[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|NaN|Infinity)$/i.test(text),
);

export const GraphQLUUID = new GraphQLScalarType({
  name: 'UUID',
  description: 'A UUID, such as `123e4567-e89b-12d3-a456-426614174000`.',
  serialize: passThrough,
  parseValue: (value) => uuidOf(value),
  parseLiteral: (node) => {
    if (node.kind === Kind.STRING) return uuidOf(node.value, node);
    throw new GraphQLError(`Can only validate strings as UUIDs but got a: ${node.kind}`, { nodes: [node] });
  },
});

/** PostgreSQL takes a UUID in braces, too; they are left out. */
function uuidOf(value: unknown, node?: ValueNode): string {
  if (typeof value !== 'string') throw new GraphQLError(`Value is not string: ${String(value)}`);
  const text = value.startsWith('{') ? value.slice(1, -1) : value;
  if (/^\{?[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\}?$/i.test(text)) return text;
  throw new GraphQLError(`Value is not a valid UUID: ${text}`, node && { nodes: [node] });
}

export const GraphQLDate = textScalar('Date', 'A calendar date in ISO 8601 form, such as `2026-07-31`.');

export const GraphQLTime = textScalar(
  'Time',
  'A time of day in ISO 8601 form, to the microsecond, with the offset where the column has one.',
);

export const GraphQLDateTime = textScalar(
  'DateTime',
  'A moment in ISO 8601 form, to the microsecond; in UTC with offset where the column has a time zone.',
);

export const GraphQLInterval = textScalar('Interval', 'A span of time in ISO 8601 form, such as `P1DT2H`.');

export const GraphQLBytes = textScalar('Bytes', 'Bytes in hexadecimal form, such as `\\xdeadbeef`.', (text) =>
  /^\\x(?:[0-9a-f]{2})*$/i.test(text),
);

export const GraphQLTsvector = textScalar('Tsvector', 'The words of a text search document, in text form. Read only.');

export const GraphQLJSON = new GraphQLScalarType({
  name: 'JSON',
  description: 'Any JSON value. Input: a literal, or a variable.',
  specifiedByURL: 'http://www.ecma-international.org/publications/files/ECMA-ST/ECMA-404.pdf',
  parseValue: passThrough,
  parseLiteral: jsonOf,
});

/** An enum value is no JSON. */
function jsonOf(node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown {
  if (node.kind === Kind.ENUM) return undefined;
  if (node.kind === Kind.LIST) return node.values.map((item) => jsonOf(item, variables));
  if (node.kind !== Kind.OBJECT) return valueFromASTUntyped(node, variables);
  // Without a prototype, so that `__proto__` is a name like others.
  const object = Object.create(null) as Record<string, unknown>;
  for (const { name, value } of node.fields) object[name.value] = jsonOf(value, variables);
  return object;
}

/** pgvector's vector: the length is checked against the column when the request is planned. */
export const GraphQLVector = new GraphQLScalarType({
  name: 'Vector',
  description: 'An embedding: a list of finite numbers, as many as the column has dimensions.',
  serialize: passThrough,
  parseValue: vectorOf,
  parseLiteral: (node) => {
    if (node.kind !== Kind.LIST) throw refusal('Vector', print(node), node);
    return vectorOf(node.values.map((item) => (isNumberNode(item) ? Number(item.value) : print(item))));
  },
});

/**
 * The operand of a full-text operator: a string, or `{query, config}` with a text search
 * configuration.
 */
export const GraphQLTextSearch = new GraphQLScalarType({
  name: 'TextSearch',
  description: 'The search: a string, or `{query: "…", config: "english"}` with a text search configuration.',
  serialize: passThrough,
  parseValue: searchOf,
  parseLiteral: (node, variables) => searchOf(valueFromASTUntyped(node, variables), node, !variables),
});

/** @param open whether variables inside have no values yet, as during validation */
function searchOf(value: unknown, node?: ValueNode, open = false): unknown {
  if (typeof value === 'string' || (open && value === undefined)) return value;
  const parts = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  const isText = (part: unknown): boolean => typeof part === 'string' || (open && part === undefined);
  const known = parts.every(([name, part]) => (name === 'query' || name === 'config') && isText(part));
  if (known && parts.some(([name]) => name === 'query')) return value;
  throw refusal('TextSearch', node === undefined ? shown(value) : print(node), node);
}

/** A scalar whose input and output are strings in the form of the database, which checks them. */
function textScalar(
  name: string,
  description: string,
  accepts: (text: string) => boolean = () => true,
): GraphQLScalarType {
  return exactScalar(name, description, [Kind.STRING], accepts);
}

/** A scalar whose values are texts in the server. A client may write them as any of `kinds`. */
function exactScalar(
  name: string,
  description: string,
  kinds: readonly (Kind.INT | Kind.FLOAT | Kind.STRING)[],
  accepts: (text: string) => boolean,
): GraphQLScalarType {
  const numbers = kinds.includes(Kind.INT);
  const takesFractions = kinds.includes(Kind.FLOAT);
  return new GraphQLScalarType({
    name,
    description,
    serialize: passThrough,
    parseValue: (value) => {
      const text = typeof value === 'string' ? value : numbers ? numberText(value, takesFractions) : undefined;
      if (text === undefined || !accepts(text)) throw refusal(name, shown(value));
      return text;
    },
    parseLiteral: (node) => {
      const literal = kinds.some((kind) => kind === node.kind) && 'value' in node ? String(node.value) : undefined;
      if (literal === undefined || !accepts(literal)) throw refusal(name, print(node), node);
      return literal;
    },
  });
}

/** Whole numbers may have a fraction of zero, as everywhere in JSON: `1.0`. */
const numberText = (value: unknown, takesFractions: boolean): string | undefined =>
  value instanceof ExactNumber && !takesFractions ? value.whole : exactText(value);

function vectorOf(value: unknown): readonly number[] {
  if (!Array.isArray(value)) throw refusal('Vector', shown(value));
  return value.map((item: unknown) => {
    const number = typeof item === 'string' ? Number.NaN : Number(exactText(item));
    if (!Number.isFinite(number)) throw refusal('Vector', shown(item));
    return number;
  });
}

function passThrough(value: unknown): unknown {
  return value;
}

function isNumberNode(node: ValueNode): node is ValueNode & { readonly value: string } {
  return node.kind === Kind.INT || node.kind === Kind.FLOAT;
}

function shown(value: unknown): string {
  return exactText(value) ?? JSON.stringify(value);
}

function refusal(name: string, value: string, node?: ValueNode): GraphQLError {
  const short = value.length > 80 ? `${value.slice(0, 80)}…` : value;
  return new GraphQLError(`${name} cannot represent ${short}.`, {
    ...(node ? { nodes: node } : {}),
    extensions: { code: 'BAD_USER_INPUT' },
  });
}
