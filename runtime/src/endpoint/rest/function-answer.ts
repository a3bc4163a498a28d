import type { OutgoingHttpHeaders } from 'node:http';
import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import { ServerError, codes } from '../../errors.js';
import type { RowIntent, RowsIntent } from '../../plan/intent.js';
import type { Format } from '../../request/rest/grammar/accept.js';
import type { GivenCall } from '../../request/rest/function/choose-function.js';
import type { Preferences } from '../../response/preferences.js';
import type { Answer } from '../../response/answer.js';
import { contentTypes, notOneRow } from '../../response/rest-rows.js';
import type { WritePreferences } from '../../response/rest-written.js';

/** What a request prefers and accepts. */
export interface Asked {
  readonly preferences: Preferences;
  readonly format: Format;
}

/** Throws ServerError before the call if its result has no rows that `max-affected` could count. */
export function checkCounted({ returnsSet }: FunctionDescriptor, { preferences }: Asked): void {
  if (preferences.maxAffected === undefined || returnsSet === true) return;
  throw new ServerError(400, codes.malformedParameter, 'The result of the function has no rows to count.', {
    hint: '`Prefer: max-affected` is for functions that answer lists.',
    reason: { kind: 'countlessResult' },
  });
}

/** Throws ServerError before the call for a form that values do not have. */
export function checkFormat(called: FunctionDescriptor, table: Table | undefined, { format }: Asked): void {
  if (table !== undefined || isVoid(called) || format === 'json' || format === 'object') return;
  throw new ServerError(406, codes.notAcceptable, 'The function answers values, not rows of a table.', {
    hint: 'Values are served as application/json.',
  });
}

/** The preferences of a call: those of tables that have a meaning for it. */
export const honouredBy = (
  { called: { operation, returnsSet, table } }: GivenCall,
  { preferences: { count, handling, tx, maxAffected } }: Asked,
): WritePreferences => ({
  count: returnsSet === true && table !== undefined ? (operation === 'mutation' ? exactly(count) : count) : 'none',
  ...(handling === undefined ? {} : { handling }),
  ...(tx === undefined || operation === 'query' ? {} : { tx }),
  ...(maxAffected === undefined ? {} : { maxAffected }),
});

/** The rows are there already: counting them costs nothing, and there is no plan to ask. */
export const exactly = (count: Preferences['count']): 'none' | 'exact' =>
  count === 'exact' || count === 'estimated' ? 'exact' : 'none';

export const countedExactly = (intent: RowsIntent | RowIntent): RowsIntent | RowIntent =>
  intent.kind === 'row' ? intent : { ...intent, count: exactly(intent.count) };

export function checkAtMost(rows: number, { preferences: { maxAffected } }: Asked): void {
  if (maxAffected === undefined || rows <= maxAffected) return;
  throw new ServerError(
    400,
    codes.limitExceeded,
    `The function answers ${String(rows)} rows, more than the ${String(maxAffected)} that the request allows.`,
    { hint: 'What it wrote was undone. Allow more.', reason: { kind: 'tooManyRows', rows } },
  );
}

/** Whether the request limits the number of the values in a list. */
export const countsValues = ({ called }: GivenCall, { format, preferences }: Asked): boolean =>
  called.returnsSet === true && (format === 'object' || preferences.maxAffected !== undefined);

export function checkValues(text: string, asked: Asked): void {
  const rows = (JSON.parse(text) as readonly unknown[]).length;
  checkAtMost(rows, asked);
  if (asked.format === 'object' && rows !== 1) throw notOneRow(rows);
}

export const preferenceApplied = (applied: readonly string[]): OutgoingHttpHeaders =>
  applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };

export const bare = (
  text: string | Buffer | null | undefined,
  { format }: Asked,
  applied: readonly string[],
  more: OutgoingHttpHeaders = {},
): Answer => ({
  status: 200,
  headers: { 'content-type': contentTypes[format], ...more, ...preferenceApplied(applied) },
  body: text ?? 'null',
  tagged: true,
});

/** A procedure answers its OUT parameters, or that it is done. */
export const isVoid = ({ returns, table, procedure }: FunctionDescriptor): boolean =>
  returns === undefined && table === undefined && procedure === undefined;
