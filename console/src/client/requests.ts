/// <reference lib="dom" />
import { addressOf } from './base-path.js';
import type { ConsoleModel } from '../console-model.js';
import { session, type Session } from './session.js';

/** A request of the API, as the page shows it before it sends it. */
export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface ApiAnswer {
  readonly status: number;
  readonly milliseconds: number;
  readonly json: unknown;
  readonly text: string;
  readonly range: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A request of REST, with the schema header where the server needs one. */
export function restRequest(
  model: ConsoleModel,
  schema: string,
  path: string,
  rest: Partial<ApiRequest> = {},
): ApiRequest {
  const { method = 'GET', headers = {}, body } = rest;
  const name = method === 'GET' || method === 'HEAD' ? 'Accept-Profile' : 'Content-Profile';
  return {
    method,
    path: `/api/v1/${path}`,
    headers: {
      ...(model.profiles ? { [name]: schema } : {}),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    body,
  };
}

export const graphqlRequest = (query: string): ApiRequest => ({
  method: 'POST',
  path: '/graphql',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ query }),
});

/**
 * Sends a request as the chosen user, or as another one. An answer that is not JSON is text.
 * @param signal when it is aborted the promise rejects, and the server cancels the statement
 */
export async function send(
  { method, path, headers, body }: ApiRequest,
  as: Session = session(),
  signal?: AbortSignal,
): Promise<ApiAnswer> {
  const start = performance.now();
  const response = await fetch(addressOf(path), {
    method,
    headers: sentHeaders(headers, as),
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  const text = await response.text();
  return {
    status: response.status,
    milliseconds: performance.now() - start,
    json: parsed(text),
    text,
    range: response.headers.get('content-range'),
    headers: [...response.headers],
  };
}

/** The headers of a request, with the token of its caller. */
export const sentHeaders = (headers: ApiRequest['headers'], { token }: Session): Record<string, string> => ({
  ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asBytes(value)])),
  ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
});

/** A header is bytes, which a browser takes as characters: names of schemas are UTF-8. */
export const asBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

/** Newer than TypeScript's description of JSON: https://tc39.es/proposal-json-parse-with-source/ */
const exactJson = JSON as typeof JSON & { readonly rawJSON?: (text: string) => unknown };

/** A number with all its digits, where the browser can keep them. */
export const exactNumber = (text: string): unknown => exactJson.rawJSON?.(text) ?? Number(text);

const keepDigits = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === 'number' && context?.source !== undefined && String(value) !== context.source
    ? exactNumber(context.source)
    : value;

/** JSON with all digits of its numbers. Throws SyntaxError. */
export const parseJson = (text: string): unknown => JSON.parse(text, keepDigits) as unknown;

function parsed(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

/** A row as REST answers it: each column by its name there. */
export type Row = Readonly<Record<string, unknown>>;

/** The rows of an answer of REST, to a read or a write. */
export function rowsOf({ json, status }: ApiAnswer): readonly Row[] | undefined {
  const data = Array.isArray(json) ? (json as unknown) : memberOf(json, 'data');
  if (Array.isArray(data)) return data as readonly Row[];
  return status === 201 && typeof json === 'object' && json !== null ? [json as Row] : undefined;
}

/** How many rows there are in all, where that was asked for. */
export function totalOf({ json }: ApiAnswer): number | undefined {
  const total = memberOf(memberOf(json, 'pagination'), 'total');
  return typeof total === 'number' ? total : undefined;
}

/** What an error says. */
export function messageOf({ json, text, status }: ApiAnswer): string {
  const message = memberOf(json, 'message');
  return typeof message === 'string' ? message : `${String(status)} ${text.slice(0, 200)}`;
}

export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}
