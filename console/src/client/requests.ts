/// <reference lib="dom" />
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
  const response = await fetch(path, {
    method,
    headers: {
      ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, asBytes(value)])),
      ...(as.token === undefined ? {} : { Authorization: `Bearer ${as.token}` }),
    },
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
  };
}

/** A header is bytes, which a browser takes as characters: names of schemas are UTF-8. */
export const asBytes = (text: string): string =>
  Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The rows of an answer of REST. */
export function rowsOf({ json }: ApiAnswer): readonly Readonly<Record<string, unknown>>[] | undefined {
  const data = memberOf(json, 'data');
  return Array.isArray(data) ? (data as readonly Readonly<Record<string, unknown>>[]) : undefined;
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

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}

/** The request for a shell. */
export function curlOf({ method, path, headers, body }: ApiRequest, { token }: Session): string {
  const all = { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(all).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    quoted(location.origin + path),
  ].join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
