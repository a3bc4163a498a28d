/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleModel, ConsoleTable } from '../console-model.js';
import { choice, element, fill, grid, type Child } from './dom.js';
import { tableLink, tableOf } from './links.js';
import { messageOf, restRequest, rowsOf, send, totalOf } from './requests.js';
import { session, watchSession } from './session.js';

interface Filter {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

/** What of a table is shown. It is in the address, so that it can be linked to and gone back to. */
interface Shown {
  readonly filters: readonly Filter[];
  readonly order: string | undefined;
  readonly offset: number;
}

const operators: readonly (readonly [string, string])[] = [
  ['eq', '='],
  ['neq', '≠'],
  ['gt', '>'],
  ['gte', '≥'],
  ['lt', '<'],
  ['lte', '≤'],
  ['like', 'like'],
  ['ilike', 'ilike'],
  ['in', 'in (…)'],
  ['is', 'is'],
];

const pageSize = 25;

/** Milliseconds in which the database may count the rows that it has estimated. */
const COUNTING_MILLISECONDS = 1_000;

/** The rows of a table: filtered, ordered and paged by the same API that clients have. */
export function rowsView(model: ConsoleModel, table: ConsoleTable, query: string): HTMLElement {
  const shown = parse(query);
  const limit = Math.min(pageSize, model.maxRows);
  const place = element('div', { class: 'rows' }, element('p', { class: 'soft' }, 'Waiting for the rows…'));
  const load = async (): Promise<void> => {
    const request = restRequest(
      model,
      table.schema,
      `${encodeURIComponent(table.name)}?${requestQuery(shown, table, limit)}`,
      {
        headers: { Prefer: 'count=estimated' },
      },
    );
    const answer = await send(request);
    const rows = rowsOf(answer);
    const total = rows === undefined ? undefined : await countRows(model, table, shown, totalOf(answer));
    if (!place.isConnected) return;
    if (rows === undefined) {
      fill(place, element('p', { class: 'bad', role: 'alert' }, messageOf(answer)));
      return;
    }
    fill(
      place,
      element(
        'p',
        { class: 'soft', role: 'status' },
        summary(rows.length, shown.offset, total),
        ` — as ${session().name}, ${answer.milliseconds.toFixed(0)} ms`,
      ),
      rows.length === 0 ? element('p', {}, 'No rows.', hint(table)) : rowGrid(model, table, rows, shown),
      pager(table, shown, rows.length, limit, total?.rows),
      element('p', { class: 'headers' }, element('code', {}, `GET ${request.path}`)),
    );
  };
  const start = (): void => {
    load().catch((error: unknown) => {
      fill(place, element('p', { class: 'bad', role: 'alert' }, `The server does not answer: ${String(error)}`));
    });
  };
  const stop = watchSession(() => {
    if (place.isConnected) start();
    else stop();
  });
  queueMicrotask(start);
  return element('div', {}, filterBar(table, shown), place);
}

const hint = ({ facts }: ConsoleTable): string =>
  facts === undefined || facts.rowSecurity === 'off'
    ? ''
    : ' Policies decide which rows a caller sees: choose another caller at the top.';

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
  const query = requestQuery({ ...shown, order: undefined, offset: 0 }, table, 0);
  const headers = { Prefer: 'count=exact' };
  const request = restRequest(model, table.schema, `${encodeURIComponent(table.name)}?${query}`, { headers });
  const signal = AbortSignal.timeout(COUNTING_MILLISECONDS);
  const counted = await send(request, session(), signal).catch(() => undefined);
  const rows = counted === undefined ? undefined : totalOf(counted);
  return rows === undefined ? { rows: estimate, isEstimate: true } : { rows, isEstimate: false };
}

function summary(count: number, offset: number, total: Total | undefined): string {
  const range = count === 0 ? 'No rows' : `Rows ${String(offset + 1)}–${String(offset + count)}`;
  return total === undefined ? range : `${range} of ${total.isEstimate ? 'about ' : ''}${String(total.rows)}`;
}

function parse(query: string): Shown {
  const parameters = new URLSearchParams(query);
  const filters = parameters.getAll('where').flatMap((text) => {
    const [column, operator, ...value] = text.split('\u001f');
    return column === undefined || operator === undefined ? [] : [{ column, operator, value: value.join('\u001f') }];
  });
  return { filters, order: parameters.get('order') ?? undefined, offset: Number(parameters.get('offset') ?? 0) };
}

function linkTo(table: ConsoleTable, { filters, order, offset }: Shown): string {
  const parameters = new URLSearchParams();
  for (const { column, operator, value } of filters)
    parameters.append('where', [column, operator, value].join('\u001f'));
  if (order !== undefined) parameters.set('order', order);
  if (offset > 0) parameters.set('offset', String(offset));
  return tableLink(table.field, 'rows', parameters.toString());
}

/** A link to the rows of a table whose column has a value. */
export const rowsWhere = (table: ConsoleTable, column: string, value: string): string =>
  linkTo(table, { filters: [{ column, operator: 'eq', value }], order: undefined, offset: 0 });

function requestQuery({ filters, order, offset }: Shown, table: ConsoleTable, limit: number): string {
  const name = (column: string): string =>
    encodeURIComponent(table.columns.find((each) => each.name === column)?.rest ?? column);
  const key = table.primaryKey.map((column) => `${name(column)}.asc`);
  const [column, direction] = order?.split('\u001f') ?? [];
  const orders = [...(column === undefined ? [] : [`${name(column)}.${direction ?? 'asc'}`]), ...key];
  return [
    ...filters.map(
      (filter) =>
        `${name(filter.column)}=${filter.operator}.${encodeURIComponent(filter.operator === 'in' ? `(${filter.value})` : filter.value)}`,
    ),
    ...(orders.length === 0 ? [] : [`order=${orders.join(',')}`]),
    `limit=${String(limit)}`,
    `offset=${String(offset)}`,
  ].join('&');
}

function filterBar(table: ConsoleTable, shown: Shown): HTMLElement {
  let column = table.columns[0]?.name ?? '';
  let operator = 'eq';
  const value = element('input', { 'aria-label': 'Value', placeholder: 'value', spellcheck: 'false' });
  const add = (event: Event): void => {
    event.preventDefault();
    location.hash = linkTo(table, {
      ...shown,
      offset: 0,
      filters: [...shown.filters, { column, operator, value: value.value }],
    });
  };
  return element(
    'form',
    { class: 'filters', submit: add },
    choice(
      'Column',
      table.columns.map(({ name }) => [name, name] as const),
      column,
      (chosen) => {
        column = chosen;
      },
    ),
    choice('Operator', operators, operator, (chosen) => {
      operator = chosen;
    }),
    value,
    element('button', { type: 'submit' }, 'Filter'),
    shown.filters.map((filter) =>
      element(
        'a',
        {
          class: 'chip',
          href: linkTo(table, { ...shown, offset: 0, filters: shown.filters.filter((each) => each !== filter) }),
          'aria-label': `Remove the filter ${filter.column}`,
        },
        `${filter.column} ${operators.find(([each]) => each === filter.operator)?.[1] ?? filter.operator} ${filter.value} ✕`,
      ),
    ),
  );
}

function rowGrid(
  model: ConsoleModel,
  table: ConsoleTable,
  rows: readonly Readonly<Record<string, unknown>>[],
  shown: Shown,
): HTMLElement {
  const columns = table.columns.filter(({ kind }) => kind !== 'tsvector' && kind !== 'vector');
  const [ordered, direction] = shown.order?.split('\u001f') ?? [];
  const head = ({ name }: ConsoleColumn): Child => {
    const next = ordered === name && direction === 'asc' ? 'desc' : 'asc';
    const mark = ordered !== name ? '' : direction === 'asc' ? ' ↑' : ' ↓';
    return element(
      'a',
      { href: linkTo(table, { ...shown, offset: 0, order: `${name}\u001f${next}` }), title: `Order by ${name}` },
      `${name}${mark}`,
    );
  };
  return grid(
    columns.map(head),
    rows.map((row) => columns.map((column) => cell(model, table, column, row[column.rest]))),
    'Rows',
  );
}

/** A value; of a reference, a link to the row that it refers to. */
function cell(model: ConsoleModel, table: ConsoleTable, { name }: ConsoleColumn, value: unknown): Child {
  if (value === null || value === undefined) return element('span', { class: 'null' }, 'null');
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const shown = text.length > 80 ? `${text.slice(0, 79)}…` : text;
  const relation = table.relations.find(
    (each) => each.direction === 'forward' && each.columns.length === 1 && each.columns[0] === name,
  );
  const other = relation === undefined ? undefined : tableOf(model, relation.table);
  const [referred] = relation?.references ?? [];
  if (other === undefined || referred === undefined) return element('span', { title: text }, shown);
  return element(
    'a',
    { href: rowsWhere(other, referred, text), title: `${other.name} with ${referred} ${text}` },
    shown,
  );
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
