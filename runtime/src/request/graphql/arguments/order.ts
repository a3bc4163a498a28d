import type { ColumnDescriptor } from '../../../descriptor/descriptor.js';
import type { Order, RowValueName, VectorOrder } from '../../../plan/intent.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import { nearest } from '../../../nearest.js';
import type { Settings } from '../../../settings/settings.js';
import { ServerError, codes } from '../../../errors.js';
import type { ArgumentValue } from './argument-value.js';
import { computedOf, givenByInput, namedValue } from './computed.js';
import { refuseMissing } from './filter.js';
import { malformedParameter } from '../../../plan/refuse.js';

/**
 * `orderBy`: a list of objects; the keys of one object count in the order they are written.
 * Source: decision 003.
 */
export function ordersOf(registry: Registry, table: Table, given: ArgumentValue): readonly Order[] {
  return given
    .items()
    .flatMap((item) => item.fields().flatMap(([name, value]) => ordersBy(registry, table, name, value)));
}

function ordersBy(registry: Registry, table: Table, name: string, given: ArgumentValue): readonly Order[] {
  if (given.isNull) throw malformedParameter(`orderBy: ${name} is null, which is not a direction.`, 'Leave it out.');
  const column = table.byField.get(name);
  if (column !== undefined) return [{ by: { kind: 'column', column: column.name }, ...directionOf(given) }];
  const relation = table.relationsByName.get(name);
  if (relation === undefined) return [computedOrder(table, name, given)];
  if (relation.cardinality === 'many') {
    return given.fields().map(([, count]) => ({ by: { kind: 'count', relation: name }, ...directionOf(count) }));
  }
  const target = registry.table.get(relation.table);
  if (target === undefined) throw new TypeError(`${name} leads to ${relation.table}, which is not there.`);
  return given
    .fields()
    .flatMap(([inner, value]) => ordersBy(registry, target, inner, value))
    .map(({ by, ...rest }) => ({ by: { kind: 'relation', relation: name, by }, ...rest }));
}

/**
 * `{label: ASC}`, and `{priceIn: {args: {currency: "EUR"}, direction: ASC}}` where the field has
 * arguments.
 */
function computedOrder(table: Table, name: string, given: ArgumentValue): Order {
  const computed = computedOf(table, name);
  if (computed?.arguments === undefined) return { by: { kind: 'computed', name }, ...directionOf(given) };
  refuseMissing(given);
  const fields = new Map(given.fields());
  const direction = fields.get('direction');
  if (direction?.isNull === true)
    throw malformedParameter(`orderBy: the direction of ${name} is null.`, 'Leave it out.');
  return {
    by: { kind: 'computed', name, ...givenByInput(computed, fields.get('args')) },
    ...(direction === undefined ? { direction: 'asc' } : directionOf(direction)),
  };
}

/** ASC, DESC, and where nulls go: `DESC_NULLS_LAST`. */
function directionOf(given: ArgumentValue): Pick<Order, 'direction' | 'nulls'> {
  const spelling = String(given.current());
  const direction = spelling.startsWith('DESC') ? 'desc' : 'asc';
  if (spelling.endsWith('FIRST')) return { direction, nulls: 'first' };
  return spelling.endsWith('LAST') ? { direction, nulls: 'last' } : { direction };
}

const distances: Readonly<Record<string, VectorOrder['distance']>> = {
  L2: 'L2',
  EUCLIDEAN: 'L2',
  COSINE: 'COSINE',
  IP: 'IP',
  INNER_PRODUCT: 'IP',
};

/**
 * The `vector` argument. Source: decision 011.
 * Throws ServerError for a column that is not there or not a vector, and for an unknown distance.
 */
export function vectorOrderOf(table: Table, given: ArgumentValue, settings: Settings): VectorOrder {
  const fields = new Map(given.fields());
  const near = fields.get('near');
  if (near === undefined || near.isNull) throw malformedParameter('vector: near is missing.');
  const limit = fields.get('limit');
  return {
    column: vectorColumn(table, String(fields.get('column')?.current()), settings),
    near: near.value(),
    distance: distanceOf(fields.get('distance')),
    ...(limit === undefined || limit.isNull ? {} : { limit: limit.value() }),
  };
}

function vectorColumn(table: Table, name: string, settings: Settings): string {
  const vectors = table.columns.filter((column) => column.type.kind === 'vector');
  const column = table.byField.get(name) ?? table.byName.get(name);
  if (column !== undefined && vectors.includes(column)) return column.name;
  throw new ServerError(400, codes.unknownColumn, `${table.field} has no vector column ${JSON.stringify(name)}.`, {
    hint: settings['app.graphql.introspection'] ? hintAt(vectors, name) : undefined,
  });
}

function hintAt(vectors: readonly ColumnDescriptor[], name: string): string {
  const names = vectors.map((each) => each.name);
  const meant = nearest(name, names);
  return meant === undefined ? `Vector columns: ${names.join(', ')}.` : `Did you mean ${meant}?`;
}

function distanceOf(given: ArgumentValue | undefined): VectorOrder['distance'] {
  if (given === undefined || given.isNull) return 'L2';
  const name = String(given.current()).toUpperCase();
  const distance = Object.hasOwn(distances, name) ? distances[name] : undefined;
  if (distance === undefined) {
    throw malformedParameter(`vector: distance ${JSON.stringify(name)} is unknown.`, 'One of L2, COSINE, IP.');
  }
  return distance;
}

/** A list of columns and computed fields by their GraphQL names: `distinctOn`, `groupBy`. */
export function columnsOf(table: Table, given: ArgumentValue): readonly RowValueName[] {
  return given.items().map((item) => {
    const named = namedValue(table, String(item.current()));
    if (named === undefined) throw new TypeError(`${table.type} has no column ${String(item.current())}.`);
    return named;
  });
}
