import { keyOf, type Diagram, type DiagramColumn, type DiagramReference, type DiagramTable } from './diagram.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A diagram with places. Lengths are pixels. */
export interface Layout {
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
  /** Those that are shown: of very many tables, their keys. */
  readonly columns: readonly DiagramColumn[];
}

/** A reference, from the table that is referred to. */
export interface Line {
  readonly reference: DiagramReference;
  readonly points: readonly Point[];
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
  graph(): unknown;
  node(name: string): unknown;
  edge(edge: { readonly v: string; readonly w: string; readonly name: string }): unknown;
}

export const headHeight = 30;
export const rowHeight = 18;
const characterWidth = 7.25;
const gap = 40;
const longest = 44;

/** From here on a table shows its keys alone, and places are found by the faster way. */
const manyTables = 150;

/** Finds places for tables and the lines between them. */
export function layOut(diagram: Diagram, { Graph, layout }: Layouter): Layout {
  const many = diagram.tables.length > manyTables;
  const sized = diagram.tables.map((table) => sizedBox(table, many ? keysOf(table, diagram) : table.columns));
  const others = diagram.references.filter(({ from, to }) => keyOf(from) !== keyOf(to));
  const related = new Set(others.flatMap(({ from, to }) => [keyOf(from), keyOf(to)]));
  const graph = new Graph({ multigraph: true });
  // Of 1,000 tables the exact ranker takes ten seconds, the other one.
  graph.setGraph({
    rankdir: 'LR',
    nodesep: 24,
    ranksep: 90,
    edgesep: 12,
    ranker: many ? 'tight-tree' : 'network-simplex',
  });
  for (const { key, width, height } of sized) if (related.has(key)) graph.setNode(key, { width, height });
  for (const [at, { from, to }] of others.entries()) graph.setEdge(keyOf(to), keyOf(from), {}, String(at));
  if (related.size > 0) layout(graph);
  const { width = 0, height = 0 } =
    related.size > 0 ? (graph.graph() as { readonly width: number; readonly height: number }) : {};
  const placed = sized
    .filter(({ key }) => related.has(key))
    .map((box) => {
      const { x, y } = graph.node(box.key) as Point;
      return { ...box, x: gap + x - box.width / 2, y: gap + y - box.height / 2 };
    });
  const alone = inRows(
    sized.filter(({ key }) => !related.has(key)),
    Math.max(width, 1200),
    height === 0 ? gap : height + 2 * gap,
  );
  const boxes = [...placed, ...alone];
  return {
    width: Math.ceil(Math.max(...boxes.map((box) => box.x + box.width), width + gap, 0) + gap),
    height: Math.ceil(Math.max(...boxes.map((box) => box.y + box.height), height + gap, 0) + gap),
    boxes,
    lines: [
      ...others.map((reference, at) => ({
        reference,
        points: (
          graph.edge({ v: keyOf(reference.to), w: keyOf(reference.from), name: String(at) }) as {
            readonly points: readonly Point[];
          }
        ).points.map(({ x, y }) => ({ x: x + gap, y: y + gap })),
      })),
      ...loops(diagram, boxes),
    ],
  };
}

/** References of a table to itself: a loop at its right side for each. */
function loops({ references }: Diagram, boxes: readonly Box[]): readonly Line[] {
  const byKey = new Map(boxes.map((box) => [box.key, box]));
  return references
    .filter(({ from, to }) => keyOf(from) === keyOf(to))
    .flatMap((reference) => {
      const box = byKey.get(keyOf(reference.from));
      if (box === undefined) return [];
      const [right, top] = [box.x + box.width, box.y + headHeight / 2];
      const far = right + gap;
      const low = top + Math.min(box.height - headHeight / 2, 2 * rowHeight);
      const points = [
        { x: right, y: top },
        { x: far, y: top },
        { x: far, y: low },
        { x: right, y: low },
      ];
      return [{ reference, points }];
    });
}

type Sized = Omit<Box, 'x' | 'y'>;

function sizedBox(table: DiagramTable, columns: readonly DiagramColumn[]): Sized {
  const lengths = [
    widthOf(titleOf(table)) + 2,
    ...columns.map(({ name, type }) => widthOf(shortened(name)) + widthOf(shortened(type)) + 5),
  ];
  const width = Math.round(Math.max(16, ...lengths) * characterWidth + 20);
  return {
    key: keyOf(table),
    table,
    columns,
    width,
    height: headHeight + columns.length * rowHeight + (columns.length > 0 ? 8 : 0),
  };
}

function keysOf(table: DiagramTable, { references }: Diagram): readonly DiagramColumn[] {
  const key = keyOf(table);
  const names = new Set(table.primaryKey);
  for (const { from } of references) if (keyOf(from) === key) for (const name of from.columns) names.add(name);
  return table.columns.filter(({ name }) => names.has(name));
}

/** Tables without references, row by row: there is nothing that would say where they belong. */
function inRows(boxes: readonly Sized[], width: number, top: number): readonly Box[] {
  let [x, y, high] = [gap, top, 0];
  return boxes.map((box) => {
    if (x > gap && x + box.width > width) [x, y, high] = [gap, y + high + gap, 0];
    const placed = { ...box, x, y };
    x += box.width + gap;
    high = Math.max(high, box.height);
    return placed;
  });
}

/** The name of a table as the diagram shows it. */
export const titleOf = ({ schema, name }: DiagramTable): string => shortened(`${schema}.${name}`);

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
