import { nodeOf, nodesIn, nodesOf, parseNodeTree, tokenOf, type TreeNode } from './node-tree.js';

/**
 * A column of a relation in the FROM list of a query or of a subquery there: `relation` counts
 * these relations from 1, `column` is `attnum`.
 */
export interface ColumnReference {
  readonly relation: number;
  readonly column: number;
}

/** A relation of a query's FROM list. */
export interface FromItem {
  /** `pg_class.oid`; undefined for a function or VALUES. */
  readonly oid: number | undefined;
  /** Whether an outer join may put nulls in the place of its columns. */
  readonly nullable: boolean;
  /**
   * Conditions that hold for its rows: a column of it equals a column of another relation, or a
   * constant (`other` undefined).
   */
  readonly equalities: readonly { readonly column: number; readonly other: ColumnReference | undefined }[];
}

/** The sources of a view's columns and rows, from its query. */
export interface ViewQuery {
  /**
   * By number, as `ColumnReference` counts them. Empty where the FROM list is none that is
   * understood.
   */
  readonly from: ReadonlyMap<number, FromItem>;
  /** By position in the view, from 1: columns that are a column of a relation, unchanged. */
  readonly columns: ReadonlyMap<number, ColumnReference>;
  /**
   * Whether rows are put together (GROUP BY, UNION, aggregates) or multiplied (functions that
   * return sets).
   */
  readonly reshapesRows: boolean;
}

interface Unresolved {
  readonly index: number;
  readonly conditions: readonly TreeNode[];
  readonly nullable: boolean;
}

const inner = '0';
const left = '1';
const right = '3';
const relationKind = '0';
const cteKind = '6';

/**
 * Reads the query of a view's rewrite rule (`pg_rewrite.ev_action`). A subquery, a CTE and what is
 * LATERAL are read as if their relations stood in the FROM list itself.
 * @param equality oids of the operators that are equality of a btree operator family
 */
export function readViewQuery(rule: string, equality: ReadonlySet<number>): ViewQuery | undefined {
  const tree = parseNodeTree(rule);
  const [query] = nodesIn(tree);
  if (query?.type !== 'QUERY') return undefined;
  let last = 0;
  const { items, columns, reshapesRows } = readLevel(query, { next: () => (last += 1), ctes: new Map() });
  return {
    from: new Map(
      items.map(({ index, oid, nullable, conditions }) => [
        index,
        { oid, nullable, equalities: conditions.flatMap((each) => equalitiesOf(each, index, equality)) },
      ]),
    ),
    columns,
    reshapesRows,
  };
}

/** A condition, and what its variables are. */
interface Condition {
  readonly node: TreeNode;
  readonly resolve: Resolve;
}

/** The column that a variable is, be it one of a relation in a subquery. */
type Resolve = (variable: TreeNode) => ColumnReference | undefined;

interface Item extends Pick<FromItem, 'oid' | 'nullable'> {
  readonly index: number;
  readonly conditions: readonly Condition[];
  /** Its rows are put together: no key of it finds what becomes of them. */
  readonly reshaped?: boolean;
}

interface Level extends Pick<ViewQuery, 'columns' | 'reshapesRows'> {
  readonly items: readonly Item[];
}

interface Surroundings {
  readonly next: () => number;
  /** By name, the nearest ones. */
  readonly ctes: ReadonlyMap<string, TreeNode>;
  /** Of the query around: LATERAL refers to it. */
  readonly outer?: Resolve;
}

/** A query, or one in its FROM list. */
function readLevel(query: TreeNode, { next, ctes, outer }: Surroundings): Level {
  const ranges = nodesOf(query, 'rtable');
  const joinTree = nodeOf(query, 'jointree');
  const where = conjuncts(nodeOf(joinTree, 'quals'));
  const found = nodesOf(joinTree, 'fromlist').map((node) => itemsOf(node, where, false));
  const understood = found.every((each) => each !== undefined) ? found.flat() : [];
  const known = new Map(ctes);
  for (const each of nodesOf(query, 'cteList')) {
    const defined = nodeOf(each, 'ctequery');
    if (defined !== undefined) known.set(tokenOf(each, 'ctename'), defined);
  }
  const indexes = new Map<number, number>();
  const inside = new Map<number, Level>();
  const resolve: Resolve = (variable) => {
    const [level, at, column] = ['varlevelsup', 'varno', 'varattno'].map((name) => Number(tokenOf(variable, name)));
    if (at === undefined || column === undefined) return undefined;
    if (level !== 0) return level === 1 ? outer?.(variable) : undefined;
    // Since PostgreSQL 18 a column after GROUP BY is one of a range of its own, which lists the
    // grouped expressions.
    const grouped = nodesOf(ranges[at - 1], 'groupexprs')[column - 1];
    if (grouped !== undefined) return grouped.type === 'VAR' ? resolve(grouped) : undefined;
    const relation = indexes.get(at);
    return relation === undefined ? inside.get(at)?.columns.get(column) : { relation, column };
  };
  const ofOuter: Resolve = (variable) => resolve(atLevel(variable, 0));
  const items: Item[] = [];
  const shared: Condition[] = [];
  for (const { index: at, conditions: nodes, nullable } of understood) {
    const range = ranges[at - 1];
    const conditions = nodes.map((node) => ({ node, resolve }));
    const subquery = nodeOf(range, 'subquery') ?? cteOf(range, known);
    if (subquery === undefined) {
      const index = next();
      indexes.set(at, index);
      const isRelation = tokenOf(range, 'rtekind') === relationKind;
      items.push({ index, oid: isRelation ? Number(tokenOf(range, 'relid')) : undefined, nullable, conditions });
      continue;
    }
    const level = readLevel(subquery, { next, ctes: withoutCte(known, range, ctes), outer: ofOuter });
    inside.set(at, level);
    for (const item of level.items) {
      const reshaped = item.reshaped === true || level.reshapesRows;
      const own = reshaped ? [] : [...item.conditions, ...conditions];
      items.push({ ...item, nullable: nullable || item.nullable || reshaped, conditions: own, reshaped });
    }
    // Without an outer join, what LATERAL compares holds for the other relations, too.
    if (!nullable && !level.reshapesRows)
      shared.push(...level.items.flatMap((item) => (item.nullable ? [] : item.conditions)));
    // A row source without relations: VALUES, a UNION.
    if (level.items.length === 0) items.push({ index: next(), oid: undefined, nullable, conditions: [] });
  }
  return {
    items: items.map((item) =>
      item.reshaped === true ? item : { ...item, conditions: [...item.conditions, ...shared] },
    ),
    columns: directColumns(query, resolve),
    reshapesRows:
      ['hasAggs', 'hasTargetSRFs'].some((name) => tokenOf(query, name) === 'true') ||
      ['setOperations', 'groupClause', 'groupingSets'].some((name) => (query.fields.get(name) ?? '<>') !== '<>'),
  };
}

/** The query of the CTE that a FROM item names. The query of a recursive CTE is a UNION. */
function cteOf(range: TreeNode | undefined, ctes: ReadonlyMap<string, TreeNode>): TreeNode | undefined {
  if (tokenOf(range, 'rtekind') !== cteKind || tokenOf(range, 'self_reference') === 'true') return undefined;
  return ctes.get(tokenOf(range, 'ctename'));
}

/** The name of a CTE means another one in its own query, if there is one of that name around it. */
function withoutCte(
  known: ReadonlyMap<string, TreeNode>,
  range: TreeNode | undefined,
  around: ReadonlyMap<string, TreeNode>,
): ReadonlyMap<string, TreeNode> {
  const name = tokenOf(range, 'ctename');
  if (name === '') return known;
  const outer = around.get(name);
  return new Map(
    [...known].flatMap((each) => (each[0] !== name ? [each] : outer === undefined ? [] : [[name, outer]])),
  );
}

const atLevel = (variable: TreeNode, level: number): TreeNode => ({
  ...variable,
  fields: new Map([...variable.fields, ['varlevelsup', String(level)]]),
});

/**
 * The relations of a FROM item, each with the conditions that its rows meet. Undefined for a kind
 * of item that is not known.
 */
function itemsOf(
  node: TreeNode,
  conditions: readonly TreeNode[],
  nullable: boolean,
): readonly Unresolved[] | undefined {
  if (node.type === 'RANGETBLREF') return [{ index: Number(tokenOf(node, 'rtindex')), conditions, nullable }];
  if (node.type !== 'JOINEXPR') return undefined;
  const kind = tokenOf(node, 'jointype');
  const on = conjuncts(nodeOf(node, 'quals'));
  const [leftNode, rightNode] = [nodeOf(node, 'larg'), nodeOf(node, 'rarg')];
  if (leftNode === undefined || rightNode === undefined) return undefined;
  // ON of an outer join holds for the rows of the side that it looks up, unless they are nulls.
  const holdsLeft = kind === inner || kind === right;
  const holdsRight = kind === inner || kind === left;
  const leftItems = itemsOf(
    leftNode,
    holdsLeft ? [...conditions, ...on] : conditions,
    nullable || (kind !== inner && kind !== left),
  );
  const rightItems = itemsOf(
    rightNode,
    holdsRight ? [...conditions, ...on] : conditions,
    nullable || (kind !== inner && kind !== right),
  );
  return leftItems === undefined || rightItems === undefined ? undefined : [...leftItems, ...rightItems];
}

function conjuncts(condition: TreeNode | undefined): readonly TreeNode[] {
  if (condition === undefined) return [];
  if (condition.type === 'BOOLEXPR' && tokenOf(condition, 'boolop') === 'and') {
    return nodesOf(condition, 'args').flatMap(conjuncts);
  }
  return [condition];
}

function equalitiesOf(
  { node, resolve }: Condition,
  index: number,
  equality: ReadonlySet<number>,
): FromItem['equalities'] {
  if (node.type !== 'OPEXPR' || !equality.has(Number(tokenOf(node, 'opno')))) return [];
  const [one, two] = nodesOf(node, 'args');
  return [
    [one, two],
    [two, one],
  ].flatMap(([near, far]) => {
    const column = columnOf(near, resolve);
    if (column?.relation !== index) return [];
    const other = columnOf(far, resolve);
    if (other === undefined && far?.type !== 'CONST') return [];
    return other?.relation === index ? [] : [{ column: column.column, other }];
  });
}

/** A column, be it relabelled as another type of the same bytes (varchar as text). */
function columnOf(node: TreeNode | undefined, resolve: Resolve): ColumnReference | undefined {
  if (node?.type === 'RELABELTYPE') return columnOf(nodeOf(node, 'arg'), resolve);
  return node?.type === 'VAR' ? resolve(node) : undefined;
}

function directColumns(query: TreeNode, resolve: Resolve): ViewQuery['columns'] {
  const entries = nodesOf(query, 'targetList').flatMap((entry) => {
    const expression = nodeOf(entry, 'expr');
    const column = expression?.type === 'VAR' ? resolve(expression) : undefined;
    return tokenOf(entry, 'resjunk') === 'true' || column === undefined
      ? []
      : [[Number(tokenOf(entry, 'resno')), column] as const];
  });
  return new Map(entries);
}
