import { ServerError, codes } from '../../../errors.js';
import type { Filter, Order, ReadIntent, Selection } from '../../../plan/intent.js';
import { unsupported } from '../../../plan/refuse.js';
import type { RelationDescriptor } from '../../../descriptor/descriptor.js';
import type { Registry, Table } from '../../../descriptor/registry.js';
import { computedOf } from '../grammar/computed-name.js';
import { givenToComputed, nothingGiven, type GivenToComputed } from './computed.js';
import { quoteName } from '../grammar/malformed.js';
import { parseOrder, type OrderItem } from '../grammar/order.js';
import { toBePlanned } from './rest-column.js';
import { resolveRelation } from './relation.js';
import type { ReadForm } from './read-form.js';
import type { Relation } from './relation-way.js';
import { parseSelect, type SelectEmbed, type SelectItem } from '../grammar/select.js';
import { selectionsOf } from './selection.js';
import { emptyScope, type Scope, type Tokens } from '../grammar/tokens.js';
import { countInput, jsonInput, whereOf } from './where.js';

/**
 * The intent of a read, from its tokens. Names of relations are looked up here; the planner checks
 * columns and limits. Throws ServerError 400 for an unknown relation, and for filters of a table
 * that is not embedded.
 */
export function readIntent(tokens: Tokens, table: Table, registry: Registry, form: ReadForm): ReadIntent {
  return buildRead(parseSelect(tokens.select ?? '', form.grammar), tokens.root, table, { registry, form });
}

interface Asked {
  readonly registry: Registry;
  readonly form: ReadForm;
}

interface Embedded {
  readonly as: string;
  readonly item: SelectEmbed;
  readonly relation: Relation;
  readonly read: ReadIntent;
  readonly given: GivenToComputed;
}

function buildRead(given: readonly SelectItem[], scope: Scope, table: Table, asked: Asked): ReadIntent {
  const { form } = asked;
  const items = withoutRepeated(
    form.grammar.aggregates === 'allowed' ? given.map((item) => countOr(item, table)) : given,
  );
  const all = embeddedOf(items, scope, table, asked);
  const embedded = firstByName(all, form);
  for (const name of scope.embedded.keys()) if (!embedded.has(name)) throw notEmbedded(table, name);
  const computed = givenToComputed(scope.arguments, items, table);
  const test = (name: string): Filter | undefined => {
    const found = embedded.get(name);
    return found === undefined ? undefined : exists(found);
  };
  const where = whereOf(scope.conditions, table, test, computed);
  const hidden = all.filter(({ item, read }) => item.inner && !isShown(item, read)).map(exists);
  const filter = allOf([...(where === undefined ? [] : [where]), ...hidden]);
  return {
    table,
    select: selections(items, all, table, computed, form),
    ...(filter === undefined ? {} : { where: filter }),
    ...orderAndPage(scope, table, form, (item) =>
      orderOf(selectedAs(item, items, table, asked), { table, asked, embedded, given: computed }),
    ),
    form,
  };
}

/**
 * Reads `rel(count)`, the older spelling of `rel(count())`, as an aggregate, unless the table has a
 * column `count`.
 */
const countOr = (item: SelectItem, table: Table): SelectItem =>
  item.kind === 'column' && item.column === 'count' && item.path.length === 0 && !table.byRestName.has('count')
    ? { ...item, kind: 'aggregate', function: 'count' }
    : item;

/**
 * A table that is embedded again in the same words is embedded once. Other words ask for another
 * value: spread columns beside the embedded object, or a second object, which needs an alias.
 */
function withoutRepeated(items: readonly SelectItem[]): readonly SelectItem[] {
  const seen = new Set<string>();
  return items.filter((item) => {
    if (item.kind !== 'embed') return true;
    const text = JSON.stringify(item);
    if (seen.has(text)) return false;
    seen.add(text);
    return true;
  });
}

/**
 * By the names that filters and orders use. A table that is embedded and spread has one name for
 * both, and the same conditions: its existence and its order can be asked of either.
 */
const firstByName = (all: readonly Embedded[], form: ReadForm): ReadonlyMap<string, Embedded> =>
  new Map([...all].reverse().flatMap((each) => namesOf(each.item, form).map((name) => [name, each] as const)));

const namesOf = ({ alias, relation }: SelectEmbed, { embeddedNames }: ReadForm): readonly string[] =>
  alias === undefined ? [relation] : embeddedNames === 'aliasAndTable' ? [alias, relation] : [alias];

/** The parameters of an embedded table: those of its names that no earlier table has. */
function scopeOf(item: SelectEmbed, items: readonly SelectItem[], { embedded }: Scope, form: ReadForm): Scope {
  const as = item.alias ?? item.relation;
  const isFirst = (name: string): boolean =>
    items.find((each) => each.kind === 'embed' && namesOf(each, form).includes(name)) === item;
  const scopes = namesOf(item, form).flatMap((name) => {
    const own = name === as || isFirst(name) ? embedded.get(name) : undefined;
    return own === undefined ? [] : [own];
  });
  const [first = emptyScope(), ...others] = scopes;
  return others.reduce(
    (all, other) => ({
      ...other,
      ...all,
      conditions: [...all.conditions, ...other.conditions],
      embedded: new Map([...other.embedded, ...all.embedded]),
    }),
    first,
  );
}

function embeddedOf(items: readonly SelectItem[], scope: Scope, table: Table, asked: Asked): readonly Embedded[] {
  return items.flatMap((item) => {
    if (item.kind !== 'embed') return [];
    const as = item.alias ?? item.relation;
    const relation = resolveRelation(table, item.relation, item.hint, asked);
    const own = scopeOf(item, items, scope, asked.form);
    const read = buildRead(item.items, own, relation.table, asked);
    return [{ as, item, relation, read, given: givenToComputed(own.arguments, item.items, relation.table) }];
  });
}

/** Whether anything of it is shown: a table may be embedded for its filters alone. */
const showsValues = (item: SelectItem): boolean => item.kind !== 'embed' || item.items.some(showsValues);

/**
 * Columns and embedded tables in the order of `select`. An embedded table without selected columns
 * is not shown.
 */
function selections(
  items: readonly SelectItem[],
  embedded: readonly Embedded[],
  table: Table,
  given: GivenToComputed,
  form: ReadForm,
): readonly Selection[] {
  const shown = new Map<SelectItem, readonly Selection[]>(
    embedded.map((each) => [each.item, embeddedSelections(each)]),
  );
  const visible = items.filter(showsValues);
  return selectionsOf(visible, table, (item) => shown.get(item) ?? [], given, form);
}

function embeddedSelections({ as, item, relation, read }: Embedded): readonly Selection[] {
  const { name } = relation.descriptor;
  const inner = item.inner ? { inner: true } : {};
  if (item.isSpread !== true) return [{ kind: 'relation', as, relation: name, read, ...inner }];
  const first = read.select.find(isNoAggregate);
  return read.select.map((selection) => {
    if (!isNoAggregate(selection)) return throughRelation(selection, relation.descriptor, read);
    const spread = { ...read, select: [{ ...selection, as: 'v' }] };
    return { kind: 'spread', as: selection.as, relation: name, read: spread, ...(selection === first ? inner : {}) };
  });
}

type Aggregated = Extract<Selection, { kind: 'aggregated' }>;

const isNoAggregate = (selection: Selection): selection is Exclude<Selection, Aggregated> =>
  selection.kind !== 'aggregated';

/**
 * Whether the answer shows rows of the embedded table. If all selections of a spread are
 * aggregates, it shows none.
 */
const isShown = (item: SelectEmbed, { select }: ReadIntent): boolean =>
  showsValues(item) && (item.isSpread !== true || select.some(isNoAggregate));

/**
 * An aggregate of a spread table aggregates over the rows of the embedding table.
 * Source: PostgREST, "Aggregate Functions".
 */
function throughRelation(
  selection: Aggregated,
  { name, cardinality }: RelationDescriptor,
  { where }: ReadIntent,
): Selection {
  if (cardinality === 'many') {
    throw unsupported(
      'Aggregates are not implemented for one-to-many or many-to-many spreads.',
      'Without `...` they are: table(column.sum()).',
    );
  }
  const step = { relation: name, ...(where === undefined ? {} : { where }) };
  return { ...selection, through: [step, ...(selection.through ?? [])] };
}

function exists({ relation, read }: Embedded): Filter {
  return {
    kind: 'relation',
    relation: relation.descriptor.name,
    quantifier: relation.descriptor.cardinality === 'one' ? 'one' : 'some',
    filter: read.where ?? { kind: 'and', filters: [] },
  };
}

function allOf(filters: readonly Filter[]): Filter | undefined {
  return filters.length <= 1 ? filters[0] : { kind: 'and', filters };
}

type OrderAndPage = Pick<ReadIntent, 'orderBy' | 'limit' | 'offset' | 'vector'>;

/** A vector search replaces the order, and its own limit replaces `limit`: decision 011. */
function orderAndPage(scope: Scope, table: Table, form: ReadForm, orderOf: (item: OrderItem) => Order): OrderAndPage {
  const offset = scope.offset === undefined ? {} : { offset: countInput(scope.offset) };
  const limit = scope.limit === undefined ? {} : { limit: countInput(scope.limit) };
  if (scope.vector !== undefined) {
    const { column, near, distance, limit: own } = scope.vector;
    const bound = own === undefined ? limit : { limit: countInput(own) };
    return { vector: { column: toBePlanned(table, column), near: jsonInput(near), distance, ...bound }, ...offset };
  }
  if (scope.order === undefined) return { ...limit, ...offset };
  const orderBy = parseOrder(scope.order, 'order', form.grammar).map(orderOf);
  return { orderBy, ...limit, ...offset };
}

/** The table and the embedded tables that an order can name. */
interface Ordered {
  readonly table: Table;
  readonly asked: Asked;
  readonly embedded: ReadonlyMap<string, Embedded>;
  readonly given: GivenToComputed;
}

/**
 * The column that an order of groups means by the name that it has in the answer, also by that of a
 * column spread from another table.
 */
function selectedAs(item: OrderItem, items: readonly SelectItem[], table: Table, { form }: Asked): OrderItem {
  if (item.path.length > 0 || !items.some(groupsRows)) return item;
  const { relation } = item;
  if (relation === undefined && table.byRestName.has(item.column)) return item;
  const of = (each: SelectItem): readonly OrderItem[] => {
    if (each.kind === 'column') return relation === undefined ? namedBy(each, item) : [];
    if (each.kind !== 'embed' || each.isSpread !== true) return [];
    const isMeant = relation === undefined || namesOf(each, form).includes(relation);
    const named = each.alias ?? each.relation;
    return isMeant
      ? each.items.flatMap((one) => namedBy(one, item)).map((found) => ({ ...found, relation: named }))
      : [];
  };
  return items.flatMap(of)[0] ?? item;
}

const groupsRows = (item: SelectItem): boolean =>
  item.kind === 'aggregate' || (item.kind === 'embed' && item.isSpread === true && item.items.some(groupsRows));

const namedBy = (each: SelectItem, item: OrderItem): readonly OrderItem[] =>
  each.kind === 'column' && each.path.length === 0 && (each.alias ?? each.column) === item.column
    ? [{ ...item, column: each.column }]
    : [];

function orderOf(item: OrderItem, { table, asked, embedded, given }: Ordered): Order {
  const { direction, nulls } = item;
  const rest = { direction, ...(nulls === undefined ? {} : { nulls }) };
  if (item.relation === undefined) return { by: orderKey(item, table, given), ...rest };
  const found = embedded.get(item.relation);
  if (found === undefined && asked.form.ordersBy === 'embedded') throw notEmbedded(table, item.relation);
  const relation = found?.relation ?? resolveRelation(table, item.relation, undefined, asked);
  if (relation.descriptor.cardinality !== 'one') {
    throw manyToOrderBy(table, item.relation);
  }
  const by = orderKey(item, relation.table, found?.given ?? nothingGiven);
  return { by: { kind: 'relation', relation: relation.descriptor.name, by }, ...rest };
}

function orderKey({ column, path }: OrderItem, table: Table, given: GivenToComputed): Order['by'] {
  const computed = table.byRestName.has(column) ? undefined : computedOf(table, column);
  if (computed !== undefined) return { kind: 'computed', name: computed, ...given.field(computed) };
  return { kind: 'column', column: toBePlanned(table, column), ...(path.length === 0 ? {} : { path }) };
}

const manyToOrderBy = (table: Table, name: string): ServerError =>
  new ServerError(
    400,
    codes.malformedParameter,
    `Parameter "order": there are many ${quoteName(name)} for one row, so they give no order.`,
    { reason: { kind: 'relatedOrder', origin: table.name, name } },
  );

const notEmbedded = (table: Table, name: string): ServerError =>
  new ServerError(
    400,
    codes.malformedParameter,
    `Table "${table.name}" has no column and embeds no table ${quoteName(name)}.`,
    {
      hint: `To filter rows of another table, embed it: select=*,${name}(*). A column with a dot in its name is quoted.`,
      reason: { kind: 'notEmbedded', name },
    },
  );
