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
    // Braces and brackets are patterns of several addresses otherwise.
    /[[\]{}]/.test(path) ? 'curl -sg' : 'curl -s',
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
    ...(body === undefined ? [] : [`  body: ${bodyOf(body)},`]),
  ];
  return `const response = await fetch(${literal(sender.origin + path)}, {\n${options.join('\n')}\n});\nconst answer = await response.json();\n`;
}

/** A number that JavaScript would write in another way keeps its digits in a text alone. */
const bodyOf = (body: string): string =>
  keepsDigits(body) ? `JSON.stringify(${body.replaceAll('\n', '\n  ')})` : literal(body);

/** A document whose result and variables have types, by gql.tada and schema.graphql. */
export const typedDocumentOf = (document: string): string =>
  `import { graphql } from 'gql.tada';\n\nexport const document = graphql(\`\n${document.replace(/[`\\]|\$\{/g, '\\$&').replace(/^/gm, '  ')}\n\`);\n`;

/** Methods of supabase-js for operators; it has `filter` for all others. */
const filters = new Set(['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'like', 'ilike']);

/**
 * The request with supabase-js. Undefined where the server does not serve PostgREST's form at the
 * path that supabase-js uses, and for a request that supabase-js cannot send: the copy would read
 * or write other rows.
 */
export function supabaseOf(model: ConsoleModel, request: ApiRequest, sender: Sender): string | undefined {
  const { path, headers } = request;
  const [, table = '', query = ''] = /^\/api\/v1\/([^?]+)(?:\?(.*))?$/.exec(path) ?? [];
  if (model.postgrest?.path !== '/rest/v1' || table === '') return undefined;
  const { token } = sender.session;
  const options =
    token === undefined ? '' : `, {\n  global: { headers: { Authorization: ${literal(`Bearer ${token}`)} } },\n}`;
  const profile = headers['Accept-Profile'] ?? headers['Content-Profile'];
  const parameters = [...new URLSearchParams(query.replaceAll('+', '%2B'))];
  const name = decodeURIComponent(table);
  const called = name.startsWith('rpc/') ? callOf(model, request, name.slice(4), parameters) : undefined;
  const first = called?.steps ?? tableSteps(request, name, parameters);
  const rest = (called?.parameters ?? parameters).map(([column, value]) => stepOf(column, value));
  if (first === undefined || rest.includes(undefined)) return undefined;
  const steps = [
    ...(profile === undefined ? [] : [`schema(${literal(profile)})`]),
    ...first,
    ...pageOf(parameters),
    ...rest.flatMap((each) => each ?? []),
    ...preferred(headers),
  ];
  return `import { createClient } from '@supabase/supabase-js';\n\nconst supabase = createClient(${literal(sender.origin)}, 'any-key'${options});\nconst { data, error } = await supabase\n  .${steps.join('\n  .')};\n`;
}

type Parameters = readonly (readonly [string, string])[];

/** A call of a function, and the parameters that are not its arguments. */
function callOf(
  { functions }: ConsoleModel,
  { method, body }: ApiRequest,
  name: string,
  parameters: Parameters,
): { readonly steps: readonly string[]; readonly parameters: Parameters } {
  if (method !== 'GET') return { steps: [`rpc(${literal(name)}, ${valueOf(body ?? '{}')})`], parameters };
  const known = new Set(
    functions.filter((each) => each.name === name).flatMap((each) => each.arguments.map((argument) => argument.name)),
  );
  const given = Object.fromEntries(parameters.filter(([argument]) => known.has(argument)));
  return {
    steps: [`rpc(${literal(name)}, ${JSON.stringify(given)}, { get: true })`],
    parameters: parameters.filter(([argument]) => !known.has(argument)),
  };
}

function tableSteps(request: ApiRequest, name: string, parameters: Parameters): readonly string[] | undefined {
  const { method, headers } = request;
  const valueNamed = (wanted: string): string | undefined => parameters.find(([each]) => each === wanted)?.[1];
  const write = method === 'GET' ? [] : verb(request, valueNamed('on_conflict'));
  // supabase-js chooses the written columns itself.
  if (write === undefined || valueNamed('columns') !== undefined) return undefined;
  const select = valueNamed('select');
  const counted = prefers(headers, 'count=exact') ? ", { count: 'exact' }" : '';
  const isSilent = method !== 'GET' && prefers(headers, 'return=minimal');
  const selected = select === undefined ? (method === 'GET' && counted !== '' ? "'*'" : '') : literal(select);
  return [
    `from(${literal(name)})`,
    ...write,
    ...(isSilent ? [] : [`select(${selected}${method === 'GET' ? counted : ''})`]),
  ];
}

const preferencesOf = ({ Prefer = '' }: ApiRequest['headers']): readonly string[] =>
  Prefer.split(',').map((each) => each.trim());

const prefers = (headers: ApiRequest['headers'], preference: string): boolean =>
  preferencesOf(headers).includes(preference);

/** The preferences that decide what a write leaves behind. */
function preferred(headers: ApiRequest['headers']): readonly string[] {
  const most = preferencesOf(headers).find((each) => each.startsWith('max-affected='));
  return [
    ...(most === undefined ? [] : [`maxAffected(${most.slice('max-affected='.length)})`]),
    ...(prefers(headers, 'tx=rollback') ? ['rollback()'] : []),
  ];
}

/** The write of a request; undefined where supabase-js has none, as for PUT. */
function verb({ method, headers, body = '{}' }: ApiRequest, conflict?: string): readonly string[] | undefined {
  if (method === 'PATCH') return [`update(${valueOf(body)})`];
  if (method === 'DELETE') return ['delete()'];
  if (method !== 'POST') return undefined;
  const ignores = prefers(headers, 'resolution=ignore-duplicates');
  const isUpsert = ignores || prefers(headers, 'resolution=merge-duplicates');
  const options = [
    ...(isUpsert && conflict !== undefined ? [`onConflict: ${literal(conflict)}`] : []),
    ...(ignores ? ['ignoreDuplicates: true'] : []),
    // A column that one of several rows lacks has its default.
    ...(/^\s*\[/.test(body) ? ['defaultToNull: false'] : []),
  ];
  const given = options.length === 0 ? '' : `, { ${options.join(', ')} }`;
  return [`${isUpsert ? 'upsert' : 'insert'}(${valueOf(body)}${given})`];
}

/** Texts and numbers of JSON. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

const isExact = (token: string): boolean => token.startsWith('"') || String(Number(token)) === token;

/** JSON as JavaScript. A number that JavaScript would write in another way is a text. */
const valueOf = (body: string): string => body.replace(tokens, (token) => (isExact(token) ? token : `"${token}"`));

const keepsDigits = (body: string): boolean => (body.match(tokens) ?? []).every(isExact);

function pageOf(parameters: Parameters): readonly string[] {
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

/** Parameters that are not filters. */
const others = new Set(['select', 'limit', 'offset', 'on_conflict', 'columns']);

/** A filter or an order; undefined for a parameter that supabase-js does not have. */
function stepOf(column: string, value: string): readonly string[] | undefined {
  if (others.has(column)) return [];
  if (column === 'order') return value.split(',').map(orderStep);
  if (column === 'or') return [`or(${literal(value.slice(1, -1))})`];
  // supabase-js has no `and`: as the only alternative it says the same.
  if (['and', 'not.and', 'not.or'].includes(column)) return [`or(${literal(column + value)})`];
  const [, not, operator, rest = ''] = /^(not\.)?([a-z]+(?:\([^)]*\))?)\.(.*)$/s.exec(value) ?? [];
  if (operator === undefined) return undefined;
  const name = literal(column);
  const isWord = operator === 'is' && /^(?:null|true|false)$/.test(rest);
  if (not !== undefined) return [`not(${name}, ${literal(operator)}, ${isWord ? rest : literal(rest)})`];
  if (isWord) return [`is(${name}, ${rest})`];
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
