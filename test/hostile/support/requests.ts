import type { Reply } from '../../runtime/rest/support/client.js';
import type { ServedServer } from '../../support/served-as-role.js';

export const json = { 'content-type': 'application/json' };

export const protocols = ['REST', 'GraphQL'] as const;
export type Protocol = (typeof protocols)[number];

/**
 * The outcome of a request according to its answer. With `unknown` the answer says that the write
 * may or may not be committed.
 */
export type Verdict = 'done' | 'refused' | 'unknown';

export function verdictOf({ status, text }: Reply): Verdict {
  const { errors } = JSON.parse(text === '' ? '{}' : text) as { readonly errors?: unknown };
  if (status < 300 && errors === undefined) return 'done';
  return /outcome[^"]*(unknown|not known)|may have been/i.test(text) ? 'unknown' : 'refused';
}

/** The SQLSTATE or our own code of an error, in either protocol. */
export function codeOf({ text }: Reply): string | undefined {
  const body = JSON.parse(text) as {
    readonly code?: string;
    readonly errors?: readonly { readonly extensions?: { readonly code?: string } }[];
  };
  return body.code ?? body.errors?.[0]?.extensions?.code;
}

type Headers = Readonly<Record<string, string>>;

/** The GraphQL name of a table of the schema `hostile`: `odd_items` is `HostileOddItems`. */
const typeOf = (table: string): string =>
  ['hostile', ...table.split('_')].map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join('');

/** The input object of a mutation: JSON with unquoted names. */
const literal = (row: Readonly<Record<string, string | number>>): string =>
  `{${Object.entries(row)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(', ')}}`;

type Row = Readonly<Record<string, string | number>>;

/** Inserts a row and selects its `id`. */
export const insert = (
  server: ServedServer,
  protocol: Protocol,
  table: string,
  row: Row,
  headers: Headers = {},
): Promise<Reply> =>
  protocol === 'REST'
    ? server.send('POST', `/api/v1/${table}?select=id`, { ...json, ...headers }, JSON.stringify(row))
    : server.ask(`mutation { rows: create${typeOf(table)}(input: ${literal(row)}) { id } }`, headers);

/** Updates the row with this `id` and selects its `id`. */
export const update = (
  server: ServedServer,
  protocol: Protocol,
  table: string,
  id: number,
  row: Row,
  headers: Headers = {},
): Promise<Reply> =>
  protocol === 'REST'
    ? server.send('PATCH', `/api/v1/${table}?id=eq.${id}&select=id`, { ...json, ...headers }, JSON.stringify(row))
    : server.ask(
        `mutation { rows: update${typeOf(table)}(where: {id: {eq: ${id}}}, input: ${literal(row)}) { id } }`,
        headers,
      );

/** Rows of a table's list with the selected columns; status and text of an answer without rows. */
export async function list(
  server: ServedServer,
  protocol: Protocol,
  table: string,
  columns: string,
  headers: Headers = {},
): Promise<readonly Record<string, unknown>[] | Pick<Reply, 'status' | 'text'>> {
  const type = typeOf(table);
  const field = type.charAt(0).toLowerCase() + type.slice(1);
  const reply = await (protocol === 'REST'
    ? server.get(`/api/v1/${table}?select=${columns}`, headers)
    : server.ask(`{ data: ${field} { ${columns.replaceAll(',', ' ')} } }`, headers));
  type Rows = readonly Record<string, unknown>[];
  const { data } = JSON.parse(reply.text) as { readonly data?: Rows | { readonly data: Rows } | null };
  if (data === undefined || data === null) return { status: reply.status, text: reply.text };
  return 'data' in data ? data.data : data;
}
