/// <reference lib="dom" />
import type { Box, Layout } from '../diagram/layout.js';

export interface PanZoom {
  readonly element: SVGSVGElement;
  /** Shows the whole picture. */
  readonly fit: () => void;
  readonly zoom: (factor: number) => void;
  /** Pixels of the screen for one of the picture. */
  readonly scale: () => number;
  /** Moves a table into view, if it is not there. */
  readonly reveal: (box: Box) => void;
  /** Shows the picture at a scale, with a table in the middle. */
  readonly centre: (box: Box, scale: number) => void;
}

/**
 * A picture that one moves by dragging and the arrow keys, and scales by the wheel, two fingers, +
 * and −.
 */
export function panZoom(extent: () => Omit<Layout, 'boxes' | 'lines'>, content: string): PanZoom {
  const svg = drawn(content);
  let [x, y, scale] = [0, 0, 1];
  const apply = (): void => {
    const { clientWidth, clientHeight } = svg;
    svg.setAttribute('viewBox', [x, y, clientWidth / scale, clientHeight / scale].join(' '));
  };
  const zoomAt = (factor: number, left: number, top: number): void => {
    const next = Math.min(4, Math.max(0.02, scale * factor));
    x += left / scale - left / next;
    y += top / scale - top / next;
    scale = next;
    apply();
  };
  const zoom = (factor: number): void => {
    zoomAt(factor, svg.clientWidth / 2, svg.clientHeight / 2);
  };
  const fit = (): void => {
    const { clientWidth, clientHeight } = svg;
    const { x: left, y: top, width, height } = extent();
    scale = fitScale(extent(), svg);
    x = left + (width - clientWidth / scale) / 2;
    y = top + (height - clientHeight / scale) / 2;
    apply();
  };
  const centre = (box: Box, at: number): void => {
    scale = at;
    x = box.x + box.width / 2 - svg.clientWidth / scale / 2;
    y = box.y + box.height / 2 - svg.clientHeight / scale / 2;
    apply();
  };
  const reveal = (box: Box): void => {
    const [right, bottom] = [x + svg.clientWidth / scale, y + svg.clientHeight / scale];
    const isIn = box.x >= x && box.y >= y && box.x + box.width <= right && box.y + box.height <= bottom;
    if (!isIn) centre(box, scale);
  };
  const move = (left: number, top: number): void => {
    x -= left / scale;
    y -= top / scale;
    apply();
  };
  byPointer(svg, move, zoomAt);
  svg.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const { left, top } = svg.getBoundingClientRect();
      zoomAt(Math.exp(-event.deltaY / 400), event.clientX - left, event.clientY - top);
    },
    { passive: false },
  );
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => {
      move(60, 0);
    },
    ArrowRight: () => {
      move(-60, 0);
    },
    ArrowUp: () => {
      move(0, 60);
    },
    ArrowDown: () => {
      move(0, -60);
    },
    '+': () => {
      zoom(1.25);
    },
    '-': () => {
      zoom(0.8);
    },
    '0': fit,
  };
  svg.addEventListener('keydown', (event) => {
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  return { element: svg, fit, zoom, scale: () => scale, reveal, centre };
}

/** The scale at which a place shows a whole picture. */
export const fitScale = (
  { width, height }: Pick<Layout, 'width' | 'height'>,
  { clientWidth, clientHeight }: Pick<Element, 'clientWidth' | 'clientHeight'>,
): number => Math.min(clientWidth / width, clientHeight / height, 1.25);

/** The content is the diagram's own text, whose names are escaped. */
function drawn(content: string): SVGSVGElement {
  const text = `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" tabindex="0" role="group" aria-label="Tables and foreign keys">${content}</svg>`;
  const made = new DOMParser().parseFromString(text, 'image/svg+xml').documentElement;
  return document.importNode(made, true) as unknown as SVGSVGElement;
}

/** One pointer moves, two scale. A click stays a click unless the pointer has moved. */
function byPointer(
  svg: SVGSVGElement,
  move: (left: number, top: number) => void,
  zoomAt: (factor: number, left: number, top: number) => void,
): void {
  const pointers = new Map<number, { readonly x: number; readonly y: number }>();
  let dragged = 0;
  svg.addEventListener('pointerdown', (event) => {
    if (pointers.size === 0) dragged = 0;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  svg.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    dragged += Math.hypot(now.x - before.x, now.y - before.y);
    // From here on it is a drag, which goes on outside the picture too.
    if (dragged > 4 && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    if (other === undefined) {
      move(now.x - before.x, now.y - before.y);
      return;
    }
    const { left, top } = svg.getBoundingClientRect();
    const was = Math.hypot(before.x - other.x, before.y - other.y);
    const is = Math.hypot(now.x - other.x, now.y - other.y);
    if (was > 0) zoomAt(is / was, (now.x + other.x) / 2 - left, (now.y + other.y) / 2 - top);
  });
  const end = (event: PointerEvent): void => {
    pointers.delete(event.pointerId);
  };
  svg.addEventListener('pointerup', end);
  svg.addEventListener('pointercancel', end);
  svg.addEventListener(
    'click',
    (event) => {
      if (dragged > 4) event.stopPropagation();
    },
    true,
  );
}
