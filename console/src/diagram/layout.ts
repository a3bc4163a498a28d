import { keyOf, type Diagram, type DiagramColumn, type DiagramReference, type DiagramTable } from './diagram.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A diagram with places: its left upper corner, its size, and its contents. Lengths are pixels. */
export interface Layout extends Point {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
}

/** A table: its left upper corner, its size, and its contents. */
export interface Box extends Point {
  readonly key: string;
  readonly table: DiagramTable;
  readonly width: number;
  readonly height: number;
  /** All of them with their types, or those of keys without. */
  readonly columns: readonly DiagramColumn[];
  readonly hasTypes: boolean;
}

/** Which columns tables show: those of keys make a diagram that can be read as a whole. */
export type ShownColumns = 'all' | 'keys';

/** A reference: a path from the column that refers to the one that is referred to. */
export interface Line {
  readonly reference: DiagramReference;
  readonly path: string;
}

/** What lays out: dagre, which Node.js and a browser load from different places. */
export interface Layouter {
  readonly Graph: new (options: { readonly multigraph: boolean }) => LayoutGraph;
  readonly layout: (graph: LayoutGraph) => void;
}

/** The parts of a dagre graph that the layout uses. */
export interface LayoutGraph {
  setGraph(label: object): unknown;
  setNode(name: string, label: object): unknown;
  setEdge(from: string, to: string, label: object, name: string): unknown;
  node(name: string): unknown;
}

export const headHeight = 30;
export const rowHeight = 18;
/** Of all texts. */
export const fontSize = 12;
const characterWidth = 7.25;
const gap = 20;
const longest = 44;
/** What diagrams are made to fit into: width by height. */
const aspect = 1.5;

/** From here on a table shows its keys alone, and places are found by the faster way. */
const manyTables = 150;

/** Finds places for tables and the lines between them. */
export function layOut(diagram: Diagram, { Graph, layout }: Layouter, shown: ShownColumns = 'all'): Layout {
  const many = diagram.tables.length > manyTables;
  const hasTypes = shown === 'all' && !many;
  const keys = keyColumns(diagram);
  const sized = diagram.tables.map((table) =>
    sizedBox(
      table,
      hasTypes ? table.columns : table.columns.filter(({ name }) => keys.get(keyOf(table))?.has(name)),
      hasTypes,
    ),
  );
  const others = diagram.references.filter(({ from, to }) => keyOf(from) !== keyOf(to));
  const related = new Set(others.flatMap(({ from, to }) => [keyOf(from), keyOf(to)]));
  const graph = new Graph({ multigraph: true });
  // Of 1,000 tables the exact ranker takes ten seconds, the other one.
  const ranker = many ? 'tight-tree' : 'network-simplex';
  graph.setGraph({ rankdir: 'LR', nodesep: 20, ranksep: 60, edgesep: 8, ranker });
  for (const { key, width, height } of sized) if (related.has(key)) graph.setNode(key, { width, height });
  for (const [at, { from, to }] of others.entries()) graph.setEdge(keyOf(to), keyOf(from), {}, String(at));
  if (related.size > 0) layout(graph);
  const placed = sized
    .filter(({ key }) => related.has(key))
    .map((box) => {
      const { x, y } = graph.node(box.key) as Point;
      return { ...box, x: x - box.width / 2, y: y - box.height / 2 };
    });
  const alone = sized.filter(({ key }) => !related.has(key));
  const { x, y, width, height } = extentOf(placed);
  const widest = Math.max(0, ...alone.map((box) => box.width));
  // Tables without references stand below the others, or beside them: what fits better.
  const [first, second] = [
    inRows(alone, { x, y: y + height + (height > 0 ? gap : 0) }, Math.max(width, 1200)),
    inRows(alone, { x: x + width + gap, y }, widest),
  ].map((rows) => connect([...placed, ...rows], diagram.references));
  if (first === undefined || second === undefined || placed.length === 0) return first ?? connect([], []);
  return needed(first) <= needed(second) ? first : second;
}

/** The width of the frame that a picture fits into. */
const needed = ({ width, height }: Layout): number => Math.max(width, height * aspect);

/** The picture of tables at their places, with lines between their columns. */
export function connect(boxes: readonly Box[], references: readonly DiagramReference[]): Layout {
  const byKey = new Map(boxes.map((box) => [box.key, box]));
  const lines = references.flatMap((reference) => {
    const [from, to] = [byKey.get(keyOf(reference.from)), byKey.get(keyOf(reference.to))];
    return from === undefined || to === undefined ? [] : [{ reference, path: pathOf(reference, from, to) }];
  });
  const { x, y, width, height } = extentOf(boxes);
  return {
    x: Math.floor(x - gap),
    y: Math.floor(y - gap),
    width: Math.ceil(Math.max(width, ...around(byKey, references).map((right) => right - x)) + 2 * gap),
    height: Math.ceil(height + 2 * gap),
    boxes,
    lines,
  };
}

/** How far lines go that leave and arrive at the right sides of their tables. */
const around = (byKey: ReadonlyMap<string, Box>, references: readonly DiagramReference[]) =>
  references.flatMap(({ from, to }) => {
    const [start, end] = [byKey.get(keyOf(from)), byKey.get(keyOf(to))];
    const edge = start === undefined || end === undefined ? undefined : sidesOf(start, end).edge;
    return edge ?? [];
  });

function extentOf(boxes: readonly Box[]): Pick<Layout, 'x' | 'y' | 'width' | 'height'> {
  const [first] = boxes;
  if (first === undefined) return { x: 0, y: 0, width: 0, height: 0 };
  let [left, top, right, bottom] = [first.x, first.y, first.x, first.y];
  for (const { x, y, width, height } of boxes) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + width), Math.max(bottom, y + height)];
  }
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** How far a line leaves its tables straight: as far as its marks reach. */
const straight = 16;
const bend = 34;

/** The sides of two tables that face each other, else both right ones and how far to go. */
function sidesOf(start: Box, end: Box) {
  if (start.x > end.x + end.width + straight) return { leaves: -1, arrives: 1, edge: undefined };
  if (end.x > start.x + start.width + straight) return { leaves: 1, arrives: -1, edge: undefined };
  const right = Math.max(start.x + start.width, end.x + end.width);
  return { leaves: 1, arrives: 1, edge: right + straight + bend / 2 };
}

/** From a column to a column, around the sides that face each other. */
export function pathOf({ from, to }: DiagramReference, start: Box, end: Box): string {
  const [first, last] = [rowOf(start, from.columns[0]), rowOf(end, to.columns[0])];
  const { leaves, arrives, edge } = sidesOf(start, end);
  const x1 = leaves < 0 ? start.x : start.x + start.width;
  const x2 = arrives < 0 ? end.x : end.x + end.width;
  const [near, far] = [x1 + leaves * straight, x2 + arrives * straight];
  const reach = Math.max(bend / 3, Math.abs(far - near) / 2);
  const [c1, c2] = edge === undefined ? [near + leaves * reach, far + arrives * reach] : [edge, edge];
  return `M${at(x1, first)} L${at(near, first)} C${at(c1, first)} ${at(c2, last)} ${at(far, last)} L${at(x2, last)}`;
}

const at = (x: number, y: number): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** The middle of a column's row; of a column that is not shown, of the head. */
function rowOf({ y, columns }: Box, name: string | undefined): number {
  const row = columns.findIndex((column) => column.name === name);
  return y + (row < 0 ? headHeight / 2 : headHeight + (row + 0.5) * rowHeight + 4);
}

type Sized = Omit<Box, 'x' | 'y'>;

function sizedBox(table: DiagramTable, columns: readonly DiagramColumn[], hasTypes: boolean): Sized {
  const lengths = [
    widthOf(titleOf(table)) + 2,
    ...columns.map(({ name, type }) => widthOf(shortened(name)) + (hasTypes ? widthOf(shortened(type)) + 5 : 4)),
  ];
  return {
    key: keyOf(table),
    table,
    columns,
    hasTypes,
    width: Math.round(Math.max(10, ...lengths) * characterWidth + 14),
    height: headHeight + columns.length * rowHeight + (columns.length > 0 ? 8 : 0),
  };
}

/** The columns of each table that are a key, refer to another table, or are referred to. */
function keyColumns({ tables, references }: Diagram): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map(tables.map((table) => [keyOf(table), new Set(table.primaryKey)]));
  for (const end of references.flatMap(({ from, to }) => [from, to]))
    for (const name of end.columns) keys.get(keyOf(end))?.add(name);
  return keys;
}

/** Tables without references, row by row: there is nothing that would say where they belong. */
function inRows(boxes: readonly Sized[], start: Point, width: number): readonly Box[] {
  let [x, y, high] = [start.x, start.y, 0];
  return boxes.map((box) => {
    if (x > start.x && x + box.width > start.x + width) [x, y, high] = [start.x, y + high + gap, 0];
    const placed = { ...box, x, y };
    x += box.width + gap;
    high = Math.max(high, box.height);
    return placed;
  });
}

/** The name of a table as the diagram shows it. */
export const titleOf = ({ schema, name }: DiagramTable): string =>
  shortened(schema === '' ? name : `${schema}.${name}`);

/** What a box has room for. */
export function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= longest ? text : `${characters.slice(0, longest - 1).join('')}…`;
}

/**
 * In columns of a terminal: characters of East Asia, and pictures, are twice as wide as Latin ones.
 */
const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, character) => sum + (/[\u1100-\u{1FFFF}]/u.test(character) ? 2 : 1), 0);
