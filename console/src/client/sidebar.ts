/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { element, fill } from './dom.js';
import { functionLink, kinds, tableLink, titleOf } from './links.js';

interface Entry {
  readonly href: string;
  readonly title: string;
  readonly kind: string;
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
      names: `${table.schema}.${table.name} ${table.field}`.toLowerCase(),
      rest: `${table.comment ?? ''} ${table.columns.map(({ name }) => name).join(' ')}`.toLowerCase(),
    })),
    ...model.functions.map((called) => ({
      href: functionLink(called.field),
      title: titleOf(model, called),
      kind: called.kind === 'procedure' ? 'Procedure' : 'Function',
      names: `${called.schema}.${called.name} ${called.field}`.toLowerCase(),
      rest: (called.comment ?? '').toLowerCase(),
    })),
  ];
  const items = new Map(entries.map((entry) => [entry, item(entry)]));
  const list = element('ul', { class: 'list' });
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
      found.flatMap((entry) => items.get(entry) ?? []),
    );
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
      const page = hash.split('/').slice(0, 3).join('/');
      for (const link of list.querySelectorAll('a')) {
        const isCurrent = page !== '' && (link.getAttribute('href') ?? '').split('/').slice(0, 3).join('/') === page;
        if (isCurrent) link.setAttribute('aria-current', 'page');
        else link.removeAttribute('aria-current');
      }
    },
  };
}

const item = ({ href, title, kind }: Entry): HTMLElement =>
  element(
    'li',
    {},
    element('a', { href }, element('span', {}, title), kind === 'Table' ? undefined : element('small', {}, kind)),
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
