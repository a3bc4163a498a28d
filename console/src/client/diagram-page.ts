/// <reference lib="dom" />
import { toDbml } from '../diagram/dbml.js';
import { keyOf, type Diagram, type DiagramTable } from '../diagram/diagram.js';
import type { Layout } from '../diagram/layout.js';
import { toMermaid } from '../diagram/mermaid.js';
import { svgContent, toSvg } from '../diagram/svg.js';
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { button, element, fill, save, type Child } from './dom.js';
import { diagramLink, tableLink, tableOf, titleOf } from './links.js';
import { panZoom } from './pan-zoom.js';

/** More tables are shown when they are asked for: one sees a neighbourhood first. */
const mostAtOnce = 150;

/** The diagram of all tables, or of one and those that it is related to. */
export function diagramPage(model: ConsoleModel, field: string | undefined): HTMLElement {
  const all = field === 'all';
  const chosen = all || field === undefined ? undefined : tableOf(model, field);
  const centre = chosen ?? (all || model.tables.length <= mostAtOnce ? undefined : busiest(model));
  const diagram = diagramOf(centre === undefined ? model.tables : neighbourhood(model, centre));
  const place = element(
    'div',
    { class: 'canvas' },
    element('p', { class: 'loading', role: 'status' }, `Finding places for ${String(diagram.tables.length)} tables…`),
  );
  const tools = element('div', { class: 'actions' });
  const show = async (): Promise<void> => {
    const layout = await layOutApart(diagram);
    if (!place.isConnected) return;
    const view = panZoom(layout, svgContent(layout));
    fill(place, view.element);
    view.fit();
    for (const group of view.element.querySelectorAll<SVGGElement>('g.table')) openable(group, model, centre);
    fill(
      tools,
      element(
        'button',
        {
          type: 'button',
          click: () => {
            view.zoom(1.25);
          },
          'aria-label': 'Zoom in',
        },
        '+',
      ),
      element(
        'button',
        {
          type: 'button',
          click: () => {
            view.zoom(0.8);
          },
          'aria-label': 'Zoom out',
        },
        '−',
      ),
      element('button', { type: 'button', click: view.fit }, 'Fit'),
      download('SVG', 'diagram.svg', 'image/svg+xml', () => toSvg(layout)),
      download('Mermaid', 'diagram.mmd', 'text/plain', () => toMermaid(diagram)),
      download('DBML', 'diagram.dbml', 'text/plain', () => toDbml(diagram)),
    );
  };
  queueMicrotask(() => {
    show().catch((error: unknown) => {
      fill(place, element('p', { class: 'bad', role: 'alert' }, `The diagram cannot be drawn: ${String(error)}`));
    });
  });
  return element(
    'article',
    { class: 'diagram-page' },
    element(
      'header',
      { class: 'title' },
      element('h1', {}, centre === undefined ? 'Diagram' : titleOf(model, centre)),
      element('p', { class: 'soft' }, description(model, centre, diagram)),
    ),
    element('div', { class: 'bar' }, finder(model), centre === undefined ? undefined : centreLinks(centre), tools),
    place,
  );
}

function description(model: ConsoleModel, centre: ConsoleTable | undefined, { tables, references }: Diagram): string {
  const shown = `${String(tables.length)} tables and ${String(references.length)} foreign keys`;
  if (centre === undefined) return `${shown}. Choose a table to see its neighbours; drag to move, scroll to zoom.`;
  return `${shown} of ${String(model.tables.length)} tables: what it refers to, and what refers to it.`;
}

const centreLinks = (centre: ConsoleTable): readonly Child[] => [
  element('a', { class: 'button', href: tableLink(centre.field) }, 'Open the table'),
  element('a', { class: 'button', href: diagramLink('all') }, 'All tables'),
];

/** Finds a table by its name, and shows its neighbours. */
function finder(model: ConsoleModel): HTMLElement {
  const input = element('input', {
    type: 'search',
    list: 'diagram-tables',
    'aria-label': 'Find a table in the diagram',
    placeholder: 'Find a table',
    autocomplete: 'off',
    spellcheck: 'false',
  });
  const go = (): void => {
    const wanted = input.value.toLowerCase();
    const found =
      model.tables.find((table) => titleOf(model, table).toLowerCase() === wanted) ??
      model.tables.find((table) => titleOf(model, table).toLowerCase().includes(wanted));
    if (wanted !== '' && found !== undefined) location.hash = diagramLink(found.field);
  };
  return element(
    'form',
    {
      submit: (event) => {
        event.preventDefault();
        go();
      },
    },
    input,
    element(
      'datalist',
      { id: 'diagram-tables' },
      model.tables.map((table) => element('option', { value: titleOf(model, table) })),
    ),
    element('button', { type: 'submit' }, 'Find'),
  );
}

/**
 * A table of the picture: by a click or Enter its neighbours are shown; of the one in the middle,
 * its page.
 */
function openable(group: SVGGElement, model: ConsoleModel, centre: ConsoleTable | undefined): void {
  const table = model.tables.find((each) => keyOf(each) === group.dataset['table']);
  if (table === undefined) return;
  const open = (): void => {
    location.hash = table === centre ? tableLink(table.field) : diagramLink(table.field);
  };
  if (table === centre) group.classList.add('centre');
  group.setAttribute('tabindex', '0');
  group.setAttribute('role', 'link');
  group.addEventListener('click', open);
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') open();
  });
}

function neighbourhood(model: ConsoleModel, centre: ConsoleTable): readonly ConsoleTable[] {
  const key = keyOf(centre);
  const near = new Set([key, ...centre.references.map(({ to }) => keyOf(to))]);
  return model.tables.filter((table) => near.has(keyOf(table)) || table.references.some(({ to }) => keyOf(to) === key));
}

/** The table that most others refer to, among those whose neighbours one can still see. */
function busiest({ tables }: ConsoleModel): ConsoleTable | undefined {
  const counts = new Map<string, number>();
  for (const { references } of tables)
    for (const { to } of references) counts.set(keyOf(to), (counts.get(keyOf(to)) ?? 0) + 1);
  const count = (table: ConsoleTable): number => counts.get(keyOf(table)) ?? 0;
  const [first, ...others] = tables.filter((table) => count(table) < mostNeighbours);
  return others.reduce((most, table) => (most === undefined || count(table) > count(most) ? table : most), first);
}

const mostNeighbours = 40;

function diagramOf(tables: readonly ConsoleTable[]): Diagram {
  const shown = new Set(tables.map(keyOf));
  return {
    tables: tables.map(diagramTable),
    references: tables.flatMap(({ references }) => references.filter(({ to }) => shown.has(keyOf(to)))),
    enums: [],
  };
}

const diagramTable = ({ schema, name, kind, comment, columns, primaryKey, uniques }: ConsoleTable): DiagramTable => ({
  schema,
  name,
  kind,
  comment,
  columns: columns.map((column) => ({
    name: column.name,
    type: column.type,
    nullable: column.nullable,
    comment: column.comment,
  })),
  primaryKey,
  uniques: uniques.map((unique) => unique.columns),
});

let worker: Worker | undefined;
let asked = 0;

/** Finds the places beside the page, which stays as quick as it was. */
function layOutApart(diagram: Diagram): Promise<Layout> {
  const thread = (worker ??= new Worker(new URL('./diagram-worker.js', import.meta.url), { type: 'module' }));
  const id = (asked += 1);
  return new Promise((resolve, reject) => {
    const answered = ({
      data,
    }: MessageEvent<{ readonly id: number; readonly layout?: Layout; readonly error?: string }>): void => {
      if (data.id !== id) return;
      thread.removeEventListener('message', answered);
      if (data.layout === undefined) reject(new Error(data.error));
      else resolve(data.layout);
    };
    thread.addEventListener('message', answered);
    thread.addEventListener(
      'error',
      () => {
        reject(new Error('Its worker did not start.'));
      },
      { once: true },
    );
    thread.postMessage({ id, diagram });
  });
}

const download = (text: string, file: string, type: string, content: () => string): HTMLElement =>
  button(
    text,
    () => {
      save(file, type, content());
    },
    { 'aria-label': `Download ${text}` },
  );
