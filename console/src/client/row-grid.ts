/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleModel, ConsoleTable } from '../console-model.js';
import { refusalOf } from './access.js';
import { button, copy, element, fill, type Child } from './dom.js';
import { valueInput } from './inputs.js';
import { referenceOf, type Labels } from './labels.js';
import type { Row } from './requests.js';
import { keyText, linkTo, rowsWhere, textOf, type Shown } from './row-state.js';
import { writeRow } from './writes.js';

export interface GridOptions {
  readonly model: ConsoleModel;
  readonly table: ConsoleTable;
  readonly columns: readonly ConsoleColumn[];
  readonly rows: readonly Row[];
  readonly labels: Labels;
  readonly shown: Shown;
  /** Opens the panel of a row. */
  readonly open: (row: Row, replace: (row: Row | undefined) => void) => void;
  /** Says something about the last edit. */
  readonly notify: (text: Child, isProblem: boolean) => void;
}

/**
 * The rows as a grid: arrow keys move from cell to cell, Enter edits one, Ctrl-C copies it. The Tab
 * key reaches one cell.
 */
export function rowGrid(options: GridOptions): HTMLElement {
  const { table, columns, rows, notify } = options;
  const body = element(
    'tbody',
    {},
    rows.map((row) => gridRow(options, row)),
  );
  const cells = (): readonly (readonly HTMLElement[])[] =>
    [...body.children].map((row) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')]);
  const first = body.querySelector<HTMLElement>('[role=gridcell]');
  first?.setAttribute('tabindex', '0');
  body.addEventListener('keydown', (event) => {
    const cell = event.target;
    if (!(cell instanceof HTMLElement) || cell.getAttribute('role') !== 'gridcell') return;
    if (event.key.toLowerCase() === 'c' && (event.ctrlKey || event.metaKey)) {
      const status = element('span');
      copy(cell.dataset['value'] ?? '', status);
      notify(status, false);
      return;
    }
    const all = cells();
    const at = all.findIndex((each) => each.includes(cell));
    const across = all[at]?.indexOf(cell) ?? 0;
    const steps: Readonly<Record<string, HTMLElement | undefined>> = {
      ArrowUp: all[at - 1]?.[across],
      ArrowDown: all[at + 1]?.[across],
      ArrowLeft: all[at]?.[across - 1],
      ArrowRight: all[at]?.[across + 1],
      Home: all[at]?.[0],
      End: all[at]?.at(-1),
    };
    if (!(event.key in steps)) return;
    event.preventDefault();
    steps[event.key]?.focus();
  });
  body.addEventListener('focusin', (event) => {
    const cell = event.target;
    if (!(cell instanceof HTMLElement) || cell.getAttribute('role') !== 'gridcell') return;
    for (const other of body.querySelectorAll('[tabindex="0"][role=gridcell]')) other.setAttribute('tabindex', '-1');
    cell.tabIndex = 0;
  });
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': `Rows of ${table.name}` },
    element(
      'table',
      { role: 'grid', 'aria-label': 'Rows' },
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          element('th', { scope: 'col' }, element('span', { class: 'unseen' }, 'Row')),
          columns.map((column) => head(options, column)),
        ),
      ),
      body,
    ),
  );
}

/** The name of a column, which orders by it. */
function head({ table, shown }: GridOptions, { name }: ConsoleColumn): HTMLElement {
  const direction = shown.order?.column === name ? shown.order.direction : undefined;
  const next = direction === 'asc' ? 'desc' : 'asc';
  const mark = direction === undefined ? '' : direction === 'asc' ? ' ↑' : ' ↓';
  const href = linkTo(table, { ...shown, offset: 0, order: { column: name, direction: next } });
  return element(
    'th',
    {
      scope: 'col',
      ...(direction === undefined ? {} : { 'aria-sort': direction === 'asc' ? 'ascending' : 'descending' }),
    },
    element('a', { href, title: `Order by ${name}` }, `${name}${mark}`),
  );
}

function gridRow(options: GridOptions, row: Row): HTMLElement {
  const { model, table, columns, open } = options;
  const line = element('tr');
  let now = row;
  const replace = (changed: Row | undefined): void => {
    if (changed === undefined) {
      line.remove();
      return;
    }
    now = { ...now, ...changed };
    show();
  };
  const show = (): void => {
    const opener = button(
      'Open',
      () => {
        open(now, replace);
      },
      { class: 'small', 'aria-label': `Open row ${keyText(table, now)}` },
    );
    fill(
      line,
      element('td', { class: 'opener' }, opener),
      columns.map((column) => cellOf(column)),
    );
  };
  const cellOf = (column: ConsoleColumn): HTMLElement => {
    const value = now[column.rest];
    const cell = element(
      'td',
      {
        role: 'gridcell',
        tabindex: '-1',
        'data-column': column.name,
        'data-value': value == null ? '' : textOf(value),
      },
      cellContent(options, column, value),
    );
    const edit = (): void => {
      const refusal = column.readOnly
        ? `${column.name} gets its value from the database.`
        : column.insertOnly
          ? `${column.name} decides which server has the row. Delete the row and insert it again.`
          : refusalOf(model, table, 'update');
      if (refusal !== undefined) options.notify(refusal, true);
      else
        editCell(options, cell, column, now, (changed) => {
          if (changed !== undefined) replace(changed);
          else cell.replaceWith(cellOf(column));
          const shown = line.querySelector<HTMLElement>(`[data-column="${CSS.escape(column.name)}"]`);
          if (shown !== null) shown.tabIndex = 0;
          shown?.focus();
        });
    };
    cell.addEventListener('dblclick', (event) => {
      if (!cell.contains(event.target as Node) || cell.querySelector('form') !== null) return;
      edit();
    });
    cell.addEventListener('keydown', (event) => {
      if (event.target !== cell || (event.key !== 'Enter' && event.key !== 'F2')) return;
      event.preventDefault();
      edit();
    });
    return cell;
  };
  show();
  return line;
}

/** A value; of a reference, its label, and a link to the row that it refers to. */
function cellContent({ model, table, labels }: GridOptions, { name }: ConsoleColumn, value: unknown): Child {
  if (value === null || value === undefined) return element('span', { class: 'null' }, 'null');
  const text = textOf(value);
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  const reference = referenceOf(model, table, name);
  if (reference === undefined) return element('span', { title: text }, shown);
  const label = labels.get(name)?.get(text);
  const { table: other, column } = reference;
  return [
    element(
      'a',
      { href: rowsWhere(other, [[column.name, text]]), title: `${other.name} with ${column.name} ${text}` },
      label ?? shown,
    ),
    label === undefined ? undefined : element('small', { class: 'soft' }, ` ${shown}`),
  ];
}

/** An input in place of a cell. Enter saves, Escape leaves the value as it was. */
function editCell(
  { model, table, notify }: GridOptions,
  cell: HTMLElement,
  column: ConsoleColumn,
  row: Row,
  done: (row: Row | undefined) => void,
): void {
  const input = valueInput(model, table, column, row[column.rest] ?? null, {
    id: `cell-${column.name.replace(/[^\w-]/g, '-')}`,
    'aria-label': column.name,
  });
  const problem = element('small', { class: 'bad', role: 'alert' });
  const save = async (): Promise<void> => {
    const read = input.read();
    if ('problem' in read) {
      problem.textContent = read.problem;
      return;
    }
    if (read.value === undefined) {
      done(undefined);
      return;
    }
    const outcome = await writeRow(model, table, 'update', row, { [column.rest]: read.value });
    if ('row' in outcome) {
      notify(`${column.name} is saved.`, false);
      done(outcome.row);
      return;
    }
    notify(outcome.problem, true);
    if (outcome.refused) done(undefined);
    else problem.textContent = outcome.columns.get(column.name) ?? 'Not saved.';
  };
  const cancel = (): void => {
    done(undefined);
  };
  const start = (event?: Event): void => {
    event?.preventDefault();
    save().catch((error: unknown) => {
      problem.textContent = String(error);
    });
  };
  fill(
    cell,
    element(
      'form',
      {
        class: 'cell-form',
        submit: start,
        keydown: (event) => {
          if (!(event instanceof KeyboardEvent)) return;
          event.stopPropagation();
          if (event.key === 'Escape') cancel();
          if (
            event.key === 'Enter' &&
            event.target instanceof HTMLElement &&
            (event.target.tagName !== 'TEXTAREA' ? event.target.tagName === 'SELECT' : !event.shiftKey)
          )
            start(event);
        },
      },
      input.element,
      element('button', { type: 'submit', class: 'small primary' }, 'Save'),
      button('Cancel', cancel, { class: 'small' }),
      problem,
    ),
  );
  input.focus();
}
