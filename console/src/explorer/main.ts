/// <reference lib="dom" />
import { addressOf } from '../client/base-path.js';
import type { ConsoleModel } from '../console-model.js';
import { element, fill } from '../client/dom.js';
import { siteHeader } from '../client/header.js';
import { functionLink, hashOf, tableLink, titleOf } from '../client/links.js';
import { keptHeaders } from '../client/session.js';
import { openModel } from '../client/site.js';
import { keepAccessible } from './accessible.js';
import type { Description, Subject } from './document.js';
import { operationsPath } from './paths.js';
import { loadSwagger, showOperations } from './swagger.js';

/** With more tables the page shows one at a time: Swagger UI draws a line for each operation. */
const mostTables = 60;

const root = document.getElementById('explorer');
if (root !== null)
  start(root).catch((error: unknown) => {
    fill(root, element('p', { class: 'loading bad', role: 'alert' }, `The explorer did not start: ${String(error)}`));
  });

async function start(place: HTMLElement): Promise<void> {
  const model = await openModel();
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const colour = (): void => {
    document.documentElement.classList.toggle('dark-mode', dark.matches);
  };
  dark.addEventListener('change', colour);
  colour();
  const entries = entriesOf(model);
  const title = element('h1');
  const operations = element('div', { class: 'operations' });
  keepAccessible(operations);
  const back = element('a', { class: 'button', href: '/' }, 'In the console');
  const errors = element(
    'button',
    {
      type: 'button',
      'aria-pressed': 'false',
      click: () => {
        errors.setAttribute('aria-pressed', String(operations.classList.toggle('errors')));
      },
    },
    'Error answers',
  );
  const choice = element('select', {
    id: 'subject',
    change: () => {
      location.hash = choice.value;
    },
  });
  fill(choice, optionsOf(entries));
  const show = (): void => {
    const entry = entries.find(({ hash }) => hash === location.hash) ?? entries[0];
    if (entry === undefined) return;
    choice.value = entry.hash;
    back.href = addressOf(`/${entry.page}`);
    fill(title, entry.title);
    document.title = `${entry.title} · REST · Tablewright`;
    const part = entry.subject === undefined ? '' : entry.hash.slice(1);
    // The request is under way while the browser runs Swagger UI's script.
    const asked = read<Description>(`${operationsPath}${part}.json`);
    Promise.all([asked, loadSwagger()])
      .then(([description]) => {
        // Somebody may have chosen another table meanwhile.
        if (choice.value === entry.hash) showOperations(operations, description, entry.subject !== undefined);
      })
      .catch((error: unknown) => {
        fill(operations, element('p', { class: 'bad', role: 'alert' }, `There is no description: ${String(error)}`));
      });
  };
  const main = element(
    'main',
    { id: 'main', tabindex: '-1' },
    title,
    element('div', { class: 'actions' }, element('label', { for: 'subject' }, 'Operations of'), choice, back, errors),
    operations,
  );
  fill(place, siteHeader(model, 'REST explorer'), main);
  window.addEventListener('hashchange', show);
  show();
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(addressOf(path), { headers: keptHeaders() });
  const document = (await response.json()) as T & { readonly message?: string };
  if (!response.ok) throw new Error(document.message ?? String(response.status));
  return document;
}

interface Entry {
  readonly hash: string;
  readonly title: string;
  /** Its page in the console. */
  readonly page: string;
  readonly subject: Subject | undefined;
}

/** What can be chosen: everything, where that is not too much, then tables and functions. */
function entriesOf(model: ConsoleModel): readonly Entry[] {
  const all: Entry = { hash: '#/', title: 'All operations', page: '', subject: undefined };
  return [
    ...(model.tables.length > mostTables ? [] : [all]),
    ...model.tables.map((table): Entry => {
      const { schema, name, field } = table;
      const hash = hashOf('table', field);
      return { hash, title: titleOf(model, table), page: tableLink(field), subject: { kind: 'table', schema, name } };
    }),
    ...model.functions.map((called): Entry => {
      const { schema, name, field } = called;
      const hash = hashOf('function', field);
      return {
        hash,
        title: titleOf(model, called),
        page: functionLink(field),
        subject: { kind: 'function', schema, name },
      };
    }),
  ];
}

function optionsOf(entries: readonly Entry[]): readonly HTMLElement[] {
  const group = (label: string, kind: Subject['kind']): readonly HTMLElement[] => {
    const own = entries.filter(({ subject }) => subject?.kind === kind);
    return own.length === 0 ? [] : [element('optgroup', { label }, own.map(option))];
  };
  return [
    ...entries.filter(({ subject }) => subject === undefined).map(option),
    ...group('Tables and views', 'table'),
    ...group('Functions', 'function'),
  ];
}

const option = ({ hash, title }: Entry): HTMLElement => element('option', { value: hash }, title);
