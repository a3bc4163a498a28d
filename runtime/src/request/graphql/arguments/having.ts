import type { AggregateFunction, Having } from '../../../plan/intent.js';
import { aggregateFunctions, aggregateType } from '../../../plan/aggregates.js';
import { filterKind, type FilterKind } from '../../../plan/operator.js';
import { graphqlOperator } from '../../../plan/operators.js';
import type { Table } from '../../../descriptor/registry.js';
import { computedOf, namedValue } from './computed.js';
import { operation, refuseEmpty, refuseMissing, refuseNull } from './filter.js';
import type { ArgumentValue } from './argument-value.js';
import { refusedFilter } from './refusal.js';

/**
 * `having: {count: {gt: 1}, sum: {price: {gt: 10}}, or: […]}`: conditions on groups, ANDed.
 * Source: decision 004.
 */
export function havingOf(table: Table, given: ArgumentValue): Having {
  refuseNull(given, 'having');
  return both(given.fields().map(([name, item]) => conditionOf(table, name, item)));
}

/** A condition inside another one, which has to say something. */
function innerHavingOf(table: Table, name: string, given: ArgumentValue): Having {
  refuseEmpty(given, name);
  return havingOf(table, given);
}

function conditionOf(table: Table, name: string, given: ArgumentValue): Having {
  refuseNull(given, name);
  switch (name) {
    case 'and':
    case 'or':
      return { kind: name, conditions: given.items().map((item) => innerHavingOf(table, name, item)) };
    case 'not':
      return { kind: 'not', condition: innerHavingOf(table, name, given) };
    case 'count':
      refuseEmpty(given, name);
      return comparisons('count', {}, 'int', given);
    default:
      refuseEmpty(given, name);
      return both(given.fields().map(([field, item]) => ofColumn(table, name, field, item)));
  }
}

function ofColumn(table: Table, name: string, field: string, given: ArgumentValue): Having {
  refuseNull(given, field);
  refuseEmpty(given, field);
  const named = namedValue(table, field);
  const value = table.byField.get(field) ?? computedOf(table, field);
  const known = aggregateFunctions.find((each) => each === name);
  const type = value === undefined || known === undefined ? undefined : aggregateType(known, value.type);
  if (named === undefined || known === undefined || type === undefined) {
    throw refusedFilter(`having: ${name} of ${field} cannot be compared.`);
  }
  return comparisons(known, typeof named === 'string' ? { column: named } : named, filterKind(type), given);
}

function comparisons(
  name: 'count' | AggregateFunction,
  of: { readonly column?: string } | { readonly computed: string },
  kind: FilterKind,
  given: ArgumentValue,
): Having {
  refuseMissing(given);
  return both(
    given.fields().map(([spelling, item]) => {
      refuseNull(item, spelling);
      const operator = graphqlOperator(spelling, kind);
      if (operator === undefined) throw refusedFilter(`having: ${name} cannot be compared with ${spelling}.`);
      const { operator: id, values } = operation(operator, item);
      return { kind: 'compare', function: name, ...of, operator: id, values };
    }),
  );
}

function both(conditions: readonly Having[]): Having {
  const [only, ...more] = conditions;
  return only !== undefined && more.length === 0 ? only : { kind: 'and', conditions };
}
