/// <reference lib="dom" />
import type { DiagramReference } from '../diagram/diagram.js';
import { connect, fontSize, pathOf, type Box, type Layout } from '../diagram/layout.js';
import { svgContent, type SchemaColours } from '../diagram/svg.js';
import { panZoom, type PanZoom } from './pan-zoom.js';

/** Text of this height, in pixels, can be read. */
const readable = 11;
export const readableScale = readable / fontSize;

export interface PictureOptions {
  /** Where the browser remembers the places of moved tables. */
  readonly storageKey: string;
  readonly colours: SchemaColours;
  readonly references: readonly DiagramReference[];
  /** The key of the table in the middle. */
  readonly centre: string | undefined;
  readonly open: (key: string) => void;
}

export interface Picture extends PanZoom {
  /** The picture as its tables stand now. */
  readonly layout: () => Layout;
}

/** Pixels that an arrow key moves a table, and with Shift. */
const [step, leap] = [10, 80];

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** A diagram whose tables are moved by dragging or by arrow keys, and stay where they are put. */
export function drawPicture(found: Layout, options: PictureOptions): Picture {
  const moved = new Map(remembered(options.storageKey));
  const boxes = new Map(
    found.boxes.map((box) => {
      const [x, y] = moved.get(box.key) ?? [box.x, box.y];
      return [box.key, { ...box, x, y }];
    }),
  );
  const layout = (): Layout => connect([...boxes.values()], options.references);
  const first = layout();
  const view = panZoom(layout, svgContent(first, options.colours));
  const lines = [...view.element.querySelectorAll<SVGPathElement>('path.line')].map((element, at) => ({
    element,
    reference: first.lines[at]?.reference,
  }));
  const linesOf = (key: string) =>
    lines.filter(({ reference }) => reference !== undefined && [reference.from, reference.to].some(isAt(key)));
  const move = (group: SVGGElement, box: Box): void => {
    boxes.set(box.key, box);
    group.setAttribute('transform', `translate(${String(box.x)} ${String(box.y)})`);
    for (const { element, reference } of linesOf(box.key)) {
      const ends = [reference?.from, reference?.to].map((end) => boxes.get(JSON.stringify([end?.schema, end?.name])));
      const [from, to] = ends;
      if (reference !== undefined && from !== undefined && to !== undefined)
        element.setAttribute('d', pathOf(reference, from, to));
    }
  };
  const keep = ({ key, x, y }: Box): void => {
    moved.set(key, [x, y]);
    store(options.storageKey, moved);
  };
  for (const group of view.element.querySelectorAll<SVGGElement>('g.table')) {
    const key = group.dataset['table'] ?? '';
    const current = (): Box | undefined => boxes.get(key);
    if (key === options.centre) group.classList.add('centre');
    group.setAttribute('tabindex', '0');
    group.setAttribute('role', 'link');
    group.setAttribute('aria-describedby', 'diagram-help');
    const near = (isNear: boolean) => (): void => {
      for (const { element } of linesOf(key)) element.classList.toggle('near', isNear);
    };
    for (const event of ['pointerenter', 'focus']) group.addEventListener(event, near(true));
    for (const event of ['pointerleave', 'blur']) group.addEventListener(event, near(false));
    group.addEventListener('focus', () => {
      const box = current();
      if (box !== undefined && group.matches(':focus-visible')) view.reveal(box);
    });
    group.addEventListener('keydown', (event) => {
      const [direction, box] = [directions[event.key], current()];
      if (event.key === 'Enter') options.open(key);
      if (direction === undefined || box === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      const distance = event.shiftKey ? leap : step;
      const next = { ...box, x: box.x + direction[0] * distance, y: box.y + direction[1] * distance };
      move(group, next);
      keep(next);
      view.reveal(next);
    });
    byDragging(group, view, current, {
      move: (box) => {
        move(group, box);
      },
      end: keep,
      click: () => {
        options.open(key);
      },
    });
  }
  return { ...view, layout };
}

const isAt =
  (key: string) =>
  ({ schema, name }: { readonly schema: string; readonly name: string }): boolean =>
    JSON.stringify([schema, name]) === key;

/** A pointer that does not move is a click. */
function byDragging(
  group: SVGGElement,
  view: PanZoom,
  current: () => Box | undefined,
  { move, end, click }: { move: (box: Box) => void; end: (box: Box) => void; click: () => void },
): void {
  let start: { readonly id: number; readonly x: number; readonly y: number; readonly box: Box } | undefined;
  let isDragged = false;
  group.addEventListener('pointerdown', (event) => {
    const box = current();
    if (box === undefined || event.button !== 0) return;
    event.stopPropagation();
    start = { id: event.pointerId, x: event.clientX, y: event.clientY, box };
    isDragged = false;
  });
  group.addEventListener('pointermove', (event) => {
    if (start?.id !== event.pointerId) return;
    const [right, down] = [event.clientX - start.x, event.clientY - start.y];
    if (!isDragged && Math.hypot(right, down) < 4) return;
    if (!isDragged) group.setPointerCapture(event.pointerId);
    isDragged = true;
    const scale = view.scale();
    move({ ...start.box, x: start.box.x + right / scale, y: start.box.y + down / scale });
  });
  const stop = (): void => {
    const box = current();
    if (isDragged && box !== undefined) end(box);
    start = undefined;
  };
  group.addEventListener('pointerup', stop);
  group.addEventListener('pointercancel', stop);
  group.addEventListener('click', () => {
    if (!isDragged) click();
    isDragged = false;
  });
}

type Places = ReadonlyMap<string, readonly [x: number, y: number]>;

function remembered(key: string): Places {
  try {
    const kept = JSON.parse(localStorage.getItem(key) ?? '[]') as Iterable<
      readonly [string, readonly [number, number]]
    >;
    return new Map(kept);
  } catch {
    return new Map();
  }
}

function store(key: string, places: Places): void {
  try {
    localStorage.setItem(key, JSON.stringify([...places]));
  } catch {
    // A browser that stores nothing keeps the places until the page is left.
  }
}
