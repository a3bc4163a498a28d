import type { Policy, Table } from '@tablewright/runtime/model';
import { inTransaction, type Remedy } from '../finding.js';
import { quoted, quotedPath } from '../quote.js';
import { callsPerRow, isCurrentSetting, rewrite, uncheckedCasts, type Wanted } from '../sql/calls.js';
import { parseSql } from '../sql/tree.js';
import type { Subject } from '../subject.js';

/**
 * Types of the database that the empty string is no value of: its enums, and all of PostgreSQL's
 * own but texts.
 */
export function failsOnEmpty({ catalog }: Subject, type: string): boolean {
  if (!type.includes('.')) return type !== '' && !takesEmpty.has(type);
  return catalog.enums.some((each) => `${each.schema}.${each.name}` === type);
}

const takesEmpty = new Set([
  'text',
  'varchar',
  'character varying',
  'character',
  'bpchar',
  'char',
  'name',
  'citext',
  'bytea',
  'tsvector',
]);

/**
 * Functions that ask the session: `current_setting`, and those of the database but immutable ones,
 * which are computed once anyway.
 */
export function asksSession({ facts }: Subject): Wanted {
  const own = new Set(
    facts.functions.filter((each) => each.volatility !== 'immutable').map((each) => `${each.schema}.${each.name}`),
  );
  return (parts) => isCurrentSetting(parts) || own.has(parts.join('.'));
}

export const withNullif = (subject: Subject, text: string): string =>
  rewrite(
    text,
    uncheckedCasts(parseSql(text), (type) => failsOnEmpty(subject, type)),
    (piece) => `NULLIF(${piece}, '')`,
  );

export const withSelect = (subject: Subject, text: string): string =>
  rewrite(text, callsPerRow(parseSql(text), asksSession(subject)), (piece) => `(SELECT ${piece})`);

/** Both rules about a policy's text apply all fixes, so that one rule does not undo the other. */
export function mendedPolicy(subject: Subject, table: Table, policy: Policy): Remedy {
  const mend = (text: string): string => withSelect(subject, withNullif(subject, text));
  const clauses = [
    ...(policy.using === null ? [] : [`using (${mend(policy.using)})`]),
    ...(policy.check === null ? [] : [`with check (${mend(policy.check)})`]),
  ];
  return inTransaction([`alter policy ${quoted(policy.name)} on ${quotedPath(table)} ${clauses.join(' ')};`]);
}

export const textsOf = ({ using, check }: Policy): readonly string[] => [using, check].filter((text) => text !== null);
