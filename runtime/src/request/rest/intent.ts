import { ServerError, codes } from '../../errors.js';
import type { Filter, Order, ReadIntent, Selection } from '../../plan/intent.js';
import type { Registry, Table } from '../../descriptor/registry.js';
import { computedOf } from './computed.js';
import { malformedParameter, quoteName } from './malformed.js';
import { parseOrder, type OrderItem } from './order.js';
import { resolveRelation, type Relation } from './relation.js';
import { parseSelect, type SelectEmbed, type SelectItem } from './select.js';
import { selectionsOf } from './selection.js';
import { emptyScope, type Scope, type Tokens } from './tokens.js';
import { countInput, jsonInput, whereOf } from './where.js';

/**
 * What a read asks for, from its tokens: names are looked up here, columns and limits checked by the planner.
 * Throws ServerError 400 for a relation that is not there and for filters of a table that is not embedded.
 */
export function readIntent(tokens: Tokens, table: Table, registry: Registry): ReadIntent {
  return buildRead(parseSelect(tokens.select ?? ''), tokens.root, table, registry);
}

interface Embedded {
  readonly as: string;
  readonly item: SelectEmbed;
  readonly relation: Relation;
  readonly read: ReadIntent;
}

function buildRead(items: readonly SelectItem[], scope: Scope, table: Table, registry: Registry): ReadIntent {
  const embedded = new Map(embeddedOf(items, scope, table, registry).map((each) => [each.as, each]));
  for (const name of scope.embedded.keys()) if (!embedded.has(name)) throw notEmbedded(table, name);
  const where = whereOf(scope.conditions, table, (name) => {
    const found = embedded.get(name);
    return found === undefined ? undefined : exists(found);
  });
  const hidden = [...embedded.values()].filter(({ item }) => item.items.length === 0 && item.inner).map(exists);
  const filter = all([...(where === undefined ? [] : [where]), ...hidden]);
  return {
    table,
    select: selections(items, [...embedded.values()], table),
    ...(filter === undefined ? {} : { where: filter }),
    ...orderAndPage(scope, table, registry, embedded),
    dialect: 'rest',
  };
}

function embeddedOf(items: readonly SelectItem[], scope: Scope, table: Table, registry: Registry): readonly Embedded[] {
  return items.flatMap((item) => {
    if (item.kind !== 'embed') return [];
    const as = item.alias ?? item.relation;
    const relation = resolveRelation(table, item.relation, item.hint, registry);
    const read = buildRead(item.items, scope.embedded.get(as) ?? emptyScope(), relation.table, registry);
    return [{ as, item, relation, read }];
  });
}

/** Columns in the order of `select`, then embedded tables where they stand in it. One that selects nothing is not shown. */
function selections(items: readonly SelectItem[], embedded: readonly Embedded[], table: Table): readonly Selection[] {
  const shown = new Map<SelectItem, Selection>(
    embedded.map(({ as, item, relation, read }) => [
      item,
      { kind: 'relation', as, relation: relation.descriptor.name, read, ...(item.inner ? { inner: true } : {}) },
    ]),
  );
  const visible = items.filter((item) => item.kind !== 'embed' || item.items.length > 0);
  return selectionsOf(visible, table, (item) => shown.get(item));
}

function exists({ relation, read }: Embedded): Filter {
  return {
    kind: 'relation',
    relation: relation.descriptor.name,
    quantifier: relation.descriptor.cardinality === 'one' ? 'one' : 'some',
    filter: read.where ?? { kind: 'and', filters: [] },
  };
}

function all(filters: readonly Filter[]): Filter | undefined {
  return filters.length <= 1 ? filters[0] : { kind: 'and', filters };
}

type OrderAndPage = Pick<ReadIntent, 'orderBy' | 'limit' | 'offset' | 'vector'>;

/** A vector search replaces the order, and the limit by its own: contract 4.6. */
function orderAndPage(
  scope: Scope,
  table: Table,
  registry: Registry,
  embedded: ReadonlyMap<string, Embedded>,
): OrderAndPage {
  const offset = scope.offset === undefined ? {} : { offset: countInput(scope.offset) };
  const limit = scope.limit === undefined ? {} : { limit: countInput(scope.limit) };
  if (scope.vector !== undefined) {
    const { column, near, distance, limit: own } = scope.vector;
    const bound = own === undefined ? limit : { limit: countInput(own) };
    return { vector: { column, near: jsonInput(near), distance, ...bound }, ...offset };
  }
  if (scope.order === undefined) return { ...limit, ...offset };
  const orderBy = parseOrder(scope.order, 'order').map((item) => orderOf(item, table, registry, embedded));
  return { orderBy, ...limit, ...offset };
}

function orderOf(item: OrderItem, table: Table, registry: Registry, embedded: ReadonlyMap<string, Embedded>): Order {
  const { direction, nulls } = item;
  const rest = { direction, ...(nulls === undefined ? {} : { nulls }) };
  if (item.relation === undefined) return { by: orderKey(item, table), ...rest };
  const relation = embedded.get(item.relation)?.relation ?? resolveRelation(table, item.relation, undefined, registry);
  if (relation.descriptor.cardinality !== 'one') {
    throw malformedParameter('order', `there are many ${quoteName(item.relation)} for one row, so they give no order.`);
  }
  return { by: { kind: 'relation', relation: relation.descriptor.name, by: orderKey(item, relation.table) }, ...rest };
}

function orderKey({ column, path }: OrderItem, table: Table): Order['by'] {
  const computed = table.byName.has(column) ? undefined : computedOf(table, column);
  if (computed !== undefined) return { kind: 'computed', name: computed };
  return { kind: 'column', column, ...(path.length === 0 ? {} : { path }) };
}

const notEmbedded = (table: Table, name: string): ServerError =>
  new ServerError(
    400,
    codes.malformedParameter,
    `Table "${table.name}" has no column and embeds no table ${quoteName(name)}.`,
    {
      hint: `To filter rows of another table, embed it: select=*,${name}(*). A column with a dot in its name is quoted.`,
    },
  );
