import type { IncomingHttpHeaders } from 'node:http';
import { includeKey } from '../../descriptor/unique-keys.js';
import { ServerError, codes } from '../../errors.js';
import { parseParameters } from '../../request/rest/grammar/parameters.js';
import type { RestGrammar } from '../../request/rest/grammar/rest-grammar.js';
import { ShapeBuilder } from '../../request/rest/grammar/shape-builder.js';
import { tokenize } from '../../request/rest/grammar/tokenize.js';
import type { WriteRequest } from '../../request/rest/write/parse-write.js';
import { ownWrites } from '../../request/rest/write/write-form.js';
import type { Answer } from '../../response/answer.js';
import { isTagOf } from '../../response/entity-tag.js';

/** What a write asks of the row's state before it: `If-Match` and `If-None-Match`. */
export interface Precondition {
  readonly ifMatch: string | undefined;
  readonly ifNoneMatch: string | undefined;
}

/**
 * The conditions of a write; undefined where it has none. `If-None-Match` is one of PUT alone,
 * which could also insert: with other writes it is the leftover of a read.
 */
export function preconditionOf(headers: IncomingHttpHeaders, mayInsert: boolean): Precondition | undefined {
  const { 'if-match': ifMatch } = headers;
  const ifNoneMatch = mayInsert ? headers['if-none-match'] : undefined;
  return ifMatch === undefined && ifNoneMatch === undefined ? undefined : { ifMatch, ifNoneMatch };
}

/**
 * Refuses a condition on a request that names no existing row: its client would believe it safe. A
 * tag in `If-None-Match` may come from a cache, and is ignored.
 * @throws ServerError 400
 */
export function refusePrecondition(headers: IncomingHttpHeaders, method: string): void {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers;
  if (ifMatch !== undefined) throw noRowNamed('If-Match', `${method} names no row that exists.`);
  if (ifNoneMatch?.trim() === '*') throw noRowNamed('If-None-Match', `${method} names no row.`);
}

/**
 * Checks the conditions. Source: RFC 9110, 13.1.1, 13.1.2, 13.2.2.
 * @param current the answers that reads of the row have now; none where there is no row
 * @throws ServerError 412
 */
export async function check({ ifMatch, ifNoneMatch }: Precondition, current: AsyncIterable<Answer>): Promise<void> {
  let isMatched = ifMatch === undefined;
  for await (const answer of current) {
    if (ifNoneMatch !== undefined && isNamedBy(ifNoneMatch, answer, false)) throw preconditionFailed();
    isMatched ||= ifMatch !== undefined && isNamedBy(ifMatch, answer, true);
    if (isMatched && ifNoneMatch === undefined) return;
  }
  if (!isMatched) throw preconditionFailed();
}

const isNamedBy = (header: string, answer: Answer, isStrong: boolean): boolean =>
  header.trim() === '*' || isTagOf(answer, header, isStrong);

/** Most tries of a write whose row other clients change meanwhile. */
const ATTEMPTS = 3;

/** Runs a transaction again that failed because another one changed its row. */
export async function whileItChanges<T>(run: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left -= 1) {
    try {
      return await run();
    } catch (error) {
      if (left === 0 || !(error instanceof ServerError) || error.kind !== 'serialization') throw error;
    }
  }
}

/**
 * Refuses conditions on a request whose filters do not give every column of a key one value: it may
 * write several rows.
 * @throws ServerError 400
 */
export function checkNamesRow({ table, query, form: { grammar } = ownWrites }: WriteRequest): void {
  const { root } = tokenize(parseParameters(query, grammar), table, new ShapeBuilder(table.field), grammar);
  const given = new Set<string | undefined>();
  for (const condition of root.conditions) {
    if (condition.kind !== 'compare' || condition.negated || condition.quantifier !== undefined) continue;
    if (condition.operator === 'eq') given.add(table.byRestName.get(condition.column)?.name);
  }
  if (includeKey(table, given)) return;
  throw noRowNamed('If-Match', 'The filters do not name one row.');
}

/**
 * The query of a read of the row that a write is filtered by.
 * @param isWhole whether to read all columns, instead of those that the write answers
 */
export function readQuery(query: string, grammar: RestGrammar, isWhole: boolean): string {
  return parseParameters(query, grammar)
    .filter(({ name }) => name !== 'columns' && (name !== 'select' || !isWhole))
    .map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
}

const noRowNamed = (header: string, why: string): ServerError =>
  new ServerError(400, codes.refused, `${header} compares the state of one row. ${why}`, {
    hint: 'Filter by each column of a key, as in ?id=eq.1, with PATCH, PUT or DELETE.',
  });

/** Rows of tables that inherit from one another may have the same key. */
export const severalRows = (): ServerError => noRowNamed('If-Match', 'Several rows have this key.');

/** The row is not as the client has read it, so nothing was written. */
const preconditionFailed = (): ServerError =>
  new ServerError(412, codes.preconditionFailed, 'The row is not in the state that the request asks for.', {
    details: 'Nothing was written.',
    hint: 'Read the row again, and send the request with its new ETag.',
  });
