import { keyOf } from './diagram.js';
import { fontSize, headHeight, rowHeight, shortened, titleOf, type Box, type Layout, type Line } from './layout.js';

/** A laid out diagram as an SVG file, in light or dark as its reader prefers. */
export function toSvg(layout: Layout, colours?: SchemaColours): string {
  const [x, y, width, height] = [layout.x, layout.y, layout.width, layout.height].map(String);
  const size = `width="${width ?? ''}" height="${height ?? ''}" viewBox="${[x, y, width, height].join(' ')}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" class="diagram" ${size} role="img" aria-label="Tables and foreign keys">`,
    `<style>${style}</style>`,
    `<rect class="page" x="${x ?? ''}" y="${y ?? ''}" width="100%" height="100%"/>`,
    svgContent(layout, colours),
    '</svg>',
    '',
  ].join('\n');
}

/**
 * What is inside the svg element: markers, lines and tables. Its colours are those of a style
 * sheet.
 */
export function svgContent({ boxes, lines }: Layout, given?: SchemaColours): string {
  const columns = referring(lines);
  const colours = given ?? schemaColours(boxes.map(({ table }) => table));
  return [
    markers,
    ...lines.map(lineText),
    ...boxes.map((box) => boxText(box, columns, colours.get(box.table.schema) ?? 0)),
  ].join('\n');
}

export type SchemaColours = ReadonlyMap<string, number>;

/** The colour of each schema by its number, in the order of their names. */
export const schemaColours = (tables: readonly { readonly schema: string }[]): SchemaColours =>
  new Map([...new Set(tables.map(({ schema }) => schema))].sort().map((schema, at) => [schema, at % colours]));

const colours = 6;

/** The colours of a diagram, which the page of the console has, too. */
export const diagramStyle = `
.diagram, .legend { --s0: #dbe7f7; --s1: #d9efdf; --s2: #f7e6cf; --s3: #eadff6; --s4: #f8dde3; --s5: #d6eeee; }
@media (prefers-color-scheme: dark) { .diagram, .legend { --s0: #223a58; --s1: #1d4230; --s2: #4d3a1c; --s3: #3b2f56; --s4: #54293a; --s5: #184545; } }
${Array.from({ length: colours }, (_, at) => `.s${String(at)} .head { fill: var(--s${String(at)}); }`).join(' ')}
.box { fill: var(--box); stroke: var(--edge); }
.line, .mark { fill: none; stroke: var(--line); stroke-width: 1.4; } .mark.open { fill: var(--box); }
.diagram text { font: ${String(fontSize)}px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: var(--ink); }
.diagram .title { font-weight: 600; } .diagram .type { fill: var(--soft); text-anchor: end; } .diagram .key { fill: var(--key); font-weight: 600; }
`;

const style = `
.diagram { --page: #fff; --box: #fff; --ink: #1b2430; --soft: #5b6675; --edge: #b9c3d0; --line: #7a8798; --key: #8a5a00; }
@media (prefers-color-scheme: dark) {
.diagram { --page: #11161d; --box: #18202a; --ink: #e6ebf2; --soft: #9aa7b8; --edge: #3a4757; --line: #6f8096; --key: #e0b15a; } }
.page { fill: var(--page); }
${diagramStyle}`;

/** Crow's feet: a bar is one, a circle is none, and three toes are many. */
const mark = (id: string, path: string, circle?: number): string =>
  [
    `<marker id="${id}" viewBox="0 0 16 12" refX="16" refY="6" markerWidth="16" markerHeight="12" markerUnits="userSpaceOnUse" orient="auto-start-reverse">`,
    circle === undefined ? '' : `<circle class="mark open" cx="${String(circle)}" cy="6" r="3"/>`,
    `<path class="mark" d="${path}"/></marker>`,
  ].join('');

const markers = `<defs>
${mark('one', 'M12 1 V11 M8 1 V11')}
${mark('maybe', 'M12 1 V11', 5)}
${mark('some', 'M16 1 L8 6 L16 11', 5)}
</defs>`;

function lineText({ reference, path }: Line): string {
  const { from, to, name, single, optional } = reference;
  const title = `${from.schema}.${from.name} (${from.columns.join(', ')}) → ${to.schema}.${to.name}: ${name}`;
  const marks = `marker-start="url(#${single ? 'maybe' : 'some'})" marker-end="url(#${optional ? 'maybe' : 'one'})"`;
  return `<path class="line" d="${path}" ${marks}><title>${escapeXml(title)}</title></path>`;
}

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

function boxText(box: Box, columns: Referring, colour: number): string {
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
      box.hasTypes
        ? `<text class="type" x="${String(width - 9)}" y="${String(baseline)}">${escapeXml(shortened(column.type))}</text>`
        : '',
    ].join('');
  });
  return [
    `<g class="table s${String(colour)}" data-table="${escapeXml(box.key)}" transform="translate(${x.toFixed(1)} ${y.toFixed(1)})">`,
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
