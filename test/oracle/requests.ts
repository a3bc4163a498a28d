import { graphqlReference, graphqlRequest } from './graphql.js';
import type { Random } from './random.js';
import type { OracleRequest } from './request.js';
import { restRequest } from './rest.js';
import type { DatabaseName, OracleTable } from './schema.js';

/** So many requests of before may be sent again, with a part of another request. */
const remembered = 40;

/**
 * Makes random requests. A part of them are requests of before of which one part has changed: what
 * a cache confuses are requests that are almost alike.
 */
export function createRequests(
  random: Random,
  tables: readonly OracleTable[],
  database: DatabaseName,
): () => OracleRequest {
  const before: OracleRequest[] = [];
  return () => {
    const request = before.length > 5 && random.chance(35) ? varied(random, before) : fresh(random, tables, database);
    before.push(request);
    if (before.length > remembered) before.shift();
    return request;
  };
}

function fresh(random: Random, tables: readonly OracleTable[], database: DatabaseName): OracleRequest {
  const kind = random.below(100);
  if (kind < 8) return graphqlReference(random, tables);
  return kind < 45 ? graphqlRequest(random, tables) : restRequest(random, tables, database);
}

/** A request with the body, the headers, the parameters or the mount of another one. */
function varied(random: Random, before: readonly OracleRequest[]): OracleRequest {
  const one = withoutReference(random.pick(before));
  const others = before.filter(({ method, path }) => method === one.method && targetOf(path) === targetOf(one.path));
  const other = random.pick(others);
  if (one.path === '/graphql') return { ...one, body: mixed(random, one.body ?? '{}', other.body ?? '{}') };
  switch (random.below(4)) {
    case 0:
      return other.body === undefined ? one : { ...one, body: other.body };
    case 1:
      return { ...one, headers: { ...other.headers, ...contentType(one) } };
    case 2:
      return { ...one, path: other.path };
    default:
      return { ...one, path: mounted(one.path) };
  }
}

const contentType = ({ headers }: OracleRequest): Readonly<Record<string, string>> =>
  headers['content-type'] === undefined ? {} : { 'content-type': headers['content-type'] };

/** The reference answer is that of the request as it was made. */
export function withoutReference({ method, path, headers, body }: OracleRequest): OracleRequest {
  return { method, path, headers, ...(body === undefined ? {} : { body }) };
}

/** The table or the function of a path, without its mount. */
const targetOf = (path: string): string => path.replace(/^\/(api|rest)\/v1|\?.*$/g, '');

const mounted = (path: string): string =>
  path.startsWith('/rest') ? path.replace('/rest', '/api') : path.replace('/api', '/rest');

/** The document of one request with variables of the other, where they have the same names. */
export function mixed(random: Random, one: string, other: string): string {
  const [first, second] = [JSON.parse(one) as GraphqlBody, JSON.parse(other) as GraphqlBody];
  const entries = Object.entries(first.variables).flatMap(([name, value]): (readonly [string, unknown])[] => {
    // Without an order, a part of the rows may be any part of them.
    if (random.chance(10) && !name.endsWith('_orderBy')) return [];
    return [[name, Object.hasOwn(second.variables, name) && random.chance(60) ? second.variables[name] : value]];
  });
  return JSON.stringify({ query: first.query, variables: Object.fromEntries(entries) });
}

interface GraphqlBody {
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}
