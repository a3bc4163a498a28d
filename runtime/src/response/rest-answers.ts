import type { OutgoingHttpHeaders } from 'node:http';
import type { MediaHandler } from '../catalog/catalog.js';
import type { Table } from '../descriptor/registry.js';
import type { AnswerRow } from '../plan/statement.js';
import type { Written } from '../plan/write-program.js';
import type { ServerError } from '../errors.js';
import type { Preferences } from './preferences.js';
import type { Answer } from './answer.js';
import { errorAnswer } from './rest-error.js';
import { contentTypes, listAnswer, type ListAnswer } from './rest-rows.js';
import { appliedPreferences, appliedToWrite, locationOf } from './rest-written.js';

/** What the answer to a write depends on. */
export interface WrittenAnswer {
  readonly kind: 'insert' | 'update' | 'replace' | 'delete';
  readonly table: Table;
  readonly preferences: Preferences;
  readonly format: 'json' | 'object' | 'csv' | 'geojson';
  /** The aggregate that has written the rows, instead of `format`. */
  readonly handler?: MediaHandler | undefined;
  readonly stripsNulls: boolean;
  /** Rows were given, and whether as one object. */
  readonly rows?: { readonly single: boolean } | undefined;
  /** Whether there is a key by which an insert could merge rows. */
  readonly merges: boolean;
  readonly written: Written;
  /** With a body. */
  readonly status: number;
}

/** What is known of a request that failed. */
export interface FailedRequest {
  /** It comes without a token. */
  readonly isAnonymous: boolean;
  readonly method: string;
}

/** How a form of REST answers: the same rows and errors, in an envelope or bare. */
export interface RestAnswers {
  /** `rows` is what a RowsIntent answers. Throws ServerError 406 and 416. */
  readonly list: (rows: readonly AnswerRow[], options: ListAnswer) => Answer;
  readonly written: (answer: WrittenAnswer) => Answer;
  readonly error: (error: ServerError, request: FailedRequest) => Answer;
  /** Other names of the stages in `Server-Timing`. */
  readonly stages?: Readonly<Record<string, string>>;
  /** The preferences of a read that its answer lists. Source: RFC 7240, 3. */
  readonly appliedToRead: (preferences: Preferences) => readonly string[];
}

/** The answers of `/api/v1`. Source: decision 006. */
export const ownAnswers: RestAnswers = {
  list: listAnswer,
  written: writtenAnswer,
  error: errorAnswer,
  appliedToRead: ({ count, handling }) =>
    appliedPreferences({ count, ...(handling === undefined ? {} : { handling }) }),
};

function writtenAnswer({ table, preferences, format, rows, written, status }: WrittenAnswer): Answer {
  const headers: OutgoingHttpHeaders = appliedToWrite(preferences);
  if (preferences.count !== 'none') headers['content-range'] = `*/${String(written.affected)}`;
  if (preferences.return === 'minimal') return { status: 204, headers };
  if (preferences.return === 'headers-only') {
    if (rows === undefined) return { status: 204, headers };
    return { status, headers: { ...headers, ...locationOf(table, written.keys) }, body: '' };
  }
  const single = rows?.single === true || format === 'object';
  const body = written.text ?? (format === 'csv' ? '' : single ? 'null' : '[]');
  return { status, headers: { 'content-type': contentTypes[format], ...headers }, body };
}
