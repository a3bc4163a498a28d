import { keyOf } from './diagram.js';
import { headHeight, rowHeight, shortened, titleOf, type Box, type Layout, type Line, type Point } from './layout.js';

/** A laid out diagram as an SVG file, in light or dark as its reader prefers. */
export function toSvg(layout: Layout): string {
  const { width, height } = layout;
  const size = `width="${String(width)}" height="${String(height)}" viewBox="0 0 ${String(width)} ${String(height)}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" ${size} role="img" aria-label="Tables and foreign keys">`,
    `<style>${style}</style>`,
    '<rect class="page" width="100%" height="100%"/>',
    svgContent(layout),
    '</svg>',
    '',
  ].join('\n');
}

/**
 * What is inside the svg element: markers, lines and tables. Its colours are those of a style
 * sheet.
 */
export function svgContent({ boxes, lines }: Layout): string {
  const columns = referring(lines);
  return [markers, ...lines.map(lineText), ...boxes.map((box) => boxText(box, columns))].join('\n');
}

const style = `
.diagram { --page: #fff; --box: #fff; --head: #e8eef7; --ink: #1b2430; --soft: #5b6675; --edge: #b9c3d0; --line: #7a8798; --key: #8a5a00; }
@media (prefers-color-scheme: dark) {
.diagram { --page: #11161d; --box: #18202a; --head: #223044; --ink: #e6ebf2; --soft: #9aa7b8; --edge: #3a4757; --line: #6f8096; --key: #e0b15a; } }
.page { fill: var(--page); }
.box { fill: var(--box); stroke: var(--edge); }
.head { fill: var(--head); }
.diagram text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: var(--ink); }
.diagram .title { font-weight: 600; }
.diagram .type { fill: var(--soft); text-anchor: end; }
.diagram .key { fill: var(--key); font-weight: 600; }
.line { fill: none; stroke: var(--line); stroke-width: 1.4; }
.mark { fill: none; stroke: var(--line); stroke-width: 1.4; }
`;

const markers = `<defs>
<marker id="many" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="mark" d="M12 1 L2 6 L12 11 M2 6 L12 6"/></marker>
<marker id="one" viewBox="0 0 12 12" refX="12" refY="6" markerWidth="12" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse"><path class="mark" d="M6 1 L6 11"/></marker>
</defs>`;

function lineText({ reference, points }: Line): string {
  const { from, to, name, single } = reference;
  const title = `${from.schema}.${from.name} (${from.columns.join(', ')}) → ${to.schema}.${to.name}: ${name}`;
  const marks = `marker-start="url(#one)" marker-end="url(#${single ? 'one' : 'many'})"`;
  return `<path class="line" d="${curve(points)}" ${marks}><title>${escapeXml(title)}</title></path>`;
}

/** A curve through the middles between the points, which it bends towards. */
function curve([first, ...rest]: readonly Point[]): string {
  if (first === undefined) return '';
  const steps = rest.slice(0, -1).map((point, at) => {
    const next = rest[at + 1] ?? point;
    const last = at === rest.length - 2;
    return `Q${at1(point)} ${at1(last ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}`;
  });
  const last = rest.length === 1 ? rest.map((point) => `L${at1(point)}`) : steps;
  return [`M${at1(first)}`, ...last].join(' ');
}

const at1 = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;

type Referring = ReadonlyMap<string, ReadonlySet<string>>;

/** The columns of each table that refer to another one. */
function referring(lines: readonly Line[]): Referring {
  const columns = new Map<string, Set<string>>();
  for (const { reference } of lines) {
    const names = columns.get(keyOf(reference.from)) ?? new Set();
    for (const name of reference.from.columns) names.add(name);
    columns.set(keyOf(reference.from), names);
  }
  return columns;
}

function boxText(box: Box, columns: Referring): string {
  const { x, y, width, height, table } = box;
  const size = `width="${String(width)}" height="${String(height)}"`;
  const title = `${table.schema}.${table.name}${table.comment === null ? '' : `: ${table.comment}`}`;
  const rows = box.columns.map((column, at) => {
    const baseline = headHeight + at * rowHeight + 17;
    const isKey = table.primaryKey.includes(column.name);
    const mark = isKey ? '#' : columns.get(box.key)?.has(column.name) === true ? '→' : '';
    return [
      mark === '' ? '' : `<text class="key" x="9" y="${String(baseline)}">${mark}</text>`,
      `<text x="24" y="${String(baseline)}">${escapeXml(shortened(column.name))}</text>`,
      `<text class="type" x="${String(width - 9)}" y="${String(baseline)}">${escapeXml(shortened(column.type))}</text>`,
    ].join('');
  });
  return [
    `<g class="table" data-table="${escapeXml(box.key)}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect class="box" ${size} rx="5"/>`,
    `<path class="head" d="M.5 ${String(headHeight)} V5.5 a5 5 0 0 1 5 -5 H${String(width - 5.5)} a5 5 0 0 1 5 5 V${String(headHeight)} Z"/>`,
    `<text class="title" x="9" y="20">${escapeXml(titleOf(table))}</text>`,
    ...rows,
    '</g>',
  ].join('');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** XML has no way to write control characters, nor halves of characters. */
export const escapeXml = (text: string): string =>
  text
    .replace(/\p{Surrogate}/gu, '\ufffd')
    // eslint-disable-next-line no-control-regex -- these are what it is about
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replace(/[&<>"]/g, (found) => entities[found] ?? found);
