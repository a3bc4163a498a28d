/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleModel, ConsoleTable } from '../console-model.js';
import { policyItem } from './access.js';
import { element, fill, grid, type Child } from './dom.js';
import { tableExamples } from './examples.js';
import { diagramLink, explorerLink, kinds, tableLink, tableOf, titleOf, type TableView } from './links.js';
import { documentOf } from './code.js';
import { history } from './history.js';
import { messageOf, restRequest, send, totalOf } from './requests.js';
import { rowsView } from './rows.js';
import { runner } from './runner.js';
import { anonymous, session } from './session.js';
import { whyMissing } from './why.js';

/** The page of a table: its description, its rows, and requests to try. */
export function tablePage(model: ConsoleModel, table: ConsoleTable, view: TableView, query: string): HTMLElement {
  const views: readonly (readonly [TableView, string])[] = [
    ['structure', 'Structure'],
    ['rows', 'Rows'],
    ['requests', 'Requests'],
  ];
  return element(
    'article',
    {},
    element(
      'header',
      { class: 'title' },
      element('h1', {}, titleOf(model, table), ' ', element('span', { class: 'badge' }, kinds[table.kind])),
      table.comment === null ? undefined : element('p', {}, table.comment),
      element(
        'p',
        { class: 'names' },
        'REST ',
        element('code', {}, `/api/v1/${table.name}`),
        model.graphql ? [' GraphQL ', element('code', {}, table.field)] : undefined,
      ),
    ),
    element(
      'nav',
      { class: 'tabs', 'aria-label': 'Parts of the page' },
      views.map(([each, text]) =>
        element('a', { href: tableLink(table.field, each), 'aria-current': each === view ? 'page' : undefined }, text),
      ),
      element('a', { href: diagramLink(table.field) }, 'In the diagram'),
      element('a', { href: explorerLink('table', table.field) }, 'In the REST explorer'),
    ),
    view === 'rows'
      ? rowsView(model, table, query)
      : view === 'requests'
        ? [
            element('h2', { class: 'unseen' }, 'Requests'),
            sentBefore(model),
            tableExamples(model, table).map((each) => runner(model, each)),
          ]
        : structure(model, table),
  );
}

/** What this tab has sent, to send again. It is read when it is opened. */
function sentBefore(model: ConsoleModel): HTMLElement {
  const list = element('div');
  const open = (): void => {
    const all = history();
    fill(
      list,
      all.length === 0 ? element('p', {}, 'This tab has sent no request.') : undefined,
      all.map(({ request, status, caller }) => {
        const document = documentOf(request);
        const protocol = document === undefined ? 'REST' : 'GraphQL';
        const title = `${String(status)} as ${caller}`;
        return runner(model, { title, protocol, request, ...(document === undefined ? {} : { document }) });
      }),
    );
  };
  return element('details', { toggle: open }, element('summary', {}, 'History'), list);
}

function structure(model: ConsoleModel, table: ConsoleTable): readonly Child[] {
  const { facts, uniques, primaryKey, relations } = table;
  return [
    section('Columns', columnGrid(model, table)),
    relations.length === 0
      ? undefined
      : section(
          'Relations',
          grid(
            ['Field', 'Rows of', 'Joined by', 'How many'],
            relations.map((relation) => {
              const other = tableOf(model, relation.table);
              return [
                element('code', {}, relation.name),
                other === undefined
                  ? relation.table
                  : element('a', { href: tableLink(other.field) }, titleOf(model, other)),
                relation.columns.map((column, at) => `${column} = ${relation.references[at] ?? ''}`).join(', ') ||
                  relation.constraint,
                relation.cardinality === 'one' ? 'one' : 'many',
              ];
            }),
            'Relations',
          ),
        ),
    section(
      'Keys and indexes',
      element(
        'ul',
        {},
        primaryKey.length === 0
          ? element('li', {}, 'No primary key.')
          : element('li', {}, 'Primary key ', element('code', {}, primaryKey.join(', '))),
        uniques.map(({ columns, name }) =>
          element(
            'li',
            {},
            'Unique ',
            element('code', {}, columns.join(', ')),
            element('span', { class: 'soft' }, ` ${name}`),
          ),
        ),
        facts?.indexes.map(({ name, text }) =>
          element('li', {}, 'Index ', element('code', {}, text), element('span', { class: 'soft' }, ` ${name}`)),
        ),
        facts?.checks.map(({ name, definition }) =>
          element('li', {}, element('code', {}, definition), element('span', { class: 'soft' }, ` ${name}`)),
        ),
      ),
    ),
    section('Who may do what', access(model, table)),
    whyMissing(model, table),
  ];
}

const section = (title: string, ...children: readonly Child[]): HTMLElement =>
  element('section', {}, element('h2', {}, title), children);

function columnGrid(model: ConsoleModel, table: ConsoleTable): HTMLElement {
  return grid(
    ['Column', 'Type', '', 'Comment'],
    table.columns.map((column) => [
      [
        element('strong', {}, column.name),
        column.field === column.name ? undefined : element('span', { class: 'soft' }, ` ${column.field}`),
      ],
      element('code', { class: 'type' }, column.type),
      [
        marks(model, table, column),
        column.default === null ? undefined : [' default ', element('code', {}, column.default)],
      ],
      [
        column.comment ?? '',
        column.values === undefined
          ? undefined
          : element('span', { class: 'soft' }, ` ${column.values.map(({ label }) => label).join(' · ')}`),
      ],
    ]),
    'Columns',
  );
}

function marks(
  model: ConsoleModel,
  table: ConsoleTable,
  { name, nullable, readOnly }: ConsoleColumn,
): readonly Child[] {
  const referred = table.relations.filter(
    ({ direction, columns }) => direction === 'forward' && columns.includes(name),
  );
  return [
    table.primaryKey.includes(name) ? element('span', { class: 'badge key' }, 'key') : undefined,
    nullable ? element('span', { class: 'soft' }, 'may be null ') : undefined,
    readOnly ? element('span', { class: 'soft' }, 'read only ') : undefined,
    referred.map((relation) => {
      const other = tableOf(model, relation.table);
      return other === undefined
        ? undefined
        : element('a', { href: tableLink(other.field) }, `→ ${titleOf(model, other)}`);
    }),
  ];
}

function access(model: ConsoleModel, table: ConsoleTable): readonly Child[] {
  const { facts, writes } = table;
  const possible = ['read', ...writes].join(', ');
  const first = element(
    'p',
    {},
    `The API offers to ${possible} rows. The database refuses operations that the role of a request may not use.`,
  );
  if (facts === undefined) return [first];
  if (facts.rowSecurity === 'off')
    return [
      first,
      element('p', {}, 'Row level security is off: every role that may read the table reads all of its rows.'),
    ];
  return [
    first,
    element(
      'p',
      {},
      `Row level security is on${facts.rowSecurity === 'forced' ? ', for the owner of the table too' : ''}. `,
      facts.policies.length === 0
        ? 'There is no policy, so no caller sees a row.'
        : 'A caller sees the rows that one of the permissive policies lets through, and every restrictive one:',
    ),
    element('ul', { class: 'policies' }, facts.policies.map(policyItem)),
    compare(model, table),
  ];
}

/**
 * Counts the rows without a token and as the chosen user, which shows the effect of the policies.
 */
function compare(model: ConsoleModel, table: ConsoleTable): HTMLElement {
  const place = element('div', { 'aria-live': 'polite' });
  const request = restRequest(model, table.schema, `${encodeURIComponent(table.name)}?limit=1`, {
    headers: { Prefer: 'count=exact' },
  });
  const count = async (): Promise<void> => {
    const callers = session().token === undefined ? [anonymous] : [anonymous, session()];
    const answers = await Promise.all(callers.map((caller) => send(request, caller)));
    fill(
      place,
      element(
        'ul',
        {},
        callers.map(({ name }, at) => {
          const answer = answers[at];
          const total = answer === undefined ? undefined : totalOf(answer);
          return element(
            'li',
            {},
            element('strong', {}, name),
            ': ',
            total === undefined
              ? answer === undefined
                ? ''
                : messageOf(answer)
              : `${String(total)} ${total === 1 ? 'row' : 'rows'}`,
          );
        }),
      ),
      callers.length === 1 ? element('p', { class: 'soft' }, 'Choose a caller at the top to compare.') : undefined,
    );
  };
  const failed = (error: unknown): void => {
    fill(place, element('p', { class: 'bad' }, String(error)));
  };
  return element(
    'div',
    {},
    element(
      'button',
      {
        type: 'button',
        click: () => {
          count().catch(failed);
        },
      },
      'Count the rows that a caller sees',
    ),
    place,
  );
}
