/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { element, fill } from './dom.js';
import type { Reference } from './labels.js';
import { latest } from './latest.js';
import { messageOf, rowsOf, send } from './requests.js';
import { readRequest, textOf } from './row-state.js';

/** What an input of any kind is to a form. */
export interface Control {
  readonly element: HTMLElement;
  readonly field: HTMLElement;
  readonly get: () => string;
  readonly set: (text: string) => void;
}

/** Rows that a search offers. */
const mostOffered = 10;

/** Milliseconds after the last key before a search is sent. */
const TYPING_MS = 150;

/** Chooses the row that a foreign key refers to, by a search in the label column of its table. */
export function referenceInput(
  model: ConsoleModel,
  reference: Reference,
  value: string,
  attributes: Readonly<Record<string, string>>,
): Control {
  const { table, column, label } = reference;
  const listId = `${attributes['id'] ?? ''}-options`;
  const list = element('ul', { id: listId, role: 'listbox', class: 'options', hidden: true, 'aria-label': table.name });
  const input = element('input', {
    ...attributes,
    role: 'combobox',
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    autocomplete: 'off',
    spellcheck: 'false',
    placeholder: `${table.name} by ${(label ?? column).name}`,
  });
  input.value = value;
  const begin = latest();
  let active = -1;
  const options = (): readonly HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[role=option]')];
  const close = (): void => {
    // A search that is under way has nothing to offer any more.
    begin();
    active = -1;
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (key: string): void => {
    input.value = key;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    close();
  };
  const activate = (at: number): void => {
    active = at;
    options().forEach((each, index) => {
      each.setAttribute('aria-selected', String(index === at));
      if (index !== at) return;
      input.setAttribute('aria-activedescendant', each.id);
      each.scrollIntoView({ block: 'nearest' });
    });
  };
  const search = async (text: string): Promise<void> => {
    const isLast = begin();
    await new Promise((resolve) => setTimeout(resolve, TYPING_MS));
    if (!isLast()) return;
    const answer = await send(readRequest(model, table, searchQuery(reference, text)));
    if (!isLast() || !input.isConnected) return;
    const rows = rowsOf(answer);
    fill(
      list,
      rows === undefined || rows.length === 0
        ? element(
            'li',
            { class: 'soft', role: 'presentation' },
            rows === undefined ? messageOf(answer) : 'No such row.',
          )
        : rows.map((row, at) => {
            const key = textOf(row[column.rest]);
            const text = label === undefined ? '' : ` ${textOf(row[label.rest])}`;
            return element(
              'li',
              {
                role: 'option',
                id: `${listId}-${String(at)}`,
                'aria-selected': 'false',
                // The input keeps the focus.
                mousedown: (event) => {
                  event.preventDefault();
                  choose(key);
                },
                'data-key': key,
              },
              element('strong', {}, key),
              text,
            );
          }),
    );
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
  };
  const start = (text: string): void => {
    search(text).catch(close);
  };
  input.addEventListener('input', () => {
    start(input.value.trim());
  });
  // The value of a row is one that one may want to change: all rows are offered.
  input.addEventListener('focus', () => {
    input.select();
    start('');
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (list.hidden) return;
    const all = options();
    if (event.key === 'ArrowDown') activate(Math.min(active + 1, all.length - 1));
    else if (event.key === 'ArrowUp') activate(Math.max(active - 1, 0));
    else if (event.key === 'Enter' && active >= 0) choose(all[active]?.dataset['key'] ?? '');
    else if (event.key === 'Escape') close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    element: element('span', { class: 'combo' }, input, list),
    field: input,
    get: () => input.value,
    set: (text) => {
      input.value = text;
    },
  };
}

/** Rows whose label has the text, or whose key is the text where keys are texts or numbers. */
function searchQuery({ column, label }: Reference, text: string): string {
  const select = [column, ...(label === undefined ? [] : [label])].map(({ rest }) => encodeURIComponent(rest));
  const by = label ?? column;
  const like = `"*${text.replace(/[*%]/g, '').replace(/["\\]/g, (each) => `\\${each}`)}*"`;
  const name = (rest: string): string => (/^\w+$/.test(rest) ? rest : `"${rest.replaceAll('"', '\\"')}"`);
  const conditions = [
    ...(by.kind === 'text' ? [`${name(by.rest)}.ilike.${like}`] : []),
    ...(/^\d{1,9}$/.test(text) && isNumber.has(column.kind) ? [`${name(column.rest)}.eq.${text}`] : []),
  ];
  const filter =
    text === '' || conditions.length === 0 ? [] : [`or=${encodeURIComponent(`(${conditions.join(',')})`)}`];
  return [
    ...filter,
    `select=${select.join(',')}`,
    `order=${encodeURIComponent(by.rest)}`,
    `limit=${String(mostOffered)}`,
  ].join('&');
}

const isNumber = new Set(['int', 'bigint', 'numeric']);
