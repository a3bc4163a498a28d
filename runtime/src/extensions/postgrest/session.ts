import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { cookiesOf } from '../../cookies.js';
import type { ColumnType } from '../../descriptor/descriptor.js';
import type { Registry } from '../../descriptor/registry.js';
import type { Identity, ReadBack, RequestSession } from '../../dialect/driver.js';
import type { RequestVariable } from '../../dialect/request-variables.js';
import type { Services } from '../../execute/services.js';
import { postgrestGrammar } from './request/grammar.js';
import { claimsWithRole } from './claims.js';

type Known = Pick<Services, 'dialect' | 'registry' | 'requestVariables' | 'settings'>;

/**
 * What a request adds to its transactions; undefined for a request of which no code of the database
 * reads anything.
 * @param answered receives what that code says of the answer
 */
export type SessionOf = (
  request: IncomingMessage,
  identity: Identity,
  answered: ReadBack['answered'],
) => RequestSession | undefined;

/**
 * The variables of a request, as far as the database mentions them, and the function before it.
 * Source: PostgREST, "Transactions".
 * @param path of the mount: `request.path` begins after it
 */
export function createSessionOf({ dialect, registry, requestVariables, settings }: Known, path: string): SessionOf {
  const { requestVariables: ofDialect } = dialect;
  if (ofDialect === undefined || requestVariables === undefined) return () => undefined;
  const called = settings['app.rest.pre-request'];
  const before = called === undefined ? {} : { before: ofDialect.call(called) };
  // Sessions write intervals in ISO 8601 otherwise.
  const style: RequestSession['settings'] = hasIntervals(registry) ? [['intervalstyle', 'postgres']] : [];
  const mentions = (name: RequestVariable): boolean => requestVariables.has(name);
  const isVerified = settings['app.security.jwt-enabled'];
  const isPlain = called === undefined && style.length === 0;
  return (request, identity, answered) => {
    // The usual request, of which nothing is read.
    if (isPlain && requestVariables.isEmpty() && request.headers['prefer'] === undefined) return undefined;
    const set = variables.flatMap(([name, valueOf]) =>
      mentions(name) ? [[name, valueOf(request, path)] as const] : [],
    );
    const claims = isVerified && mentions('request.jwt.claims') ? claimsWithRole(identity) : undefined;
    const { timezone } = postgrestGrammar.preferences(request.headers);
    const zone = timezone === undefined ? [] : [['timezone', timezone] as const];
    const all = [...style, ...zone, ...set, ...(claims === undefined ? [] : [['request.jwt.claims', claims] as const])];
    const isReadBack = mentions('response.headers') || mentions('response.status');
    if (all.length === 0 && called === undefined && !isReadBack) return undefined;
    const after = isReadBack ? { after: { statement: ofDialect.readBack, answered } } : {};
    return { settings: all, ...before, ...after };
  };
}

const variables: readonly (readonly [
  name: RequestVariable,
  valueOf: (request: IncomingMessage, path: string) => string,
])[] = [
  ['request.method', ({ method = '' }) => method],
  ['request.path', ({ url = '' }, path) => decoded(url.replace(/\?.*$/s, '').slice(path.length)) || '/'],
  ['request.headers', ({ headers }) => headersText(headers)],
  ['request.cookies', ({ headers }) => cookiesText(headers.cookie)],
];

function headersText(headers: IncomingHttpHeaders): string {
  const texts = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name === 'cookie' ? [] : [[name, decoded(String(value))] as const],
  );
  return JSON.stringify(Object.fromEntries(texts));
}

const cookiesText = (header: string | undefined): string =>
  JSON.stringify(Object.fromEntries(cookiesOf(header === undefined ? undefined : decoded(header))));

/** Node reads the bytes of a header as Latin-1, and clients send UTF-8. */
const decoded = (text: string): string =>
  /[\x80-\xff]/.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;

function hasIntervals({ tables, functions, callable = [], composites }: Registry): boolean {
  const types = [
    ...tables.flatMap(({ columns, computed = [] }) => [...columns, ...computed].map(({ type }) => type)),
    ...[...functions.values(), ...callable].flatMap(({ returns, columns = [] }) => [
      ...(returns === undefined ? [] : [returns]),
      ...columns.map(({ type }) => type),
    ]),
    ...[...composites.values()].flatMap(({ attributes }) => attributes.map(({ type }) => type)),
  ];
  return types.some(isInterval);
}

const isInterval = ({ kind, element }: ColumnType): boolean =>
  kind === 'interval' || (element !== undefined && isInterval(element));
