import { referenceQuery } from './filter.js';
import { Random } from './random.js';
import type { OracleRequest } from './request.js';
import { createRequests, withoutReference } from './requests.js';
import { randomTables, type DatabaseName } from './schema.js';
import { named, startPair, tellsChanges, type OraclePair, type OracleServer } from './servers.js';
import { Subscriptions } from './subscriptions.js';

export interface Round {
  readonly database: DatabaseName;
  readonly seed: number;
  readonly requests: number;
  /** Whether there are subscriptions, too. */
  readonly subscribes: boolean;
}

/** What a round has seen, so that a test can say that it was about something. */
export interface RoundReport {
  /** Answers by their status. */
  readonly statuses: ReadonlyMap<number, number>;
  /** Answers that were compared with SQL of the test. */
  readonly referenced: number;
  /** Lookups of caches that found something. */
  readonly hits: { readonly warm: number; readonly cold: number };
  /** Events of subscriptions; undefined where there were none. */
  readonly events: number | undefined;
}

/** After so many requests, what subscribers were told is compared. */
const settling = 25;

/** What is compared of an answer. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const compared = ['content-type', 'content-range', 'location', 'preference-applied', 'allow', 'etag', 'link'];

/**
 * Sends random requests to a server and to one whose caches never hit, which have the same random
 * tables, and compares the answers, and the tables after each write.
 * @throws Error for a difference, with the seed, the number of the request and the command that
 * repeats it
 */
export async function runRound({ database, seed, requests, subscribes }: Round): Promise<RoundReport> {
  const random = new Random(seed);
  const tables = randomTables(random);
  const isLive = subscribes && tellsChanges(database);
  const pair = await startPair(database, tables, isLive);
  const subscriptions = isLive ? new Subscriptions(pair, tables) : undefined;
  await subscriptions?.untilLive();
  const statuses = new Map<number, number>();
  let referenced = 0;
  let number = 0;
  try {
    const next = createRequests(random, tables, database);
    for (number = 1; number <= requests; number += 1) {
      const request = next();
      if (random.chance(4)) await subscriptions?.subscribe(random);
      const [warm, cold] = await Promise.all([send(pair.warm, request), send(pair.cold, request)]);
      statuses.set(warm.status, (statuses.get(warm.status) ?? 0) + 1);
      const problem =
        unlike(warm, cold, 'with caches', 'without') ??
        (await changedTables(pair, request)) ??
        (await unlikeReference(pair, request, warm, database)) ??
        (number % settling === 0 || number === requests ? await subscriptions?.difference() : undefined);
      if (problem !== undefined) throw new Error(describeProblem({ database, seed, number }, request, problem));
      if (request.reference !== undefined && keysOf(warm) !== undefined) referenced += 1;
    }
    const hits = { warm: await pair.warm.hits(), cold: await pair.cold.hits() };
    await subscriptions?.close();
    return { statuses, referenced, hits, events: subscriptions?.events };
  } finally {
    await subscriptions?.close();
    await pair.warm.stop();
    await pair.cold.stop();
  }
}

async function send(server: OracleServer, { method, path, headers, body }: OracleRequest): Promise<Answer> {
  const sent = path === '/graphql' && body !== undefined ? named(server, body) : body;
  const { base, neutral } = server;
  const response = await fetch(base + path, { method, headers, ...(sent === undefined ? {} : { body: sent }) });
  const text = await response.text();
  const kept = compared.flatMap((name) => {
    const value = response.headers.get(name);
    // The text of GraphQL may have the name of the database, and so may what is made from the text.
    return value === null || (name === 'etag' && path === '/graphql') ? [] : [[name, neutral(value)] as const];
  });
  return { status: response.status, headers: Object.fromEntries(kept), text: neutral(text) };
}

/** Codes of failures of the server. The status is no sign: a value of a wrong form is 500, too. */
const failures = /"code":"(TW500|INTERNAL|XX)/;

/** How the answers differ, or the failure of the server that both say. */
export function unlike(one: Answer, other: Answer, first: string, second: string): string | undefined {
  if (failures.test(one.text)) return `the server failed: ${shown(one)}`;
  if (shown(one) === shown(other) || shown(unordered(one)) === shown(unordered(other))) return undefined;
  return `${first}: ${shown(one)}\n${second}: ${shown(other)}`;
}

/**
 * The answer with its lists sorted: the database chooses an order where the request has none.
 * Orders that requests have are compared with SQL of the test.
 */
function unordered({ status, headers, text }: Answer): Answer {
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'etag'));
  const isJson = headers['content-type']?.includes('json') === true && text !== '';
  const sorted = isJson ? JSON.stringify(sortLists(JSON.parse(text))) : text.split(/\r?\n/).sort().join('\n');
  return { status, headers: kept, text: sorted };
}

function sortLists(value: unknown): unknown {
  if (Array.isArray(value))
    return value.map(sortLists).sort((a, b) => compareTexts(JSON.stringify(a), JSON.stringify(b)));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, sortLists(member)]));
}

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const shown = ({ status, headers, text }: Answer): string => `${String(status)} ${JSON.stringify(headers)} ${text}`;

async function changedTables({ warm, cold }: OraclePair, { method }: OracleRequest): Promise<string | undefined> {
  if (method === 'GET' || method === 'HEAD') return undefined;
  const [one, other] = await Promise.all([warm.tables(), cold.tables()]);
  return one === other ? undefined : `tables with caches: ${one}\ntables without:     ${other}`;
}

/** How the rows of a simple read differ from those that SQL finds. */
async function unlikeReference(
  { warm }: OraclePair,
  { reference }: OracleRequest,
  answer: Answer,
  database: DatabaseName,
): Promise<string | undefined> {
  const found = reference === undefined ? undefined : keysOf(answer);
  if (reference === undefined || found === undefined) return undefined;
  const keys = reference.asked.order.length > 0 ? found : [...found].sort((a, b) => a - b);
  const query = referenceQuery(reference.table, reference.asked, database);
  const expected = await warm.keys(query);
  if (JSON.stringify(keys) === JSON.stringify(expected)) return undefined;
  return `the server: ${JSON.stringify(keys)}\nSQL:        ${JSON.stringify(expected)} by ${query.sql} ${JSON.stringify(query.values)}`;
}

/** The keys in the answer of a simple read, undefined for an error. */
function keysOf({ status, text }: Answer): readonly number[] | undefined {
  if (status !== 200 && status !== 206) return undefined;
  const body = JSON.parse(text) as
    readonly Keyed[] | { readonly data: readonly Keyed[] | { rows: readonly Keyed[] } | null };
  const data = 'data' in body ? body.data : body;
  const rows = data !== null && 'rows' in data ? data.rows : data;
  return rows?.map(({ id }) => id);
}

interface Keyed {
  readonly id: number;
}

function describeProblem(
  { database, seed, number }: { database: DatabaseName; seed: number; number: number },
  request: OracleRequest,
  problem: string,
): string {
  const sent = withoutReference(request);
  return [
    `${database}, seed ${String(seed)}, request ${String(number)}: ${JSON.stringify(sent)}`,
    problem,
    `Again: npm run oracle -- --database=${database} --seed=${String(seed)} --requests=${String(number)}`,
  ].join('\n');
}
