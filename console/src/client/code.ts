/// <reference lib="dom" />
import type { ConsoleModel } from '../console-model.js';
import { memberOf, type ApiRequest } from './requests.js';
import type { Session } from './session.js';

/** A request as code: where it is sent, and whose token it has. */
export interface Sender {
  readonly origin: string;
  readonly session: Session;
}

const withToken = ({ headers }: ApiRequest, { session: { token } }: Sender): Readonly<Record<string, string>> => ({
  ...headers,
  ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
});

/** The request for a shell. */
export function curlOf(request: ApiRequest, sender: Sender): string {
  const { method, path, body } = request;
  return [
    'curl -s',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(withToken(request, sender)).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
    quoted(sender.origin + path),
  ].join(' ');
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** A string of JavaScript. */
const literal = (text: string): string =>
  `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;

const json = (value: unknown): string => JSON.stringify(value, undefined, 2);

export function fetchOf(request: ApiRequest, sender: Sender): string {
  const { method, path, body } = request;
  const options = [
    ...(method === 'GET' ? [] : [`  method: ${literal(method)},`]),
    `  headers: ${json(withToken(request, sender)).replaceAll('\n', '\n  ')},`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${body.replaceAll('\n', '\n  ')}),`]),
  ];
  return `const response = await fetch(${literal(sender.origin + path)}, {\n${options.join('\n')}\n});\nconst answer = await response.json();\n`;
}

/** A document whose result and variables have types, by gql.tada and schema.graphql. */
export const typedDocumentOf = (document: string): string =>
  `import { graphql } from 'gql.tada';\n\nexport const document = graphql(\`\n${document.replace(/[`\\]|\$\{/g, '\\$&').replace(/^/gm, '  ')}\n\`);\n`;

/** Methods of supabase-js for operators; it has `filter` for all others. */
const filters = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike', 'is']);

/**
 * The request with supabase-js; undefined where the server does not serve PostgREST's form at the
 * path that supabase-js uses.
 */
export function supabaseOf(model: ConsoleModel, request: ApiRequest, sender: Sender): string | undefined {
  const { method, path, headers, body } = request;
  const [, table = '', query = ''] = /^\/api\/v1\/([^?]+)(?:\?(.*))?$/.exec(path) ?? [];
  if (model.postgrest?.path !== '/rest/v1' || table === '') return undefined;
  const { token } = sender.session;
  const options =
    token === undefined ? '' : `, {\n  global: { headers: { Authorization: ${literal(`Bearer ${token}`)} } },\n}`;
  const profile = headers['Accept-Profile'] ?? headers['Content-Profile'];
  const parameters = [...new URLSearchParams(query.replaceAll('+', '%2B'))];
  const select = parameters.find(([name]) => name === 'select')?.[1];
  const conflict = parameters.find(([name]) => name === 'on_conflict')?.[1];
  const name = decodeURIComponent(table);
  const steps = [
    ...(profile === undefined ? [] : [`schema(${literal(profile)})`]),
    ...(name.startsWith('rpc/')
      ? [`rpc(${literal(name.slice(4))}, ${body ?? '{}'})`]
      : [
          `from(${literal(name)})`,
          ...verb(method, headers, body, conflict),
          ...(select === undefined && method !== 'GET'
            ? ['select()']
            : [
                `select(${select === undefined ? '' : literal(select)}${headers['Prefer']?.includes('count=exact') === true ? ", { count: 'exact' }" : ''})`,
              ]),
        ]),
    ...pageOf(parameters),
    ...parameters.flatMap(([column, value]) => stepOf(column, value)),
  ];
  return `import { createClient } from '@supabase/supabase-js';\n\nconst supabase = createClient(${literal(sender.origin)}, 'any-key'${options});\nconst { data, error } = await supabase\n  .${steps.join('\n  .')};\n`;
}

function verb(method: string, headers: ApiRequest['headers'], body = '{}', conflict?: string): readonly string[] {
  const options = conflict === undefined ? '' : `, { onConflict: ${literal(conflict)} }`;
  if (method === 'POST')
    return [headers['Prefer']?.includes('resolution=') === true ? `upsert(${body}${options})` : `insert(${body})`];
  if (method === 'PATCH') return [`update(${body})`];
  return method === 'DELETE' ? ['delete()'] : [];
}

function pageOf(parameters: readonly (readonly [string, string])[]): readonly string[] {
  const number = (wanted: string): number | undefined => {
    const text = parameters.find(([name]) => name === wanted)?.[1];
    return text === undefined ? undefined : Number(text);
  };
  const [limit, offset] = [number('limit'), number('offset')];
  if (limit === undefined) return [];
  return offset === undefined || offset === 0
    ? [`limit(${String(limit)})`]
    : [`range(${String(offset)}, ${String(offset + limit - 1)})`];
}

function stepOf(column: string, value: string): readonly string[] {
  if (['select', 'limit', 'offset', 'on_conflict', 'columns'].includes(column)) return [];
  if (column === 'order') return value.split(',').map(orderStep);
  if (column === 'or') return [`or(${literal(value.slice(1, -1))})`];
  const [, not, operator = '', rest = ''] = /^(not\.)?([a-z]+(?:\([^)]*\))?)\.(.*)$/s.exec(value) ?? [];
  const name = literal(column);
  if (not !== undefined) return [`not(${name}, ${literal(operator)}, ${operator === 'is' ? rest : literal(rest)})`];
  if (operator === 'is') return [`is(${name}, ${rest})`];
  return [
    filters.has(operator)
      ? `${operator}(${name}, ${literal(rest)})`
      : `filter(${name}, ${literal(operator)}, ${literal(rest)})`,
  ];
}

function orderStep(text: string): string {
  const [column = '', ...words] = text.split('.');
  const options = [
    ...(words.includes('desc') ? ['ascending: false'] : []),
    ...(words.includes('nullsfirst') ? ['nullsFirst: true'] : words.includes('nullslast') ? ['nullsFirst: false'] : []),
  ];
  return `order(${literal(column)}${options.length === 0 ? '' : `, { ${options.join(', ')} }`})`;
}

/** The document of a request of GraphQL; undefined for REST. */
export function documentOf({ path, body }: ApiRequest): string | undefined {
  if (path !== '/graphql' || body === undefined) return undefined;
  const query = memberOf(JSON.parse(body), 'query');
  return typeof query === 'string' ? query : undefined;
}
