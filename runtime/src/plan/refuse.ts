import { codes, ServerError, type ErrorReason } from '../errors.js';
import { nearest } from '../nearest.js';
import type { Table } from '../descriptor/registry.js';

/** 400 TW002, with the name that was probably meant. */
export function unknownColumn(name: string, table: Table, reason?: ErrorReason): ServerError {
  const meant = nearest(name, table.byRestName.keys());
  return new ServerError(400, codes.unknownColumn, `${quoted(table.name)} has no column ${quoted(name)}.`, {
    hint: meant === undefined ? undefined : `Did you mean ${quoted(meant)}?`,
    reason: reason ?? { kind: 'unknownColumn', table: table.name, name, meant },
  });
}

export function unknownRelation(name: string, table: Table): ServerError {
  const meant = nearest(name, table.relationsByName.keys());
  return new ServerError(400, codes.unknownColumn, `${quoted(table.name)} has no relation ${quoted(name)}.`, {
    hint: meant === undefined ? undefined : `Did you mean ${quoted(meant)}?`,
  });
}

/** 403: a rule of the configuration hides the column from the identity. */
export const hiddenColumn = (name: string, table: Table): ServerError =>
  new ServerError(403, codes.refused, `This role may not use the column ${quoted(name)} of ${quoted(table.name)}.`, {
    hint: 'Leave it out.',
  });

/** 403: the grants of the role do not let it write the column in this way. */
export const ungrantedColumn = (name: string, table: Table): ServerError =>
  new ServerError(403, codes.refused, `This role may not write the column ${quoted(name)} of ${quoted(table.name)}.`, {
    hint: 'Leave it out.',
  });

/** 403: the row before the write, or after it, is none that a rule lets the identity write. */
export const refusedRow = (table: string): ServerError =>
  new ServerError(403, codes.refused, `A rule does not allow this write of a row of ${quoted(table)}.`, {
    hint: 'Nothing was written.',
  });

export const unknownOperator = (message: string, hint?: string, reason?: ErrorReason): ServerError =>
  new ServerError(400, codes.unknownOperator, message, { hint, reason });

export const malformedParameter = (message: string, hint?: string, reason?: ErrorReason): ServerError =>
  new ServerError(400, codes.malformedParameter, message, { hint, reason });

export const unsupported = (message: string, hint?: string): ServerError =>
  new ServerError(400, codes.unsupported, message, { hint });

/** A name in a message, not longer than PostgreSQL's names are. */
export const quoted = (name: string): string => `"${name.length > 63 ? `${name.slice(0, 63)}…` : name}"`;

/** Whose value it is, in an error about it: see Slot. */
export const columnSubject = (name: string): string => `column ${quoted(name)}`;
