/// <reference lib="dom" />
import type { ConsoleFunction, ConsoleModel, ConsoleTable, ConsoleTask } from '../console-model.js';
import { element, grid, type Child } from './dom.js';
import { functionExample, type Example } from './examples.js';
import { broken, explorerLink, kinds, naturally, tableLink, tableOf, titleOf } from './links.js';
import { graphqlRequest, restRequest, send, totalOf } from './requests.js';
import { runner } from './runner.js';
import { chooseToken, anonymous } from './session.js';

/** The first page: the tables of each schema, and the tour of the guide, if there is one. */
export function homePage(model: ConsoleModel): HTMLElement {
  const { tasks } = model.guide;
  const views = model.tables.filter(({ kind }) => kind !== 'table').length;
  return element(
    'article',
    {},
    element(
      'header',
      { class: 'title' },
      element('h1', {}, 'Tables'),
      element(
        'p',
        {},
        `${count(model.tables.length - views, 'table')}, ${count(views, 'view')} and ${count(model.functions.length, 'function')}, over REST${model.graphql ? ' and GraphQL' : ''}.`,
      ),
      tasks.length === 0
        ? undefined
        : element('a', { class: 'button', href: '#tour', click: toTour }, 'Try it: a short tour'),
    ),
    model.schemas.map((schema) => schemaSection(model, schema)),
    tasks.length === 0
      ? undefined
      : [
          element('h2', { id: 'tour', tabindex: '-1' }, 'Try it'),
          element(
            'ol',
            { class: 'tasks' },
            tasks.map((task) => taskItem(model, task)),
          ),
        ],
    element('h2', {}, 'For tools'),
    element(
      'ul',
      { class: 'cards' },
      card('/api/v1/openapi.json', 'openapi.json', 'REST, described for tools'),
      model.graphql ? card('/schema.graphql', 'schema.graphql', 'GraphQL, described for tools') : undefined,
      card('/health/ready', 'Health', 'Whether the database answers'),
    ),
  );
}

/** The part of the address after # is the page's own. */
const toTour = (event: Event): void => {
  event.preventDefault();
  const tour = document.getElementById('tour');
  tour?.scrollIntoView();
  tour?.focus();
};

function schemaSection(model: ConsoleModel, schema: ConsoleModel['schemas'][number]): HTMLElement {
  const tables = model.tables.filter((table) => table.schema === schema.name).sort(naturally);
  return element(
    'section',
    {},
    model.schemas.length > 1 ? element('h2', {}, schema.name) : undefined,
    schema.comment === null ? undefined : element('p', {}, schema.comment),
    grid(
      ['Name', 'Rows', 'Columns', 'Comment'],
      tables
        .slice(0, mostListed)
        .map((table) => [
          [
            element('a', { href: tableLink(table.field, 'rows') }, broken(table.name)),
            table.kind === 'table'
              ? undefined
              : element('div', {}, element('span', { class: 'badge' }, kinds[table.kind])),
          ],
          estimate(model, table),
          String(table.columns.length),
          table.comment ?? '',
        ]),
      `Tables of ${schema.name}`,
    ),
  );
}

/** Requests for estimates run one after the other, so that other requests need not wait. */
let estimates: Promise<unknown> = Promise.resolve();

/** How many rows the caller sees: counted up to `app.max-rows`, estimated beyond, once in view. */
function estimate(model: ConsoleModel, table: ConsoleTable): HTMLElement {
  const place = element('span', { class: 'soft' });
  const ask = async (): Promise<void> => {
    if (!place.isConnected) return;
    const path = `${encodeURIComponent(table.name)}?limit=1`;
    const answer = await send(restRequest(model, table.schema, path, { headers: { Prefer: 'count=estimated' } }));
    const total = totalOf(answer);
    place.textContent = total === undefined ? '–' : `${total > model.maxRows ? '≈ ' : ''}${total.toLocaleString('en')}`;
  };
  new IntersectionObserver((seen, observer) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    estimates = estimates.then(ask).catch(() => undefined);
  }).observe(place);
  return place;
}

/** The list beside the page has all of them. */
const mostListed = 100;

const count = (number: number, what: string): string => `${String(number)} ${what}${number === 1 ? '' : 's'}`;

const card = (href: string, title: string, text: string): HTMLElement =>
  element('li', {}, element('a', { class: 'card', href }, element('strong', {}, title), element('span', {}, text)));

function taskItem(model: ConsoleModel, task: ConsoleTask): HTMLElement {
  return element(
    'li',
    {},
    element('p', {}, task.text),
    callers(model, task),
    examplesOf(model, task).map((each) => runner(model, each)),
  );
}

/** Lets a reader become each of the users whom a task names. */
function callers({ guide }: ConsoleModel, { users }: ConsoleTask): Child {
  if (users === undefined) return undefined;
  const status = element('span', { class: 'soft', role: 'status' });
  return element(
    'div',
    { class: 'actions' },
    users.map((name) => {
      const token = guide.users.find((user) => user.name === name)?.token;
      const choose = (): void => {
        chooseToken(token, guide);
        status.textContent = `Requests are sent as ${name ?? anonymous.name} now.`;
      };
      return element('button', { type: 'button', click: choose }, `Act as ${name ?? 'anonymous'}`);
    }),
    status,
  );
}

/** The task over each protocol that it is given in. */
function examplesOf(model: ConsoleModel, { title, graphql, rest }: ConsoleTask): readonly Example[] {
  const schema = rest?.schema ?? model.schemas[0]?.name ?? '';
  return [
    ...(rest === undefined
      ? []
      : [
          { title, protocol: 'REST' as const, request: restRequest(model, schema, rest.path.slice('/api/v1/'.length)) },
        ]),
    ...(graphql === undefined
      ? []
      : [{ title, protocol: 'GraphQL' as const, request: graphqlRequest(graphql), document: graphql }]),
  ];
}

/** The page of a function or a procedure. */
export function functionPage(model: ConsoleModel, called: ConsoleFunction): HTMLElement {
  const answers = called.table === null ? undefined : tableOf(model, called.table);
  const isFunction = called.kind === 'function';
  return element(
    'article',
    {},
    element(
      'header',
      { class: 'title' },
      element(
        'h1',
        {},
        titleOf(model, called),
        ' ',
        element('span', { class: 'badge' }, called.kind === 'procedure' ? 'Procedure' : 'Function'),
      ),
      called.comment === null ? undefined : element('p', {}, called.comment),
      element(
        'p',
        { class: 'names' },
        isFunction ? ['REST ', element('code', {}, `/api/v1/rpc/${called.name}`)] : undefined,
        model.graphql ? [' GraphQL ', element('code', {}, called.field)] : undefined,
      ),
      answers === undefined
        ? undefined
        : element(
            'p',
            {},
            'It answers rows of ',
            element('a', { href: tableLink(answers.field) }, titleOf(model, answers)),
            '.',
          ),
      isFunction
        ? element('p', {}, element('a', { href: explorerLink('function', called.field) }, 'In the REST explorer'))
        : undefined,
    ),
    called.arguments.length === 0
      ? element('p', {}, 'It takes no arguments.')
      : grid(
          ['Argument', 'Kind', ''],
          called.arguments.map(({ name, kind, optional }) => [
            element('strong', {}, name),
            element('code', {}, kind),
            optional ? 'optional' : 'required',
          ]),
          'Arguments',
        ),
    isFunction || model.graphql
      ? [element('h2', {}, 'Try it'), runner(model, functionExample(model, called))]
      : undefined,
  );
}
