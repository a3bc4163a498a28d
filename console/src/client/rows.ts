/// <reference lib="dom" />
import type { ConsoleModel, ConsoleTable } from '../console-model.js';
import { refusalOf } from './access.js';
import { button, copy, element, fill, type Child } from './dom.js';
import { exportButtons } from './export.js';
import { readLabels } from './labels.js';
import { latest } from './latest.js';
import { messageOf, rowsOf, send, totalOf } from './requests.js';
import { tableLink } from './links.js';
import { chosenColumns, columnChooser } from './row-columns.js';
import { filterBar } from './row-filters.js';
import { rowGrid } from './row-grid.js';
import { openRow } from './row-panel.js';
import { linkTo, parseShown, queryOf, readRequest, type Shown } from './row-state.js';
import { session, watchSession } from './session.js';

const pageSize = 25;

/** Milliseconds in which the database may count the rows that it has estimated. */
const COUNTING_MS = 1_000;

/** The rows of a table: filtered, ordered, paged and written by the same API that clients have. */
export function rowsView(model: ConsoleModel, table: ConsoleTable, query: string): HTMLElement {
  const shown = parseShown(query);
  const limit = Math.min(pageSize, model.maxRows);
  const place = element('div', { class: 'rows' }, element('p', { class: 'soft' }, 'Waiting for the rows…'));
  const tools = element('div', { class: 'actions' });
  const access = element('div');
  const notice = element('div', { class: 'notice', role: 'status' });
  const notify = (text: Child, isProblem: boolean): void => {
    fill(notice, element('div', { class: isProblem ? 'refusal' : 'soft' }, text));
    fill(access, accessNote(model, table));
  };
  let draw = (): void => undefined;
  const begin = latest();
  const load = async (): Promise<void> => {
    const isLast = begin();
    const { name } = session();
    const request = readRequest(model, table, queryOf(table, shown, limit), { Prefer: 'count=estimated' });
    const answer = await send(request);
    const rows = rowsOf(answer);
    const [total, labels] = await Promise.all([
      rows === undefined ? undefined : countRows(model, table, shown, totalOf(answer)),
      readLabels(model, table, table.columns, rows ?? []),
    ]);
    // A slow answer may be that of an earlier caller.
    if (!isLast() || !place.isConnected) return;
    if (rows === undefined) {
      fill(place, element('p', { class: 'bad', role: 'alert' }, messageOf(answer)));
      return;
    }
    draw = () => {
      fill(
        place,
        element(
          'p',
          { class: 'soft', role: 'status' },
          summary(rows.length, shown.offset, total),
          ` — as ${name}, ${answer.milliseconds.toFixed(0)} ms`,
        ),
        rows.length === 0
          ? element('p', {}, 'No rows.', hint(model, table))
          : rowGrid({
              model,
              table,
              columns: chosenColumns(table),
              rows,
              labels,
              shown,
              notify,
              open: (row, replace) => {
                openRow(model, table, row, (changed) => {
                  replace(changed);
                  notify(changed === undefined ? 'The row is deleted.' : 'The row is saved.', false);
                });
              },
            }),
        pager(table, shown, rows.length, limit, total?.rows),
        element('p', { class: 'headers' }, element('code', {}, `GET ${request.path}`)),
      );
    };
    draw();
  };
  const start = (): void => {
    load().catch((error: unknown) => {
      fill(place, element('p', { class: 'bad', role: 'alert' }, `The server does not answer: ${String(error)}`));
    });
  };
  const inserted = (): void => {
    notify('The row is inserted.', false);
    start();
  };
  const copyPage = async (status: Element): Promise<void> => {
    const answer = await send(readRequest(model, table, queryOf(table, shown, limit)));
    copy(JSON.stringify(rowsOf(answer) ?? answer.json, undefined, 2), status, 'The page is copied.');
  };
  const showTools = (): void => {
    const copied = element('span', { class: 'soft', role: 'status' });
    const insert = button(
      'Insert row',
      () => {
        openRow(model, table, undefined, inserted);
      },
      { class: 'primary' },
    );
    fill(notice);
    fill(access, accessNote(model, table));
    fill(
      tools,
      refusalOf(model, table, 'insert') === undefined ? insert : undefined,
      columnChooser(table, () => {
        draw();
      }),
      button('Copy page as JSON', () => {
        copyPage(copied).catch((error: unknown) => {
          copied.textContent = String(error);
        });
      }),
      exportButtons(model, table, shown),
      copied,
    );
  };
  const stop = watchSession(() => {
    if (!place.isConnected) {
      stop();
      return;
    }
    showTools();
    start();
  });
  showTools();
  queueMicrotask(start);
  return element('div', {}, filterBar(table, shown), tools, access, notice, place);
}

/** Which writes the chosen caller cannot make, and why; how to edit where the caller can. */
function accessNote(model: ConsoleModel, table: ConsoleTable): Child {
  const writes = ['insert', 'update', 'delete'] as const;
  const reasons = writes.map((write) => refusalOf(model, table, write));
  if (reasons.every((reason) => reason === undefined))
    return element('p', { class: 'soft' }, 'Enter or a double click edits a cell. Open shows a whole row.');
  if (reasons.every((reason) => reason !== undefined))
    return element('div', { class: 'refusal' }, element('strong', {}, `Read only for ${session().name}. `), reasons[1]);
  return element(
    'ul',
    { class: 'soft' },
    reasons.map((reason, at) =>
      reason === undefined ? undefined : element('li', {}, `No ${writes[at] ?? ''}: `, reason),
    ),
  );
}

const hint = ({ explains }: ConsoleModel, { facts, field }: ConsoleTable): Child =>
  facts === undefined || facts.rowSecurity === 'off'
    ? undefined
    : [
        ' Policies decide which rows a caller sees: choose another caller at the top. ',
        explains ? element('a', { href: tableLink(field) }, 'Why is a row missing?') : undefined,
      ];

interface Total {
  readonly rows: number;
  readonly isEstimate: boolean;
}

/**
 * An estimate is replaced by a count, if that takes a moment: the database guesses the number of
 * rows of a table that it has not analyzed yet from its size. The server has counted up to
 * `app.max-rows`.
 */
async function countRows(
  model: ConsoleModel,
  table: ConsoleTable,
  shown: Shown,
  estimate: number | undefined,
): Promise<Total | undefined> {
  if (estimate === undefined) return undefined;
  if (estimate <= model.maxRows) return { rows: estimate, isEstimate: false };
  const query = queryOf(table, { ...shown, order: undefined, offset: 0 }, 0);
  const request = readRequest(model, table, query, { Prefer: 'count=exact' });
  const signal = AbortSignal.timeout(COUNTING_MS);
  const counted = await send(request, session(), signal).catch(() => undefined);
  const rows = counted === undefined ? undefined : totalOf(counted);
  return rows === undefined ? { rows: estimate, isEstimate: true } : { rows, isEstimate: false };
}

function summary(count: number, offset: number, total: Total | undefined): string {
  const range = count === 0 ? 'No rows' : `Rows ${String(offset + 1)}–${String(offset + count)}`;
  return total === undefined ? range : `${range} of ${total.isEstimate ? 'about ' : ''}${String(total.rows)}`;
}

function pager(
  table: ConsoleTable,
  shown: Shown,
  count: number,
  limit: number,
  total: number | undefined,
): HTMLElement {
  const end = shown.offset + count;
  const more = total === undefined ? count === limit : end < total;
  const step = (offset: number, text: string): HTMLElement =>
    element('a', { class: 'button', href: linkTo(table, { ...shown, offset: Math.max(0, offset) }) }, text);
  return element(
    'nav',
    { class: 'actions', 'aria-label': 'Pages' },
    shown.offset > 0 ? step(shown.offset - limit, '← Earlier rows') : undefined,
    more ? step(shown.offset + limit, 'Later rows →') : undefined,
  );
}
