import type { Target } from './targets.js';

/** A request in which every `*` is a mark. */
export interface MarkedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The values of `{token}` and `{cursor}` in targets. */
export type Placeholders = Readonly<Record<string, string>>;

/** The request of a target, sent by a user who may read and write its rows. */
export function requestOf({ method = 'GET', path, headers, body }: Target, placeholders: Placeholders): MarkedRequest {
  const fill = (text: string): string =>
    Object.entries(placeholders).reduce((filled, [name, value]) => filled.replaceAll(`{${name}}`, value), text);
  const all = {
    Accept: 'application/json',
    'Accept-Profile': 'vault',
    Authorization: 'Bearer {token}',
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...headers,
  };
  return {
    method,
    path,
    headers: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, fill(value)])),
    // The mark of a number has no quotes: see `number`.
    ...(body === undefined ? {} : { body: fill(JSON.stringify(body)).replaceAll(/"number:(\d+)"/g, '$1*') }),
  };
}

export function marksOf({ path, headers, body = '' }: MarkedRequest): number {
  return [path, ...Object.values(headers), body].join('').split('*').length - 1;
}

/**
 * Whether the unmodified request succeeds: tests of a request that always fails would prove
 * nothing.
 */
export async function succeeds(base: string, { method, path, headers, body }: MarkedRequest): Promise<boolean> {
  const bare = (text: string): string => text.replaceAll('*', '');
  const response = await fetch(`${base}${bare(path)}`, {
    method,
    headers: Object.entries(headers).map(([name, value]): [string, string] => [name, bare(value)]),
    ...(body === undefined ? {} : { body: bare(body) }),
  });
  return response.ok && !(await response.text()).includes('"errors"');
}
