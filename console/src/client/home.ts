/// <reference lib="dom" />
import type { ConsoleFunction, ConsoleModel, ConsoleTask } from '../console-model.js';
import { element, grid, type Child } from './dom.js';
import { functionExample, type Example } from './examples.js';
import { explorerLink, diagramLink, kinds, tableLink, tableOf, titleOf } from './links.js';
import { graphqlRequest, restRequest } from './requests.js';
import { runner } from './runner.js';
import { chooseToken, nobody } from './session.js';

/** The first page: the tasks of the guide, if there is one, and what the server serves. */
export function homePage(model: ConsoleModel): HTMLElement {
  const { tasks } = model.guide;
  const views = model.tables.filter(({ kind }) => kind !== 'table').length;
  return element(
    'article',
    {},
    element(
      'header',
      { class: 'title' },
      element('h1', {}, tasks.length > 0 ? 'Try it' : 'This server is running'),
      element(
        'p',
        {},
        `${count(model.tables.length - views, 'table')}, ${count(views, 'view')} and ${count(model.functions.length, 'function')}, over REST${model.graphql ? ' and GraphQL' : ''}.`,
      ),
    ),
    element(
      'ul',
      { class: 'cards' },
      model.graphiql ? card('/graphql', 'GraphiQL', 'Write queries, read the schema') : undefined,
      card(diagramLink(), 'Diagram', 'Tables and foreign keys'),
      card('/api/v1/openapi.json', 'openapi.json', 'REST, described for tools'),
      model.graphql ? card('/schema.graphql', 'schema.graphql', 'GraphQL, described for tools') : undefined,
      card('/health/ready', 'Health', 'Whether the database answers'),
    ),
    tasks.length === 0
      ? undefined
      : element(
          'ol',
          { class: 'tasks' },
          tasks.map((task) => taskItem(model, task)),
        ),
    model.schemas.map((schema) =>
      element(
        'section',
        {},
        element('h2', {}, schema.name),
        schema.comment === null ? undefined : element('p', {}, schema.comment),
        grid(
          ['Name', '', 'Columns', 'Comment'],
          model.tables
            .filter((table) => table.schema === schema.name)
            .slice(0, mostListed)
            .map((table) => [
              element('a', { href: tableLink(table.field) }, table.name),
              kinds[table.kind],
              String(table.columns.length),
              table.comment ?? '',
            ]),
          `Tables of ${schema.name}`,
        ),
      ),
    ),
  );
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
        status.textContent = `Requests are sent as ${name ?? nobody.name} now.`;
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
    isFunction || model.graphql ? runner(model, functionExample(model, called)) : undefined,
  );
}
