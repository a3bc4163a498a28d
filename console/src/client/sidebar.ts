/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { element, fill, type Child } from './dom.js';
import { broken, functionLink, kinds, naturally, tableLink, titleOf } from './links.js';

interface Entry {
  readonly href: string;
  readonly title: string;
  readonly kind: string;
  readonly schema: string;
  readonly name: string;
  /** The texts that a search reads, in lower case: `names` first, then comments and columns. */
  readonly names: string;
  readonly rest: string;
}

export interface Sidebar {
  readonly element: HTMLElement;
  /** Puts the cursor into the search. */
  readonly focus: () => void;
  /** Marks what the page is about. */
  readonly mark: (hash: string) => void;
}

/** The list of tables, views and functions, and a search through them as one types. */
export function sidebar(model: ConsoleModel): Sidebar {
  const entries: readonly Entry[] = [
    ...model.tables.map((table) => ({
      href: tableLink(table.field),
      title: titleOf(model, table),
      kind: kinds[table.kind],
      schema: table.schema,
      name: table.name,
      names: `${table.schema}.${table.name} ${table.field}`.toLowerCase(),
      rest: `${table.comment ?? ''} ${table.columns.map(({ name }) => name).join(' ')}`.toLowerCase(),
    })),
    ...model.functions.map((called) => ({
      href: functionLink(called.field),
      title: titleOf(model, called),
      kind: called.kind === 'procedure' ? 'Procedure' : 'Function',
      schema: called.schema,
      name: called.name,
      names: `${called.schema}.${called.name} ${called.field}`.toLowerCase(),
      rest: (called.comment ?? '').toLowerCase(),
    })),
  ];
  const list = element('div', { class: 'list' });
  const status = element('p', { class: 'soft', role: 'status' });
  const input = element('input', {
    type: 'search',
    'aria-label': 'Search tables, views and functions',
    placeholder: 'Search (press /)',
    spellcheck: 'false',
    autocomplete: 'off',
  });
  const show = (): void => {
    const found = search(entries, input.value);
    fill(
      list,
      input.value === ''
        ? grouped(model, entries)
        : element(
            'ul',
            {},
            found.map((entry) => item(entry, true)),
          ),
    );
    mark(list, location.hash);
    status.textContent = input.value === '' ? '' : `${String(found.length)} of ${String(entries.length)}`;
  };
  input.addEventListener('input', show);
  input.addEventListener('keydown', (event) => {
    const first = list.querySelector('a');
    if (event.key === 'Enter' && first !== null) location.hash = first.getAttribute('href') ?? '';
    if (event.key === 'ArrowDown' && first !== null) {
      event.preventDefault();
      first.focus();
    }
  });
  list.addEventListener('keydown', (event) => {
    step(event, list, input);
  });
  show();
  return {
    element: element(
      'nav',
      { class: 'side', id: 'side', 'aria-label': 'Tables, views and functions' },
      input,
      status,
      list,
    ),
    focus: () => {
      input.focus();
    },
    mark: (hash) => {
      mark(list, hash);
    },
  };
}

/** Marks the links to the page that is shown. */
function mark(list: Element, hash: string): void {
  const pageOf = (text: string): string => text.split('/').slice(0, 3).join('/');
  for (const link of list.querySelectorAll('a')) {
    const isCurrent = hash !== '' && pageOf(link.getAttribute('href') ?? '') === pageOf(hash);
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** The entries of each schema, its tables first, then views and functions. */
const grouped = (model: ConsoleModel, entries: readonly Entry[]): readonly Child[] =>
  model.schemas.map(({ name }) => {
    const own = entries.filter(({ schema }) => schema === name);
    const group = (title: string, kindsOf: readonly string[]): Child => {
      const some = own.filter(({ kind }) => kindsOf.includes(kind)).sort(naturally);
      return some.length === 0
        ? undefined
        : [
            element('h3', {}, title),
            element(
              'ul',
              {},
              some.map((entry) => item(entry, false)),
            ),
          ];
    };
    return element(
      'section',
      {},
      model.schemas.length > 1 ? element('h2', {}, broken(name)) : undefined,
      group('Tables', [kinds.table]),
      group('Views', [kinds.view, kinds.materializedView]),
      group('Functions', ['Function', 'Procedure']),
    );
  });

const item = ({ href, title, name, kind }: Entry, isFound: boolean): HTMLElement =>
  element(
    'li',
    {},
    element(
      'a',
      { href, 'aria-label': title },
      element('span', {}, broken(isFound ? title : name)),
      isFound && kind !== 'Table' ? element('small', {}, kind) : undefined,
    ),
  );

/** Those that have every word: first those that have them in their names. */
function search(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const named = entries.filter(({ names }) => words.every((word) => names.includes(word)));
  if (words.length === 0) return named;
  const rest = entries.filter(
    (entry) => !named.includes(entry) && words.every((word) => `${entry.names} ${entry.rest}`.includes(word)),
  );
  return [...named, ...rest];
}

/** Up and down through the list, and from its top back into the search. */
function step(event: KeyboardEvent, list: Element, input: HTMLElement): void {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
  event.preventDefault();
  const links = [...list.querySelectorAll('a')];
  const at = links.findIndex((link) => link === document.activeElement);
  const next = links[at + (event.key === 'ArrowDown' ? 1 : -1)];
  if (next !== undefined) next.focus();
  else if (event.key === 'ArrowUp') input.focus();
}
