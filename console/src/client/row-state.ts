/// <reference lib="dom" />
import type { ConsoleColumn, ConsoleModel, ConsoleTable } from '../console-model.js';
import { tableLink } from './links.js';
import { restRequest, type ApiRequest, type Row } from './requests.js';

export interface Filter {
  readonly column: string;
  readonly operator: string;
  readonly value: string;
}

/** What of a table is shown. It is in the address, so that it can be linked to and gone back to. */
export interface Shown {
  readonly filters: readonly Filter[];
  readonly order: { readonly column: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly offset: number;
}

/** No name and no value has this character. */
const separator = '\u001f';

export function parseShown(query: string): Shown {
  const parameters = new URLSearchParams(query);
  const filters = parameters.getAll('where').flatMap((text) => {
    const [column, operator, ...value] = text.split(separator);
    return column === undefined || operator === undefined ? [] : [{ column, operator, value: value.join(separator) }];
  });
  const [column, direction] = parameters.get('order')?.split(separator) ?? [];
  const order =
    column === undefined ? undefined : ({ column, direction: direction === 'desc' ? 'desc' : 'asc' } as const);
  return { filters, order, offset: Number(parameters.get('offset') ?? 0) };
}

export function linkTo(table: ConsoleTable, { filters, order, offset }: Shown): string {
  const parameters = new URLSearchParams();
  for (const { column, operator, value } of filters)
    parameters.append('where', [column, operator, value].join(separator));
  if (order !== undefined) parameters.set('order', `${order.column}${separator}${order.direction}`);
  if (offset > 0) parameters.set('offset', String(offset));
  return tableLink(table.field, 'rows', parameters.toString());
}

/** A link to the rows of a table whose columns have these values. */
export const rowsWhere = (table: ConsoleTable, values: readonly (readonly [column: string, value: string])[]): string =>
  linkTo(table, {
    filters: values.map(([column, value]) => ({ column, operator: 'eq', value })),
    order: undefined,
    offset: 0,
  });

export const columnOf = (table: ConsoleTable, name: string | undefined): ConsoleColumn | undefined =>
  table.columns.find((each) => each.name === name);

/** The values of a row's primary key, as text for people. */
export const keyText = (table: ConsoleTable, row: Row): string =>
  table.primaryKey.map((name) => textOf(row[columnOf(table, name)?.rest ?? name])).join(', ');

/** The name of a column in a query of REST. */
const restName = (table: ConsoleTable, name: string): string => encodeURIComponent(columnOf(table, name)?.rest ?? name);

/** The query string for what is shown. The key orders the rows that the chosen order does not. */
export function queryOf(table: ConsoleTable, { filters, order, offset }: Shown, limit: number): string {
  const orders = [
    ...(order === undefined ? [] : [`${restName(table, order.column)}.${order.direction}`]),
    ...table.primaryKey.map((column) => `${restName(table, column)}.asc`),
  ];
  return [
    ...filters.map((filter) => `${restName(table, filter.column)}=${conditionOf(filter)}`),
    ...(orders.length === 0 ? [] : [`order=${orders.join(',')}`]),
    `limit=${String(limit)}`,
    `offset=${String(offset)}`,
  ].join('&');
}

function conditionOf({ operator, value }: Filter): string {
  if (operator === 'is' || operator === 'not.is') return `${operator}.${encodeURIComponent(value || 'null')}`;
  return `${operator}.${encodeURIComponent(operator.endsWith('in') ? `(${value})` : value)}`;
}

/** The elements of a list, each in quotes, which every value may have. */
export const listOf = (values: readonly string[]): string =>
  values.map((value) => `"${value.replace(/["\\]/g, (each) => `\\${each}`)}"`).join(',');

/** A read of a table. */
export const readRequest = (
  model: ConsoleModel,
  table: ConsoleTable,
  query: string,
  headers: ApiRequest['headers'] = {},
): ApiRequest => restRequest(model, table.schema, `${encodeURIComponent(table.name)}?${query}`, { headers });

/** The filter for one row; undefined where nothing distinguishes the row from others. */
export function keyQuery(table: ConsoleTable, row: Row): string | undefined {
  const parts = table.primaryKey.map((name) => {
    const value = row[columnOf(table, name)?.rest ?? name];
    return value === null || value === undefined
      ? undefined
      : `${restName(table, name)}=eq.${encodeURIComponent(textOf(value))}`;
  });
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('&');
}

/** A value as people read it, and as a filter of REST takes it. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
