import type { ColumnDescriptor, ComputedDescriptor, RelationDescriptor } from '../../../descriptor/descriptor.js';
import type { Filter, GivenArguments, Value } from '../../../plan/intent.js';
import { filterKind, type Operator } from '../../../plan/operator.js';
import { graphqlOperator } from '../../../plan/operators.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import type { ArgumentValue } from './argument-value.js';
import { computedOf, givenByInput } from './computed.js';
import type { ServerError } from '../../../errors.js';
import { malformedParameter } from '../../../plan/refuse.js';
import { refusedFilter } from './refusal.js';

/**
 * A `where` input as a filter: everything in one object is ANDed. Source: decision 003. `{}` holds
 * for every row, at the top alone: inside, it is what JSON leaves of `{id: {eq: undefined}}`.
 * Throws ServerError for null, and for a condition inside that says nothing: neither ever means
 * "no filter".
 */
export function filterOf(registry: Registry, table: Table, given: ArgumentValue): Filter {
  refuseNull(given, 'where');
  return all(given.fields().map(([name, item]) => entryOf(registry, table, name, item)));
}

/** A filter inside another one, which has to say something. */
function innerFilterOf(registry: Registry, table: Table, given: ArgumentValue, name: string): Filter {
  refuseEmpty(given, name);
  return filterOf(registry, table, given);
}

/** Throws ServerError for a filter that holds for every row, whichever it is: `and: []`. */
export function limiting(filter: Filter, name: string): Filter {
  if (knownAnswer(filter) === true) throw noCondition(name);
  return filter;
}

/** Whether the filter holds, where that is the same for every row. */
function knownAnswer(filter: Filter): boolean | undefined {
  switch (filter.kind) {
    case 'and':
    case 'or': {
      const deciding = filter.kind === 'or';
      const answers = filter.filters.map(knownAnswer);
      if (answers.includes(deciding)) return deciding;
      return answers.includes(undefined) ? undefined : !deciding;
    }
    case 'not': {
      const answer = knownAnswer(filter.filter);
      return answer === undefined ? undefined : !answer;
    }
    case 'relation': {
      // Without related rows, `every` and `none` hold, and the others do not.
      const holdsWithout = filter.quantifier === 'every' || filter.quantifier === 'none';
      return knownAnswer(filter.filter) === (filter.quantifier === 'every') ? holdsWithout : undefined;
    }
    case 'compare':
      return undefined;
  }
}

/** Every one of `filters`; the filter itself when it is one. */
export function all(filters: readonly Filter[]): Filter {
  const [only, ...more] = filters;
  return only !== undefined && more.length === 0 ? only : { kind: 'and', filters };
}

/**
 * A list of `where` inputs, one of which must hold: the top-level `or` argument. No alternative
 * holds nothing.
 */
export const anyOf = (registry: Registry, table: Table, given: ArgumentValue): Filter => ({
  kind: 'or',
  filters: given.items().map((item) => innerFilterOf(registry, table, item, 'or')),
});

function entryOf(registry: Registry, table: Table, name: string, given: ArgumentValue): Filter {
  refuseNull(given, name);
  const column = table.byField.get(name);
  if (column !== undefined) return columnFilter(column, given);
  const relation = table.relationsByName.get(name);
  if (relation !== undefined) return relationFilter(registry, relation, given);
  const computed = computedOf(table, name);
  if (computed !== undefined) return computedFilter(computed, given);
  switch (name) {
    case 'or':
      return anyOf(registry, table, given);
    case 'not':
      return { kind: 'not', filter: innerFilterOf(registry, table, given, name) };
    default:
      return { kind: 'and', filters: given.items().map((item) => innerFilterOf(registry, table, item, name)) };
  }
}

/** `{}` asks whether there is a related row, but for `every`, where it asks nothing. */
function relationFilter(registry: Registry, relation: RelationDescriptor, given: ArgumentValue): Filter {
  const target = registry.table.get(relation.table);
  if (target === undefined) throw new TypeError(`${relation.name} leads to ${relation.table}, which is not there.`);
  if (relation.cardinality === 'one') {
    refuseEmptied(given, relation.name);
    return { kind: 'relation', relation: relation.name, quantifier: 'one', filter: filterOf(registry, target, given) };
  }
  refuseEmpty(given, relation.name);
  return all(
    given.fields().map(([quantifier, item]) => {
      if (quantifier === 'every') refuseEmpty(item, quantifier);
      else refuseEmptied(item, quantifier);
      const filter = filterOf(registry, target, item);
      return { kind: 'relation', relation: relation.name, quantifier: quantifierOf(quantifier), filter };
    }),
  );
}

function quantifierOf(name: string): 'some' | 'every' | 'none' {
  if (name === 'some' || name === 'every' || name === 'none') return name;
  throw new TypeError(`No quantifier is called ${name}; validation lets none through.`);
}

/** A column, or a computed field with the arguments of its function. */
interface Compared extends Pick<ColumnDescriptor, 'name' | 'type'> {
  readonly computed?: true;
  readonly arguments?: GivenArguments;
}

function columnFilter(column: Compared, given: ArgumentValue): Filter {
  refuseMissing(given);
  return conditions(column, given.fields());
}

/** The operators stand beside `args`, and all compare the one value. */
function computedFilter(computed: ComputedDescriptor, given: ArgumentValue): Filter {
  refuseMissing(given);
  const { name, type, arguments: all } = computed;
  const fields = given.fields();
  if (all === undefined) return conditions({ name, type, computed: true }, fields);
  const args = fields.find(([field]) => field === 'args')?.[1];
  return conditions(
    { name, type, computed: true, ...givenByInput(computed, args) },
    fields.filter(([field]) => field !== 'args'),
  );
}

function conditions(column: Compared, fields: readonly (readonly [string, ArgumentValue])[]): Filter {
  if (fields.length === 0) throw noCondition(column.name);
  return all(
    fields.map(([name, item]) => {
      refuseNull(item, name);
      const operator = graphqlOperator(name, filterKind(column.type));
      if (operator === undefined) throw refusedFilter(`${column.name} cannot be filtered with ${name}.`);
      return comparison(column, operator, item);
    }),
  );
}

function comparison({ name: column, computed, ...rest }: Compared, operator: Operator, given: ArgumentValue): Filter {
  const own = rest.arguments === undefined ? {} : { arguments: rest.arguments };
  const compared = { kind: 'compare' as const, column, ...(computed === true ? { computed, ...own } : {}) };
  const measured = operator.measures;
  if (measured !== undefined) {
    refuseMissing(given);
    refuseEmpty(given, operator.id);
    return all(
      given.fields().map(([name, item]) => {
        refuseNull(item, name);
        const inner = graphqlOperator(name, measured);
        if (inner === undefined) throw refusedFilter(`${operator.id} cannot be compared with ${name}.`);
        return { ...compared, of: operator.id, ...operation(inner, item) };
      }),
    );
  }
  return { ...compared, ...operation(operator, given) };
}

interface Operation {
  readonly operator: string;
  readonly values: readonly Value[];
  readonly config?: Value;
}

/** An operator of the table with its operands. Shared with `having`. */
export function operation(operator: Operator, given: ArgumentValue): Operation {
  switch (operator.operand) {
    case 'none':
      return { operator: given.current() === false ? opposite(operator) : operator.id, values: [] };
    case 'pair':
      return { operator: operator.id, values: [bound(given.value(), 0), bound(given.value(), 1)] };
    case 'tsquery':
      return search(operator, given);
    default:
      return { operator: operator.id, values: [given.value()] };
  }
}

/** `isNull: false` is `isNotNull`, and the other way round. */
const opposite = (operator: Operator): string => (operator.id === 'isNull' ? 'isNotNull' : 'isNull');

const bound = (pair: Value, at: 0 | 1): Value =>
  part(pair, (values) => {
    if (!Array.isArray(values) || values.length !== 2) throw refusedFilter('between takes a list of two values.');
    return values[at] as unknown;
  });

const part = ({ form, read, hook }: Value, of: (value: unknown) => unknown): Value => ({
  form,
  read: (inputs, conditions) => of(read(inputs, conditions)),
  ...(hook === undefined ? {} : { hook }),
});

/** Full text: a string, or `{query, config}`. */
function search(operator: Operator, given: ArgumentValue): Operation {
  const value = given.value();
  const current = given.current();
  if (typeof current === 'string') return { operator: operator.id, values: [value] };
  const member = (name: string): Value => part(value, (given) => (given as Record<string, unknown>)[name]);
  const configured = typeof current === 'object' && current !== null && 'config' in current;
  return { operator: operator.id, values: [member('query')], ...(configured ? { config: member('config') } : {}) };
}

/** An operator whose variable was not given: as dangerous to drop as null. */
export function refuseMissing(given: ArgumentValue): void {
  const [name] = given.missing;
  if (name === undefined) return;
  throw refusedFilter(
    `The variable of the operator ${name} was not given.`,
    'Give it a value, or leave the filter out.',
  );
}

/**
 * A condition that says nothing, also one of which absent variables leave nothing. Reads leave the
 * places of absent variables out, and writes refuse them.
 */
export function refuseEmpty(given: ArgumentValue, name: string): void {
  if (!given.isNull && given.fields().length === 0) throw noCondition(name);
}

/** `{}` asks whether there is a related row, if it is written so. */
function refuseEmptied(given: ArgumentValue, name: string): void {
  if (given.missing.length > 0) refuseEmpty(given, name);
}

const noCondition = (name: string): ServerError =>
  malformedParameter(`${name} has no condition.`, 'Give it one, or leave it out.');

export function refuseNull(given: ArgumentValue, name: string): void {
  if (!given.isNull) return;
  throw refusedFilter(`${name} is null, which is not a filter.`, 'Leave it out, or write {isNull: true}.');
}
