import { misconfigured } from '../../errors.js';
import type { ServerError } from '../../errors.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import type { Filter } from '../../plan/intent.js';
import type { ArgumentValue } from './argument-value.js';
import { filterOf } from './filter.js';

/**
 * A condition that the user's code gives as a `where` input, which no schema has checked.
 * @param hook the name of the hook, for errors
 * @throws ServerError `misconfigured` for unknown names and for missing values: neither may mean
 * "all rows"
 */
export function conditionFilter(registry: Registry, table: Table, condition: unknown, hook: string): Filter {
  check(registry, table, condition, (what) =>
    misconfigured(`${hook} answered a condition that cannot be used: ${what}.`, hint),
  );
  return filterOf(registry, table, constant(JSON.parse(JSON.stringify(condition, exactly))));
}

/** The text of a condition: equal for equal conditions. */
export const conditionText = (condition: unknown): string => JSON.stringify(condition, exactly);

const exactly = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value);

const hint =
  'It has the form of `where` in GraphQL, with the names that the API has. Answer nothing where all rows may be read.';

type Refuse = (what: string) => ServerError;

function check(registry: Registry, table: Table, given: unknown, refuse: Refuse): void {
  for (const [name, value] of entriesOf(given, table.type, refuse)) {
    const relation = table.relationsByName.get(name);
    if (table.byField.has(name) || table.computed?.some((each) => each.name === name) === true)
      checkOperators(value, `${table.type}.${name}`, refuse);
    else if (relation !== undefined) {
      const target = registry.table.get(relation.table);
      if (target === undefined) throw refuse(`${name} leads to a table that is not served`);
      const filters = relation.cardinality === 'one' ? [value] : quantified(value, `${table.type}.${name}`, refuse);
      for (const each of filters) check(registry, target, each, refuse);
    } else if (name === 'not') check(registry, table, value, refuse);
    else if (name === 'and' || name === 'or') {
      if (!Array.isArray(value)) throw refuse(`${name} takes a list`);
      for (const each of value) check(registry, table, each, refuse);
    } else throw refuse(`${table.type} has no field ${name}`);
  }
}

function quantified(given: unknown, of: string, refuse: Refuse): readonly unknown[] {
  return entriesOf(given, of, refuse).map(([name, value]) => {
    if (name !== 'some' && name !== 'every' && name !== 'none') throw refuse(`${of} takes some, every or none`);
    return value;
  });
}

function checkOperators(given: unknown, of: string, refuse: Refuse): void {
  const operators = entriesOf(given, of, refuse);
  if (operators.length === 0) throw refuse(`${of} has no operator`);
  for (const [name, value] of operators) {
    if (value === undefined || value === null) throw refuse(`${of}.${name} has no value`);
    if (Array.isArray(value) && value.includes(undefined)) throw refuse(`${of}.${name} has an item without a value`);
  }
}

function entriesOf(given: unknown, of: string, refuse: Refuse): readonly (readonly [string, unknown])[] {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw refuse(`${of} takes an object`);
  return Object.entries(given);
}

/** A value that is the same in every request. */
const constant = (value: unknown): ArgumentValue => ({
  isNull: value === null,
  isConstant: true,
  fields: () => Object.entries(value as object).map(([name, each]) => [name, constant(each)] as const),
  missing: [],
  items: () => (Array.isArray(value) ? value : [value]).map(constant),
  current: () => value,
  value: () => ({ read: () => value, form: 'json' }),
});
