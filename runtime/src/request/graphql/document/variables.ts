import { isRecord } from '../../../is-record.js';
import {
  GraphQLBoolean,
  Kind,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  typeFromAST,
  visit,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';
import { ExactNumber } from '../../../exact-number.js';
import { limitBucket } from '../../../plan/limit-bucket.js';
import { hasNodes, nodeFields } from '../../../descriptor/node-id.js';
import type { Registry } from '../../../descriptor/registry.js';
import type { Variables } from '../arguments/argument-value.js';
import { nodeShape } from '../query/node.js';
import { rowShape, rowsShape, writtenTable } from '../mutation/shape.js';

/** The types of an operation's variables, by name. */
export function variableTypesOf(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
): ReadonlyMap<string, GraphQLInputType> {
  const entries = variableDefinitions.map(({ variable, type }) => {
    const found = typeFromAST(schema, type);
    if (!isInputType(found))
      throw new TypeError(`$${variable.name.value} has no input type; validation lets none through.`);
    return [variable.name.value, found] as const;
  });
  return new Map(entries);
}

/** The shape of coerced variables: everything about them that decides the SQL, and nothing else. */
export type ShapeOf = (variables: Variables) => string;

/**
 * Makes the shape of an operation's variables. It has the keys, and the number of conditions. Of
 * values, it has only those that become part of the SQL: directions, column names, distances, and
 * booleans (`@include`, `isNull`). Of limits and offsets, it has the order of magnitude; of rows to
 * write, their columns.
 */
export function createShape(
  registry: Registry,
  document: DocumentNode,
  types: ReadonlyMap<string, GraphQLInputType>,
): ShapeOf {
  const { written, counts } = variablesBySpot(document);
  const nodes = hasNodes(registry) ? nodeVariables(document) : undefined;
  const parts = Array.from(types, ([name, type]) => ({
    name,
    type,
    isWritten: written.has(name),
    isCount: counts.has(name),
    isNode: nodes?.has(name) === true,
  }));
  if (parts.length === 0) return () => '';
  return (variables) =>
    parts
      .map(({ name, type, isWritten, isCount, isNode }) => {
        if (!Object.hasOwn(variables, name)) return '-';
        const value = variables[name];
        if (isNode) return (Array.isArray(value) ? value : [value]).map((id) => nodeShape(registry, id)).join(' ');
        const bucket = isCount && typeof value === 'number' ? limitBucket(value) : '';
        return `${shapeOf(value, type, registry, isWritten)}${String(bucket)}`;
      })
      .join();
}

function shapeOf(value: unknown, type: GraphQLInputType, registry: Registry, isWritten: boolean): string {
  if (value === null) return 'n';
  const expected = getNullableType(type);
  if (isListType(expected)) {
    const item = getNullableType(expected.ofType);
    const table = isInputObjectType(item) ? writtenTable(item.name, registry) : undefined;
    if (table !== undefined && Array.isArray(value)) return rowsShape(value, table, registry);
    const counts = isInputObjectType(item) || isListType(item) || isColumnEnum(item, registry);
    if (!counts || !Array.isArray(value)) return 'v';
    return `[${value.map((each) => shapeOf(each, item, registry, isWritten)).join()}]`;
  }
  if (isInputObjectType(expected)) {
    const table = writtenTable(expected.name, registry);
    if (table !== undefined) return rowShape(value, table, registry);
    const fields = expected.getFields();
    const inside = Object.entries(value as Variables).map(([name, each]) => {
      const field = fields[name];
      return field === undefined
        ? ''
        : `${name}:${shapeOf(each, field.type, registry, expected.name === 'VectorInput' && writtenFields.has(name))}`;
    });
    return `{${inside.join()}}`;
  }
  if (isWritten || expected === GraphQLBoolean || isColumnEnum(expected, registry)) return JSON.stringify(value);
  return expected.name === 'TextSearch' ? searchShape(value) : 'v';
}

/**
 * An enum of ours, such as a direction or a column: not a type of the database, whose labels are
 * values.
 */
const isColumnEnum = (type: unknown, registry: Registry): boolean => isEnumType(type) && !registry.enums.has(type.name);

const searchShape = (value: unknown): string =>
  typeof value === 'string' ? 'v' : typeof value === 'object' && value !== null && 'config' in value ? 'c' : 'q';

/** Of the `vector` argument: its column and its distance are part of the SQL, although strings. */
const writtenFields: ReadonlySet<string> = new Set(['column', 'distance']);

/** Arguments that are counts of rows. */
const countArguments: ReadonlySet<string> = new Set(['limit', 'offset', 'first', 'last']);

/**
 * Variables that stand where a string is written into the SQL, and where rows are counted. Told by
 * the name of the input field or argument alone: a variable too many costs a plan, no more.
 */
function variablesBySpot(document: DocumentNode): {
  readonly written: ReadonlySet<string>;
  readonly counts: ReadonlySet<string>;
} {
  const [written, counts] = [new Set<string>(), new Set<string>()];
  visit(document, {
    ObjectField({ name, value }) {
      if (value.kind === Kind.VARIABLE && writtenFields.has(name.value)) written.add(value.name.value);
    },
    Argument({ name, value }) {
      if (value.kind === Kind.VARIABLE && countArguments.has(name.value)) counts.add(value.name.value);
    },
  });
  return { written, counts };
}

/**
 * Variables that stand where a global identifier is expected, whose type decides the statement.
 * Told by the names of field and argument alone, too.
 */
function nodeVariables(document: DocumentNode): ReadonlySet<string> {
  const found = new Set<string>();
  const add = (value: ValueNode): void => {
    if (value.kind === Kind.VARIABLE) found.add(value.name.value);
    if (value.kind === Kind.LIST) value.values.forEach(add);
  };
  visit(document, {
    Field({ name, arguments: given = [] }) {
      if (name.value === nodeFields.one || name.value === nodeFields.many) for (const { value } of given) add(value);
    },
  });
  return found;
}

/** Scalars that a JavaScript number would take digits from. */
export const exactScalars: ReadonlySet<string> = new Set(['BigInt', 'Numeric']);

/**
 * The same, and JSON. The runtime's encoding keeps all digits of its numbers, but the user's code
 * gets plain numbers.
 */
export const exactScalarsAndJson: ReadonlySet<string> = new Set([...exactScalars, 'JSON']);

/**
 * Variables as the client sent them, made ready for graphql-js: numbers that JavaScript cannot hold
 * stay exact for the scalars that keep every digit, and are plain numbers elsewhere; objects
 * inherit nothing.
 */
export function plainNumbers(value: unknown, type: GraphQLInputType, exact: ReadonlySet<string>): unknown {
  const expected = getNullableType(type);
  if (value instanceof ExactNumber) return exact.has(getNamedType(expected).name) ? value : value.valueOf();
  if (Array.isArray(value)) {
    return value.map((item) => plainNumbers(item, isListType(expected) ? expected.ofType : expected, exact));
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = isInputObjectType(expected) ? expected.getFields() : {};
  const copy = Object.create(null) as Record<string, unknown>;
  for (const [name, item] of Object.entries(value))
    copy[name] = plainNumbers(item, fields[name]?.type ?? expected, exact);
  return copy;
}

/** Why the variables of an operation may not be given to graphql-js as JSON.parse made them. */
export interface CoercionNeeds {
  /** One may hold a number that has to keep every digit. */
  readonly exact: boolean;
  /**
   * One has a field with a name that every JavaScript object inherits, such as a column called
   * `constructor`.
   */
  readonly inherited: boolean;
}

export function coercionNeedsOf(types: ReadonlyMap<string, GraphQLInputType>): CoercionNeeds {
  const seen = new Set<string>();
  const found = { exact: false, inherited: false };
  const look = (type: GraphQLInputType): void => {
    const named = getNamedType(type);
    found.exact ||= exactScalarsAndJson.has(named.name);
    if (!isInputObjectType(named) || seen.has(named.name)) return;
    seen.add(named.name);
    for (const field of Object.values(named.getFields())) {
      found.inherited ||= field.name in Object.prototype;
      look(field.type);
    }
  };
  for (const type of types.values()) look(type);
  return found;
}

/**
 * Coerced input objects with their keys in the client's order: graphql-js puts them in the
 * schema's, and order matters in `orderBy`.
 */
export function inGivenOrder(coerced: unknown, given: unknown, type: GraphQLInputType): unknown {
  const expected = getNullableType(type);
  if (isListType(expected)) {
    if (!Array.isArray(coerced)) return coerced;
    const items: readonly unknown[] = Array.isArray(given) ? given : [given];
    return coerced.map((item: unknown, at) => inGivenOrder(item, items[at], expected.ofType));
  }
  if (!isInputObjectType(expected) || !isRecord(coerced) || !isRecord(given)) return coerced;
  const fields = expected.getFields();
  const names = new Set(
    [...Object.keys(given), ...Object.keys(coerced)].filter((name) => Object.hasOwn(coerced, name)),
  );
  return Object.fromEntries(
    Array.from(names, (name) => {
      const field = fields[name];
      return [name, field === undefined ? coerced[name] : inGivenOrder(coerced[name], given[name], field.type)];
    }),
  );
}
