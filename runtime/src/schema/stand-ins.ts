import type { EnumDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { groupableValues } from './aggregate-shape.js';
import { dictionary } from './type-shape.js';

// The user's decorators name GraphQL types by what generated files export: a class, or for an enum
// the object of its values, as in `@Query(() => KanbanIssues)`. A class stands for the type of its
// name. Like TypeGraphQL's store, this store belongs to the process.

export type Class = new () => object;
type Enum = Readonly<Record<string, string>>;

/** By GraphQL name. */
const classes = new Map<string, Class>();
const enums = new Map<string, Enum>();
const enumNames = new WeakMap<object, string>();

/** The class that stands for a type for which generated files have none. */
export function classOf(name: string): Class {
  const known = classes.get(name);
  if (known !== undefined) return known;
  // Its instances are a resolver's arguments, and contain exactly what the client sent.
  const target = class extends Object {};
  Object.defineProperty(target, 'name', { value: name });
  classes.set(name, target);
  return target;
}

/** Makes a class of a generated file the one that stands for the type of its name. */
export function useClass(target: Class): void {
  classes.set(target.name, target);
}

/** The object that stands for an enum. */
export function enumOf(name: string, values: readonly string[]): Enum {
  return enums.get(name) ?? useEnum(name, dictionary(values.map((value) => [value, value])));
}

/** Makes an object of values stand for an enum. */
export function useEnum(name: string, values: Enum): Enum {
  enums.set(name, values);
  enumNames.set(values, name);
  return values;
}

/** The name of the type for which a class or an object may stand. */
export function nameOf(standIn: unknown): string | undefined {
  if (typeof standIn === 'function') return standIn.name;
  return typeof standIn === 'object' && standIn !== null ? enumNames.get(standIn) : undefined;
}

interface EnumOptions {
  readonly description?: string;
  /** The labels that are not valid as names of members, by member. */
  readonly labels?: Readonly<Record<string, string>>;
}

/**
 * Makes a TypeScript enum stand for the database's enum type `schema.name`, which GraphQL calls
 * `type`. Returns its descriptor.
 */
export function enumType(
  type: string,
  members: Readonly<Record<string, string>>,
  schema: string,
  name: string,
  { description, labels = {} }: EnumOptions = {},
): EnumDescriptor {
  useEnum(type, members);
  const values = Object.values(members).map((member) => {
    const label = Object.hasOwn(labels, member) ? labels[member] : undefined;
    return label === undefined ? { label: member } : { label, name: member };
  });
  return { type, schema, name, values, ...(description === undefined ? {} : { description }) };
}

/** A filter input. `Filter` is the TypeScript type of its values, from filter-types.ts. */
// eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- says what TypeScript can't see: the fields are made at run time
export const filterInput = <Filter extends object>(name: string): new () => Filter => classOf(name) as new () => Filter;

/** The result of a resolver of a `<f>Aggregate` field. */
export type AggregateResult = Readonly<Record<string, unknown>>;

const ends = [
  'Connection',
  'WhereInput',
  'OrderByInput',
  'Aggregate',
  'HavingInput',
  'CreateInput',
  'OnConflictInput',
  'UpdateInput',
  'IncInput',
] as const;

/**
 * A table's types, by the ends of their names, for `@Query(() => …)` and `@Arg(…)`. The table has
 * only those that its columns and keys allow.
 */
export type TableTypes = Readonly<Record<(typeof ends)[number], Class>> & {
  /** The columns that `groupBy` and `distinctOn` may name. */
  readonly Column: Enum;
};

export const tableTypes = (table: TableDescriptor): TableTypes =>
  Object.defineProperties(
    {},
    {
      ...Object.fromEntries(ends.map((end) => [end, { get: () => classOf(`${table.type}${end}`) }])),
      Column: {
        get: () =>
          enumOf(
            `${table.type}Column`,
            groupableValues(table).map(({ name }) => name),
          ),
      },
    },
  ) as TableTypes;
