import { misconfigured, ServerError } from '../../../errors.js';
import type { ComputedDescriptor } from '../../../descriptor/descriptor.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import type { Filter, Value } from '../../../plan/intent.js';
import { filterKind, type FilterKind } from '../../../plan/operator.js';
import { graphqlOperator } from '../../../plan/operators.js';
import type { ArgumentValue } from './argument-value.js';
import { computedOf } from './computed.js';
import { filterOf, limiting } from './filter.js';
import { plainCopy } from './plain-copy.js';

/** A condition of the user's code, checked. */
export interface RowCondition {
  /** A copy, which nothing changes after the check. */
  readonly given: unknown;
  /** Its columns, relations and operators: equal for conditions that differ in values only. */
  readonly shape: string;
}

export type Refuse = (what: string) => ServerError;

/**
 * Takes a condition that the user's code or the configuration gives as a `where` input, which no
 * schema has checked.
 * @throws ServerError of `refuse` for unknown names, for missing values, and for values that JSON
 * does not have: none of these may mean "all rows". One that says nothing is found when its filter
 * is made.
 */
export function takeCondition(registry: Registry, table: Table, condition: unknown, refuse: Refuse): RowCondition {
  const given = plainCopy(condition, (what) => refuse(what));
  return { given, shape: new ShapeReader(registry, refuse).condition(table, given, table.type) };
}

/**
 * The filter of a condition. Its values are read from the conditions of the request, so it is the
 * same for every condition of this shape.
 * @throws ServerError for one that holds for all rows
 */
export function conditionFilter(registry: Registry, table: Table, { given }: RowCondition, hook: string): Filter {
  const { field } = table;
  const read: Value['read'] = (_inputs, conditions) => {
    if (conditions?.has(field) === true) return conditions.get(field);
    throw new TypeError(`${hook} was not called for a statement that reads its table.`);
  };
  const filter = filterOf(
    registry,
    table,
    placed(given, read, (_part, at) => ({ read: at, form: 'json', hook })),
  );
  return limiting(filter, table.type);
}

/**
 * The filter of a condition whose values are the same in every request, but for those that `value`
 * gives.
 * @throws ServerError for one that holds for all rows
 */
export const constantFilter = (
  registry: Registry,
  table: Table,
  { given }: RowCondition,
  value: (part: unknown) => Value | undefined,
): Filter =>
  limiting(
    filterOf(
      registry,
      table,
      placed(
        given,
        () => given,
        (part) => value(part) ?? { read: () => part, form: 'json' },
      ),
    ),
    table.type,
  );

/** A mistake in the condition that a hook answered: an operator mends it, no client. */
export const unusable = (hook: string, what: string, cause?: unknown): ServerError =>
  misconfigured(`${hook} answered a condition that cannot be used: ${what}.`, hint, cause);

const hint =
  'It has the form of `where` in GraphQL, with the names that the API has. Answer nothing where all rows may be read.';

/** Reads everything of a condition that its statement depends on; values are left out. */
class ShapeReader {
  constructor(
    private readonly registry: Registry,
    private readonly refuse: Refuse,
  ) {}

  condition(table: Table, given: unknown, of: string): string {
    return `{${this.entries(given, of)
      .map(([name, value]) => name + this.entry(table, name, value, `${of}.${name}`))
      .join()}}`;
  }

  private entry(table: Table, name: string, value: unknown, of: string): string {
    const column = table.byField.get(name);
    if (column !== undefined) return this.operators(value, filterKind(column.type), of);
    const relation = table.relationsByName.get(name);
    if (relation !== undefined) {
      const target = this.registry.table.get(relation.table);
      if (target === undefined) throw this.refuse(`${of} leads to a table that is not served`);
      return relation.cardinality === 'one' ? this.condition(target, value, of) : this.quantified(target, value, of);
    }
    const computed = computedOf(table, name);
    if (computed !== undefined) return this.operators(value, computed.type.kind, of, computed.arguments);
    if (name === 'not') return this.condition(table, value, of);
    if (name !== 'and' && name !== 'or') throw this.refuse(`${table.type} has no field ${name}`);
    if (!Array.isArray(value)) throw this.refuse(`${of} takes a list`);
    return `[${value.map((each, at) => this.condition(table, each, `${of}[${String(at)}]`)).join()}]`;
  }

  private quantified(table: Table, given: unknown, of: string): string {
    const quantifiers = this.entries(given, of).map(([name, value]) => {
      if (name !== 'some' && name !== 'every' && name !== 'none') throw this.refuse(`${of} takes some, every or none`);
      return name + this.condition(table, value, `${of}.${name}`);
    });
    return `{${quantifiers.join()}}`;
  }

  /** @param all the arguments of a computed field */
  private operators(given: unknown, kind: FilterKind, of: string, all?: ComputedDescriptor['arguments']): string {
    const isArguments = (name: string): boolean => all !== undefined && name === 'args';
    return `{${this.entries(given, of)
      .map(([name, value]) => {
        const inner = `${of}.${name}`;
        return name + (isArguments(name) ? this.arguments(value, all, inner) : this.operand(name, value, kind, inner));
      })
      .join()}}`;
  }

  private arguments(given: unknown, all: ComputedDescriptor['arguments'] = [], of: string): string {
    const names = this.entries(given, of).map(([name]) => {
      if (all.some(({ name: own, field = own }) => field === name)) return name;
      throw this.refuse(`${of}.${name} is not an argument`);
    });
    return `(${names.join()})`;
  }

  private operand(name: string, value: unknown, kind: FilterKind, of: string): string {
    const operator = graphqlOperator(name, kind);
    if (operator === undefined) throw this.refuse(`${of} is not an operator of its column`);
    if (value === null) throw this.refuse(`${of} has no value`);
    if (operator.measures !== undefined) return this.operators(value, operator.measures, of);
    switch (operator.operand) {
      case 'none':
        if (typeof value !== 'boolean') throw this.refuse(`${of} takes true or false`);
        return `=${String(value)}`;
      case 'pair':
        if (!Array.isArray(value) || value.length !== 2) throw this.refuse(`${of} takes a list of two values`);
        return '';
      case 'tsquery':
        return typeof value === 'string' ? '' : `(${this.search(value, of).join()})`;
      default:
        return '';
    }
  }

  private search(given: unknown, of: string): readonly string[] {
    return this.entries(given, of).map(([name, value]) => {
      if (name !== 'query' && name !== 'config') throw this.refuse(`${of} takes query and config`);
      if (value === null) throw this.refuse(`${of}.${name} has no value`);
      return name;
    });
  }

  private entries(given: unknown, of: string): readonly (readonly [string, unknown])[] {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) throw this.refuse(`${of} takes an object`);
    return Object.entries(given);
  }
}

/** A part of a condition, and where the same part of another one of its shape is found. */
const placed = (
  part: unknown,
  read: Value['read'],
  value: (part: unknown, read: Value['read']) => Value,
): ArgumentValue => ({
  isNull: part === null,
  isConstant: false,
  missing: [],
  fields: () => Object.entries(part as object).map(([name, each]) => [name, placed(each, member(read, name), value)]),
  items: () =>
    Array.isArray(part) ? part.map((each, at) => placed(each, member(read, at), value)) : [placed(part, read, value)],
  current: () => part,
  value: () => value(part, read),
});

const member =
  (read: Value['read'], name: string | number): Value['read'] =>
  (inputs, conditions) =>
    (read(inputs, conditions) as Readonly<Record<string | number, unknown>>)[name];
