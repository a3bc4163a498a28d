/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { refusalOf } from './access.js';
import { button, copy, element, fill, type Child } from './dom.js';
import { valueInput, type ValueInput } from './inputs.js';
import { labelOf } from './labels.js';
import { titleOf } from './links.js';
import { relatedRows } from './related.js';
import type { Row } from './requests.js';
import { keyText, textOf } from './row-state.js';
import { session } from './session.js';
import { writeRow } from './writes.js';

/**
 * One row beside the table: its values to read and change, and its related rows; without a row, a
 * form for a new one.
 * @param changed is called after a write, with the row as it is now
 */
export function openRow(
  model: ConsoleModel,
  table: ConsoleTable,
  row: Row | undefined,
  changed: (row: Row | undefined) => void,
): void {
  const dialog = element('dialog', { class: 'panel', 'aria-labelledby': 'row-title' });
  const close = (): void => {
    dialog.close();
  };
  const before = document.activeElement;
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (before instanceof HTMLElement && before.isConnected) before.focus();
  });
  // A link to other rows leaves this one.
  window.addEventListener('hashchange', close, { once: true });
  const done = (now: Row | undefined): void => {
    close();
    changed(now);
  };
  const copied = element('span', { class: 'soft', role: 'status' });
  fill(
    dialog,
    element(
      'div',
      { class: 'bar' },
      element(
        'h2',
        { id: 'row-title' },
        row === undefined ? `New row of ${titleOf(model, table)}` : nameOf(model, table, row),
      ),
      button('Close', close),
    ),
    row === undefined
      ? undefined
      : element(
          'div',
          { class: 'actions' },
          button('Copy row', () => {
            copy(asLine(table, row), copied);
          }),
          button('Copy as JSON', () => {
            copy(JSON.stringify(row, undefined, 2), copied);
          }),
          copied,
        ),
    form(model, table, row, done),
    row === undefined ? undefined : relatedRows(model, table, row),
  );
  document.body.append(dialog);
  dialog.showModal();
}

/** What people call a row: its key, and its label. */
function nameOf(model: ConsoleModel, table: ConsoleTable, row: Row): string {
  const label = labelOf(table);
  const text = label === undefined || table.primaryKey.includes(label.name) ? '' : textOf(row[label.rest] ?? '');
  return `${titleOf(model, table)} ${keyText(table, row)} ${text.slice(0, 80)}`.trim();
}

/** The values of a row as a spreadsheet takes them. */
const asLine = (table: ConsoleTable, row: Row): string =>
  table.columns.map(({ rest }) => (row[rest] == null ? '' : textOf(row[rest]).replace(/[\t\n]/g, ' '))).join('\t');

interface Field {
  readonly column: ConsoleTable['columns'][number];
  readonly input: ValueInput | undefined;
  readonly problem: HTMLElement;
  readonly element: HTMLElement;
}

function form(
  model: ConsoleModel,
  table: ConsoleTable,
  row: Row | undefined,
  done: (row: Row | undefined) => void,
): HTMLElement {
  const write = row === undefined ? 'insert' : 'update';
  const refusal = refusalOf(model, table, write);
  const fields = table.columns.map((column) => fieldOf(model, table, column, row, refusal === undefined));
  const notice = element('div', { role: 'alert', class: 'notice' });
  const explain = (problem: Child): void => {
    fill(notice, element('div', { class: 'refusal' }, problem));
    notice.scrollIntoView({ block: 'nearest' });
  };
  const save = async (): Promise<void> => {
    fill(notice);
    const body = valuesOf(fields);
    if (body === undefined) return;
    if (row !== undefined && Object.keys(body).length === 0) {
      explain('Nothing has changed.');
      return;
    }
    const outcome = await writeRow(model, table, write, row ?? {}, body);
    if ('row' in outcome) {
      done(outcome.row);
      return;
    }
    explain(outcome.problem);
    for (const { column, problem, input } of fields) {
      const text = outcome.columns.get(column.name) ?? (row === undefined ? missing(column, body) : undefined);
      if (text === undefined) continue;
      problem.textContent = text;
      input?.focus();
    }
  };
  return element(
    'form',
    {
      class: 'row-form',
      submit: (event) => {
        event.preventDefault();
        save().catch((error: unknown) => {
          explain(String(error));
        });
      },
    },
    refusal === undefined
      ? undefined
      : element('div', { class: 'refusal' }, `Read only for ${session().name}. `, refusal),
    fields.map((field) => field.element),
    notice,
    element(
      'div',
      { class: 'actions' },
      refusal === undefined
        ? element('button', { type: 'submit', class: 'primary' }, row === undefined ? 'Insert' : 'Save')
        : undefined,
      row === undefined ? undefined : deletion(model, table, row, done, explain),
    ),
  );
}

/** A trigger may give a value to a column that needs one, so the server decides before the page. */
const missing = ({ nullable, hasDefault, readOnly, rest, name }: Field['column'], body: object): string | undefined =>
  nullable || hasDefault || readOnly || rest in body ? undefined : `${name} needs a value.`;

function fieldOf(
  model: ConsoleModel,
  table: ConsoleTable,
  column: Field['column'],
  row: Row | undefined,
  writable: boolean,
): Field {
  const id = `field-${column.name.replace(/[^\w-]/g, '-')}`;
  const value = row?.[column.rest];
  const input =
    column.readOnly || !writable || column.kind === 'tsvector'
      ? undefined
      : valueInput(model, table, column, row === undefined ? undefined : (value ?? null), {
          id,
          'aria-describedby': `${id}-problem`,
        });
  const problem = element('small', { class: 'bad', id: `${id}-problem`, role: 'alert' });
  const shown =
    value == null ? element('span', { class: 'null' }, row === undefined ? 'by the database' : 'null') : textOf(value);
  return {
    column,
    input,
    problem,
    element: element(
      'div',
      { class: 'field' },
      element(
        input === undefined ? 'span' : 'label',
        input === undefined ? {} : { for: id },
        element('strong', {}, column.name),
        ' ',
        element('code', {}, column.type),
      ),
      column.comment === null ? undefined : element('small', { class: 'soft' }, column.comment),
      input?.element ?? element('span', { class: 'fixed' }, shown),
      problem,
    ),
  };
}

/** The values that were entered or changed; undefined where one of them cannot be sent. */
function valuesOf(fields: readonly Field[]): Readonly<Record<string, unknown>> | undefined {
  const body: Record<string, unknown> = {};
  let failed = false;
  for (const { column, input, problem } of fields) {
    problem.textContent = '';
    if (input === undefined) continue;
    const result = input.read();
    if ('problem' in result) {
      problem.textContent = result.problem;
      if (!failed) input.focus();
      failed = true;
    } else if (result.value !== undefined) body[column.rest] = result.value;
  }
  return failed ? undefined : body;
}

/** A button that asks before it deletes. */
function deletion(
  model: ConsoleModel,
  table: ConsoleTable,
  row: Row,
  done: (row: undefined) => void,
  explain: (problem: Child) => void,
): HTMLElement {
  const place = element('span', { class: 'actions' });
  const refusal = refusalOf(model, table, 'delete');
  const ask = (): void => {
    const yes = button(
      'Yes, delete the row',
      () => {
        void writeRow(model, table, 'delete', row, {}).then((outcome) => {
          if ('row' in outcome) done(undefined);
          else {
            explain(outcome.problem);
            start();
          }
        });
      },
      { class: 'danger' },
    );
    fill(place, yes, button('Keep it', start));
    yes.focus();
  };
  const start = (): void => {
    fill(place, button('Delete…', ask, { class: 'danger' }));
  };
  if (refusal === undefined) start();
  else if (refusalOf(model, table, 'update') === undefined)
    fill(place, element('small', { class: 'soft' }, 'No delete: ', refusal));
  return place;
}
