import { nodeOf, nodesIn, nodesOf, parseNodeTree, tokenOf, type TreeNode } from './node-tree.js';

/**
 * A column of a relation in the FROM list of a query: `relation` counts the query's relations from
 * 1, `column` is `attnum`.
 */
export interface ColumnReference {
  readonly relation: number;
  readonly column: number;
}

/** A relation of a query's FROM list. */
export interface FromItem {
  /** `pg_class.oid`; undefined for a subquery, a function, a CTE. */
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

/**
 * Reads the query of a view's rewrite rule (`pg_rewrite.ev_action`).
 * @param equality oids of the operators that are equality of a btree operator family
 */
export function readViewQuery(rule: string, equality: ReadonlySet<number>): ViewQuery | undefined {
  const tree = parseNodeTree(rule);
  const [query] = nodesIn(tree);
  if (query?.type !== 'QUERY') return undefined;
  const ranges = nodesOf(query, 'rtable');
  const joinTree = nodeOf(query, 'jointree');
  const where = conjuncts(nodeOf(joinTree, 'quals'));
  const items = nodesOf(joinTree, 'fromlist').map((node) => itemsOf(node, where, false));
  const understood = items.every((each) => each !== undefined) ? items.flat() : [];
  return {
    from: new Map(understood.map((item) => [item.index, fromItem(item, ranges[item.index - 1], equality)])),
    columns: directColumns(query, ranges),
    reshapesRows:
      ['hasAggs', 'hasTargetSRFs'].some((name) => tokenOf(query, name) === 'true') ||
      ['setOperations', 'groupClause', 'groupingSets'].some((name) => (query.fields.get(name) ?? '<>') !== '<>'),
  };
}

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

function fromItem(item: Unresolved, range: TreeNode | undefined, equality: ReadonlySet<number>): FromItem {
  const isRelation = tokenOf(range, 'rtekind') === relationKind;
  return {
    oid: isRelation ? Number(tokenOf(range, 'relid')) : undefined,
    nullable: item.nullable,
    equalities: item.conditions.flatMap((condition) => equalitiesOf(condition, item.index, equality)),
  };
}

function equalitiesOf(condition: TreeNode, index: number, equality: ReadonlySet<number>): FromItem['equalities'] {
  if (condition.type !== 'OPEXPR' || !equality.has(Number(tokenOf(condition, 'opno')))) return [];
  const [one, two] = nodesOf(condition, 'args');
  return [
    [one, two],
    [two, one],
  ].flatMap(([near, far]) => {
    const column = columnOf(near);
    if (column?.relation !== index) return [];
    const other = columnOf(far);
    if (other === undefined && far?.type !== 'CONST') return [];
    return other?.relation === index ? [] : [{ column: column.column, other }];
  });
}

/**
 * A column of the query itself, be it relabelled as another type of the same bytes (varchar as
 * text).
 */
function columnOf(node: TreeNode | undefined): ColumnReference | undefined {
  if (node?.type === 'RELABELTYPE') return columnOf(nodeOf(node, 'arg'));
  if (node?.type !== 'VAR' || tokenOf(node, 'varlevelsup') !== '0') return undefined;
  return { relation: Number(tokenOf(node, 'varno')), column: Number(tokenOf(node, 'varattno')) };
}

function directColumns(query: TreeNode, ranges: readonly TreeNode[]): ViewQuery['columns'] {
  const entries = nodesOf(query, 'targetList').flatMap((entry) => {
    const column = ungrouped(nodeOf(entry, 'expr'), ranges);
    return tokenOf(entry, 'resjunk') === 'true' || column === undefined
      ? []
      : [[Number(tokenOf(entry, 'resno')), column] as const];
  });
  return new Map(entries);
}

/**
 * Since PostgreSQL 18 a column after GROUP BY is one of a range of its own, which lists the grouped
 * expressions.
 */
function ungrouped(expression: TreeNode | undefined, ranges: readonly TreeNode[]): ColumnReference | undefined {
  const column = expression?.type === 'VAR' ? columnOf(expression) : undefined;
  if (column === undefined) return undefined;
  const grouped = nodesOf(ranges[column.relation - 1], 'groupexprs')[column.column - 1];
  return grouped === undefined ? column : ungrouped(grouped, ranges);
}
