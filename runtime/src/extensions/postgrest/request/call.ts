import type { ArgumentDescriptor, FunctionDescriptor } from '../../../descriptor/descriptor.js';
import { ServerError, codes, type WantedFunction } from '../../../errors.js';
import { isRecord } from '../../../is-record.js';
import { mostSimilar } from '../../../most-similar.js';
import { parseParameters, type Parameter } from '../../../request/rest/grammar/parameters.js';
import { postgrestGrammar } from './grammar.js';
import { spellings } from '../../../request/rest/grammar/spelling.js';
import { parseCsv } from '../../../request/rest/write/csv.js';
import { readJson, readText } from '../../../request/rest/write/body.js';
import { malformedBody } from '../../../request/rest/write/malformed.js';
import {
  createCall,
  namer,
  type FunctionPath,
  type GivenCall,
} from '../../../request/rest/function/choose-function.js';

/** The arguments of a request: texts or JSON values, by name. */
interface Given {
  readonly form: 'text' | 'json';
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  /** The rest of the query string. */
  readonly query: string;
  /** Of a body that may be one argument as a whole. */
  readonly whole?: { readonly type: WantedFunction['body'] & string; readonly value: unknown };
}

/**
 * Reads a call by GET: parameters whose values are operator expressions filter the result, and all
 * others are arguments. Source: PostgREST, "Functions as RPC".
 */
export function callByQuery(path: FunctionPath, query: string): GivenCall {
  const values = new Map<string, string[]>();
  const others: string[] = [];
  for (const part of query.split('&')) {
    const [parameter] = part === '' ? [] : parseParameters(part, postgrestGrammar);
    if (parameter === undefined || !isArgument(parameter)) others.push(part);
    else values.set(parameter.name, [...(values.get(parameter.name) ?? []), parameter.value]);
  }
  return chosenCall(path, { form: 'text', values, query: others.filter((part) => part !== '').join('&') });
}

const reservedName = /^(?:select|columns|on_conflict|(?:.*\.)?(?:order|limit|offset|and|or))$/s;
const operatorForm = /^(?:(?:not|in|is)\.|([a-z]+)(?:\([^)]*\))?\.)/;

function isArgument({ name, value }: Parameter): boolean {
  if (reservedName.test(name)) return false;
  const found = operatorForm.exec(value);
  return found === null || (found[1] !== undefined && !spellings.has(found[1]));
}

/** Reads a call by POST: JSON, a form, CSV, or a body that is the only argument. */
export function callByBody(
  path: FunctionPath,
  contentType: string | undefined,
  body: Buffer,
  query: string,
): GivenCall {
  return chosenCall(path, { ...givenInBody(contentType, body, query), query: withoutColumns(query) });
}

function givenInBody(contentType: string | undefined, body: Buffer, query: string): Omit<Given, 'query'> {
  const type = (contentType ?? 'application/json').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const none = new Map<string, readonly unknown[]>();
  switch (type) {
    case 'text/plain':
      return { form: 'json', values: none, whole: { type: 'text', value: readText(body) } };
    case 'text/xml':
      return { form: 'json', values: none, whole: { type: 'xml', value: readText(body) } };
    case 'application/octet-stream':
      return { form: 'text', values: none, whole: { type: 'bytea', value: `\\x${body.toString('hex')}` } };
    case 'application/x-www-form-urlencoded': {
      const values = new Map<string, string[]>();
      for (const { name, value } of parseParameters(readText(body), postgrestGrammar))
        values.set(name, [...(values.get(name) ?? []), value]);
      return { form: 'text', values };
    }
    case 'text/csv': {
      const [row = {}] = parseCsv(readText(body));
      return { form: 'text', values: new Map(Object.entries(row).map(([name, value]) => [name, [value]])) };
    }
    default:
      if (!/^application\/(?:json|vnd\.pgrst\..*)$/.test(type))
        throw malformedBody(`Content-Type not acceptable: ${type}`);
      return givenInJson(contentType, body, query);
  }
}

function givenInJson(contentType: string | undefined, body: Buffer, query: string): Omit<Given, 'query'> {
  const value = body.length === 0 ? {} : readJson(contentType, body);
  const rows: readonly unknown[] = Array.isArray(value) ? value : [value];
  const [row] = rows;
  const members = Object.entries(isRecord(row) ? row : {});
  const columns = parseParameters(query, postgrestGrammar).find(({ name }) => name === 'columns')?.value;
  const wanted = columns?.split(',').map((name) => name.trim());
  const given =
    wanted === undefined ? members : wanted.map((name) => [name, isRecord(row) ? (row[name] ?? null) : null] as const);
  return {
    form: 'json',
    values: new Map(given.map(([name, each]) => [name, [each]])),
    whole: { type: 'json', value },
  };
}

const withoutColumns = (query: string): string =>
  query
    .split('&')
    .filter((part) => !part.startsWith('columns='))
    .join('&');

/**
 * The only function whose arguments have these names; without any, the one with a single unnamed
 * argument for such a body. Types never decide.
 */
function chosenCall(path: FunctionPath, { form, values, query, whole }: Given): GivenCall {
  const nameOf = namer(path.restNames);
  const names = [...values.keys()];
  const isNamed = whole === undefined || whole.type === 'json';
  const fitting = isNamed ? path.overloads.filter((each) => fits(each.arguments, names, nameOf)) : [];
  const unnamed = whole === undefined || fitting.length > 0 ? [] : path.overloads.filter(takesWhole(whole.type));
  const [called, ...more] = fitting.length > 0 ? fitting : unnamed;
  const wanted: WantedFunction = { schema: path.schema, name: path.name, names: [...names].sort(), body: whole?.type };
  if (called === undefined) throw noFunction(path, wanted, nameOf);
  if (more.length > 0) throw severalFunctions(wanted, [called, ...more], nameOf);
  return createCall(called, form, query, (argument) => {
    if (unnamed.length > 0) return whole?.value;
    const given = values.get(nameOf(argument));
    if (given === undefined || form === 'json') return given?.[0];
    return argument.mode === 'variadic' ? given : given.at(-1);
  });
}

type NameOf = (argument: ArgumentDescriptor) => string;

function fits(all: readonly ArgumentDescriptor[], names: readonly string[], nameOf: NameOf): boolean {
  if (all.some(({ name }) => name === '')) return false;
  const known = new Set(all.map(nameOf));
  const isOptional = ({ hasDefault, mode }: ArgumentDescriptor): boolean => hasDefault === true || mode === 'variadic';
  return (
    names.every((name) => known.has(name)) && all.every((each) => isOptional(each) || names.includes(nameOf(each)))
  );
}

const bodyTypes = { json: ['json', 'jsonb'], text: ['text'], xml: ['xml'], bytea: ['bytea'] } as const;

const takesWhole =
  (body: keyof typeof bodyTypes) =>
  ({ arguments: [only, ...more] }: FunctionDescriptor): boolean =>
    only?.name === '' && more.length === 0 && bodyTypes[body].some((type) => only.type.sql.name === type);

function noFunction({ overloads, others }: FunctionPath, wanted: WantedFunction, nameOf: NameOf): ServerError {
  const signatures = overloads.map((each) => `(${each.arguments.map(nameOf).sort().join(', ')})`);
  const called = `(${wanted.names.join(', ')})`;
  const meant = overloads.length > 0 ? mostSimilar(called, signatures, 0.33) : mostSimilar(wanted.name, others(), 0.75);
  const named = overloads.length > 0 ? `${wanted.name}${meant ?? ''}` : (meant ?? '');
  const isRaw = wanted.body !== undefined && wanted.body !== 'json';
  const message = `No function "${wanted.name.slice(0, 80)}" takes these arguments.`;
  return new ServerError(404, codes.notFound, message, {
    reason: {
      kind: 'unknownFunction',
      wanted,
      meant: isRaw || meant === undefined ? undefined : `${wanted.schema}.${named}`,
    },
  });
}

function severalFunctions(
  wanted: WantedFunction,
  candidates: readonly FunctionDescriptor[],
  nameOf: NameOf,
): ServerError {
  const signatures = candidates.map(({ schema, name, arguments: all }) => {
    const parts = all.map((each) => [nameOf(each), typeText(each)].join(' => '));
    return `${schema}.${name}(${parts.join(', ')})`;
  });
  return new ServerError(300, codes.malformedParameter, 'Several functions of this name take these arguments.', {
    reason: { kind: 'ambiguousFunction', wanted, signatures },
  });
}

/** Types whose name in SQL is not that in the catalogue. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['int2', 'smallint'],
  ['int4', 'integer'],
  ['int8', 'bigint'],
  ['bool', 'boolean'],
  ['float4', 'real'],
  ['float8', 'double precision'],
  ['varchar', 'character varying'],
  ['timestamp', 'timestamp without time zone'],
  ['timestamptz', 'timestamp with time zone'],
]);

function typeText({ type: { sql }, domain }: ArgumentDescriptor): string {
  const { name, array } = domain ?? sql;
  return `${typeNames.get(name) ?? name}${array === true ? '[]' : ''}`;
}
