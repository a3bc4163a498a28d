import { codes, ServerError } from '../../errors.js';

const undone = 'Nothing was written.';

/**
 * A row that a nested write names does not exist, may not be written, or belongs to another row.
 */
export const notRelated = (relation: string): ServerError =>
  new ServerError(404, codes.notFound, `${relation}: this row is not related to the row that is written.`, {
    hint: `${undone} A row that belongs to another row cannot be reached through this relation, and policies or triggers may protect a row.`,
  });

export const notThere = (relation: string): ServerError =>
  new ServerError(404, codes.notFound, `${relation}: there is no row with this key.`, {
    hint: `${undone} Policies may hide a row, and triggers may prevent its change.`,
  });

/** The foreign key refers to an unknown row. */
export const hiddenRow = (relation: string): ServerError =>
  new ServerError(404, codes.notFound, `${relation}: a policy hides the row that the foreign key refers to.`, {
    hint: `${undone} Use connect or create, which replace it.`,
  });

export const lostUpdate = (): ServerError =>
  new ServerError(409, codes.refused, 'A row was not updated, so its nested rows could not be written either.', {
    hint: `${undone} A trigger may have prevented the update.`,
  });

/**
 * A trigger, or an ignored conflict, prevented a row: the rows that belong to it cannot be
 * inserted.
 */
export const lostInsert = (): ServerError =>
  new ServerError(409, codes.refused, 'A row was not inserted, so its nested rows could not be inserted either.', {
    hint: `${undone} A trigger may have skipped the row, or onConflict left the existing row unchanged.`,
  });

export const noKeyToGive = (relation: string): ServerError =>
  new ServerError(409, codes.refused, `${relation}: the columns that related rows refer to are null in this row.`, {
    hint: undone,
  });

/** Rows inside rows need a single row around them, and are single rows themselves. */
export const severalRows = (): ServerError =>
  new ServerError(400, codes.refused, 'An update with nested rows must match one row, and more rows match.', {
    hint: `${undone} Select the row by its key. Rows of tables that inherit from one another may have the same key.`,
  });

export const notReferred = (relation: string): ServerError =>
  new ServerError(400, codes.refused, `${relation}: no foreign key can refer to the row that is written.`, {
    hint: `${undone} The row is in a table that inherits from this one.`,
  });

export const tooManySteps = (most: number): ServerError =>
  new ServerError(400, codes.limitExceeded, `The nested rows need more than ${String(most)} statements.`, {
    hint: `${undone} Send them in several requests; new rows of one list are one statement.`,
  });
