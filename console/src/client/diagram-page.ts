/// <reference lib="dom" />
import { toDbml } from '../diagram/dbml.js';
import { keyOf, type Diagram, type DiagramTable } from '../diagram/diagram.js';
import { groupDiagram, groupsOf } from '../diagram/groups.js';
import type { Layout, ShownColumns } from '../diagram/layout.js';
import { toMermaid } from '../diagram/mermaid.js';
import { schemaColours, toSvg, type SchemaColours } from '../diagram/svg.js';
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { drawPicture, readableScale, type Picture } from './diagram-picture.js';
import { button, element, fill, menu, save, type Child } from './dom.js';
import { diagramLink, tableLink, tableOf, titleOf } from './links.js';
import { fitScale } from './pan-zoom.js';
import { savePng } from './png.js';

/** With more tables, the diagram begins with groups of them. */
const mostAtOnce = 150;

/** What a diagram is of. */
interface Subject {
  readonly title: string;
  readonly diagram: Diagram;
  readonly centre?: ConsoleTable | undefined;
  /** The addresses behind the boxes, where they are no tables. */
  readonly links?: ReadonlyMap<string, string> | undefined;
}

/**
 * The diagram of all tables, of a group, or of a table and those that it is related to. Without a
 * choice it begins with what can be read as a whole: all tables or the neighbours of one; with very
 * many tables, their groups.
 */
export function diagramPage(model: ConsoleModel, field: string, group: string | undefined): HTMLElement {
  const colours = schemaColours(model.schemas.map(({ name }) => ({ schema: name })));
  const hidden = new Set<string>();
  let columns: ShownColumns | undefined;
  const place = element('div', { class: 'canvas' });
  const header = element('header', { class: 'title' });
  const bar = element('div', { class: 'bar' });
  const frame = element('figure', { class: 'frame' }, bar, place);
  const show = async (): Promise<void> => {
    const tables = model.tables.filter(({ schema }) => !hidden.has(schema));
    let subject = subjectOf(model, tables, field, group);
    fill(place, element('p', { class: 'loading', role: 'status' }, 'Finding places for the tables…'));
    const find = async (): Promise<[Layout, ShownColumns, boolean]> => {
      const all = await layOutApart(subject.diagram, columns ?? 'all');
      const isReadable = fitScale(all, place) >= readableScale;
      if (isReadable || columns !== undefined) return [all, columns ?? 'all', isReadable];
      const keys = await layOutApart(subject.diagram, subject.links === undefined ? 'keys' : 'all');
      return [keys, 'keys', fitScale(keys, place) >= readableScale];
    };
    let found = await find();
    const isUndecided = field === '' && group === undefined && subject.links === undefined && columns === undefined;
    if (!found[2] && isUndecided) {
      const most = busiest(tables);
      if (most !== undefined) subject = neighbours(model, tables, most);
      found = await find();
    }
    if (!place.isConnected) return;
    const [layout, shown, isReadable] = found;
    const { centre, links, diagram } = subject;
    const storageKey = `tablewright.diagram.${subject.title}.${shown}`;
    const picture = drawPicture(layout, {
      storageKey,
      colours,
      references: diagram.references,
      centre: centre === undefined ? undefined : keyOf(centre),
      open: (key) => {
        const table = model.tables.find((each) => keyOf(each) === key);
        const own = table === centre ? tableLink(table?.field ?? '') : diagramLink(table?.field);
        location.hash = links?.get(key) ?? own;
      },
    });
    fill(place, picture.element, legend(model, colours, hidden, start), help());
    const middle = centre === undefined ? layout.boxes[0] : layout.boxes.find(({ key }) => key === keyOf(centre));
    if (isReadable || middle === undefined) picture.fit();
    else picture.centre(middle, readableScale);
    fill(header, element('h1', {}, subject.title), element('p', { class: 'soft' }, description(model, subject)));
    fill(
      bar,
      finder(model),
      centre === undefined ? undefined : centreLinks(centre),
      links === undefined
        ? field === '' && group === undefined
          ? undefined
          : element('a', { class: 'button', href: diagramLink() }, 'Overview')
        : element('a', { class: 'button', href: diagramLink('all') }, 'All tables'),
      links === undefined
        ? element(
            'label',
            {},
            element('input', {
              type: 'checkbox',
              checked: shown === 'all',
              change: () => {
                columns = shown === 'all' ? 'keys' : 'all';
                start();
              },
            }),
            ' All columns',
          )
        : undefined,
      tools(picture, subject, colours, frame, () => {
        localStorage.removeItem(storageKey);
        start();
      }),
    );
  };
  const start = (): void => {
    show().catch((error: unknown) => {
      fill(place, element('p', { class: 'bad', role: 'alert' }, `The diagram cannot be drawn: ${String(error)}`));
    });
  };
  fill(header, element('h1', {}, 'Diagram'));
  queueMicrotask(start);
  return element('article', { class: 'diagram-page' }, header, frame);
}

function subjectOf(model: ConsoleModel, tables: readonly ConsoleTable[], field: string, group?: string): Subject {
  const centre = field === 'all' ? undefined : tableOf(model, field);
  if (centre !== undefined) return neighbours(model, tables, centre);
  const groups = groupsOf(tables.map(diagramTable));
  const wanted = groups.find(({ schema, name }) => `${schema}.${name}` === group);
  if (wanted !== undefined) {
    const keys = new Set(wanted.tables.map(keyOf));
    return { title: group ?? '', diagram: diagramOf(tables.filter((table) => keys.has(keyOf(table)))) };
  }
  if (field === 'all' || tables.length <= mostAtOnce) return { title: 'Diagram', diagram: diagramOf(tables) };
  const diagram = groupDiagram(groups, diagramOf(tables));
  const links = groups.map(
    ({ schema, name }) => `#/diagram?${new URLSearchParams({ group: `${schema}.${name}` }).toString()}`,
  );
  return {
    title: 'Groups of tables',
    diagram,
    links: new Map(diagram.tables.map((box, at) => [keyOf(box), links[at] ?? ''])),
  };
}

const neighbours = (model: ConsoleModel, tables: readonly ConsoleTable[], centre: ConsoleTable): Subject => ({
  title: titleOf(model, centre),
  diagram: diagramOf(neighbourhood(tables, centre)),
  centre,
});

function description(model: ConsoleModel, { centre, links, diagram }: Subject): string {
  if (links !== undefined) return `${String(model.tables.length)} tables in ${String(links.size)} groups: choose one.`;
  const shown = `${String(diagram.tables.length)} tables and ${String(diagram.references.length)} foreign keys`;
  if (centre === undefined) return `${shown}. Choose a table to see its neighbours.`;
  return `${shown} of ${String(model.tables.length)} tables: what it refers to, and what refers to it.`;
}

const help = (): HTMLElement =>
  element(
    'p',
    { class: 'hint', id: 'diagram-help' },
    'Drag a table or press the arrow keys to move it; a click or Enter opens it. Scroll to zoom.',
  );

/** Which schemas are shown, in their colours. */
function legend(model: ConsoleModel, colours: SchemaColours, hidden: Set<string>, changed: () => void): Child {
  if (model.schemas.length < 2) return undefined;
  return element(
    'fieldset',
    { class: 'legend' },
    element('legend', { class: 'unseen' }, 'Schemas'),
    model.schemas.map(({ name }) => {
      const change = (): void => {
        if (!hidden.delete(name)) hidden.add(name);
        changed();
      };
      const box = element('input', { type: 'checkbox', checked: !hidden.has(name), change });
      return element('label', { class: `s${String(colours.get(name) ?? 0)}` }, box, name);
    }),
  );
}

function tools(
  picture: Picture,
  { diagram }: Subject,
  colours: SchemaColours,
  frame: HTMLElement,
  reset: () => void,
): HTMLElement {
  const svg = (): string => toSvg(picture.layout(), colours);
  return element(
    'div',
    { class: 'actions' },
    button(
      '+',
      () => {
        picture.zoom(1.25);
      },
      { 'aria-label': 'Zoom in' },
    ),
    button(
      '−',
      () => {
        picture.zoom(0.8);
      },
      { 'aria-label': 'Zoom out' },
    ),
    button('Fit', picture.fit),
    button('Tidy up', reset, { title: 'Forget where tables were moved' }),
    button('Full screen', () => {
      if (document.fullscreenElement === null) void frame.requestFullscreen().then(picture.fit);
      else void document.exitFullscreen().then(picture.fit);
    }),
    menu(
      'Download',
      element(
        'div',
        { class: 'actions' },
        download('SVG', 'diagram.svg', 'image/svg+xml', svg),
        button(
          'PNG',
          () => {
            savePng('diagram.png', svg(), picture.layout());
          },
          { 'aria-label': 'Download PNG' },
        ),
        download('Mermaid', 'diagram.mmd', 'text/plain', () => toMermaid(diagram)),
        download('DBML', 'diagram.dbml', 'text/plain', () => toDbml(diagram)),
      ),
    ),
  );
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

function neighbourhood(tables: readonly ConsoleTable[], centre: ConsoleTable): readonly ConsoleTable[] {
  const key = keyOf(centre);
  const near = new Set([key, ...centre.references.map(({ to }) => keyOf(to))]);
  return tables.filter((table) => near.has(keyOf(table)) || table.references.some(({ to }) => keyOf(to) === key));
}

/** The table that most others refer to, among those whose neighbours one can still see. */
function busiest(tables: readonly ConsoleTable[]): ConsoleTable | undefined {
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
function layOutApart(diagram: Diagram, shown: ShownColumns): Promise<Layout> {
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
    thread.postMessage({ id, diagram, shown });
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
