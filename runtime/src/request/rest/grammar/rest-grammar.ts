import type { IncomingHttpHeaders } from 'node:http';
import type { Preferences } from '../../../response/preferences.js';
import { negotiate, type Format } from './accept.js';
import { ownRules, preferenceReader } from './prefer.js';

/** How a form of REST reads the texts of a request. */
export interface RestGrammar {
  /** The format that `Accept` asks for. Throws ServerError 406. */
  readonly format: (accept: string | undefined) => Format;
  /** Whether `Accept` asks for answers without members that are null. */
  readonly stripsNulls: (accept: string | undefined) => boolean;
  /** Throws ServerError 400. */
  readonly preferences: (headers: IncomingHttpHeaders) => Preferences;
  /** A parameter without a value or given again, and a `Range` that is none. */
  readonly unreadable: 'ignored' | 'refused';
  /** `limit` and `offset`. Signed: a negative offset shortens the page, other texts are ignored. */
  readonly counts: 'signed' | 'natural';
  /** A column that does not exist: an error before those of the syntax of its filter, or after. */
  readonly unknownColumns: 'beforeSyntax' | 'afterSyntax';
  /** `a::text=eq.1` */
  readonly castsInFilters: 'ignored' | 'refused';
  /** Blanks around names, lists and groups. */
  readonly blanks: 'ignored' | 'kept';
  /** Text after the last parenthesis of a parameter. */
  readonly trailingText: 'ignored' | 'refused';
  /** A quoted text that does not end before `,` or `)`: a text with quotes, or malformed. */
  readonly unpairedQuotes: 'kept' | 'refused';
  /** The list `("")`. */
  readonly loneEmptyText: 'noElement' | 'element';
  /** The characters of names without quotes in a `select`. */
  readonly bareNames: 'letters' | 'unreserved';
  /** `sum()` and `count()` in a `select`, by which rows are grouped. */
  readonly aggregates: 'allowed' | 'refused';
  /** `...table(column)` */
  readonly spreads: 'allowed' | 'refused';
  /** `table!inner!key` beside `table!key!inner`. */
  readonly hintsAfterJoins: 'allowed' | 'refused';
  /** What an error expects next: one token, or all of them, in the words of the library Parsec. */
  readonly syntaxErrors: 'oneToken' | 'parsec';
}

/** The grammar of `/api/v1`. Source: decision 006. */
export const ownGrammar: RestGrammar = {
  format: negotiate,
  stripsNulls: () => false,
  preferences: preferenceReader(ownRules),
  unreadable: 'refused',
  counts: 'natural',
  unknownColumns: 'beforeSyntax',
  castsInFilters: 'refused',
  blanks: 'kept',
  trailingText: 'refused',
  unpairedQuotes: 'refused',
  loneEmptyText: 'element',
  bareNames: 'unreserved',
  aggregates: 'refused',
  spreads: 'refused',
  hintsAfterJoins: 'refused',
  syntaxErrors: 'oneToken',
};
