/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleTable } from '../console-model.js';
import { button, element, fill, menu } from './dom.js';

const keyOf = ({ field }: ConsoleTable): string => `tablewright.columns.${field}`;

/** Columns that people do not read, until they choose them. */
const unread = new Set(['tsvector', 'vector']);

/** The columns that this browser shows of a table, in their order. */
export function chosenColumns(table: ConsoleTable): readonly ConsoleColumn[] {
  const all = table.columns.filter(({ kind }) => !unread.has(kind));
  try {
    const names = JSON.parse(localStorage.getItem(keyOf(table)) ?? 'null') as unknown;
    if (!Array.isArray(names)) return all;
    const chosen = names.flatMap((name) => table.columns.find((column) => column.name === name) ?? []);
    return chosen.length === 0 ? all : chosen;
  } catch {
    return all;
  }
}

function remember(table: ConsoleTable, columns: readonly ConsoleColumn[] | undefined): void {
  try {
    if (columns === undefined) localStorage.removeItem(keyOf(table));
    else localStorage.setItem(keyOf(table), JSON.stringify(columns.map(({ name }) => name)));
  } catch {
    // A browser that stores nothing shows the columns until the page is left.
  }
}

/** A list of the columns: which are shown, and in which order. */
export function columnChooser(table: ConsoleTable, changed: () => void): HTMLElement {
  const list = element('ul', { class: 'chooser' });
  let order = [...new Set([...chosenColumns(table), ...table.columns])];
  let shown = new Set(chosenColumns(table));
  const keep = (): void => {
    remember(
      table,
      order.filter((column) => shown.has(column)),
    );
    changed();
  };
  const move = (from: number, to: number): void => {
    const [moved] = order.splice(from, 1);
    if (moved !== undefined) order.splice(to, 0, moved);
    show();
    keep();
    // The button moved with its column, and keeps the focus.
    list.children[to]?.querySelectorAll('button')[to > from ? 1 : 0]?.focus();
  };
  const show = (): void => {
    fill(
      list,
      order.map((column, at) => {
        const box = element('input', {
          type: 'checkbox',
          checked: shown.has(column),
          change: () => {
            if (box.checked) shown.add(column);
            else shown.delete(column);
            keep();
          },
        });
        return element(
          'li',
          {},
          element('label', {}, box, ` ${column.name}`),
          button(
            '↑',
            () => {
              if (at > 0) move(at, at - 1);
            },
            { class: 'small', 'aria-label': `Move ${column.name} to the left` },
          ),
          button(
            '↓',
            () => {
              if (at < order.length - 1) move(at, at + 1);
            },
            { class: 'small', 'aria-label': `Move ${column.name} to the right` },
          ),
        );
      }),
    );
  };
  show();
  const reset = button('All columns', () => {
    remember(table, undefined);
    order = [...new Set([...chosenColumns(table), ...table.columns])];
    shown = new Set(chosenColumns(table));
    show();
    changed();
  });
  return menu('Columns', element('div', {}, list, reset));
}
