import { codes, ServerError } from '../../errors.js';

const undone = 'Nothing was written.';

/**
 * A row that a nested write names does not exist, may not be written, or belongs to another row.
 */
export const notRelated = (relation: string): ServerError =>
  new ServerError(404, codes.notFound, `${relation}: no such row is related to the row that is written.`, {
    hint: `${undone} A row of another one is not reached through this relation, and policies or triggers may keep a row back.`,
  });

export const notThere = (relation: string): ServerError =>
  new ServerError(404, codes.notFound, `${relation}: there is no row with this key.`, {
    hint: `${undone} Policies may hide a row, and triggers may keep it as it is.`,
  });

/** The foreign key refers to an unknown row. */
export const hiddenRow = (relation: string): ServerError =>
  new ServerError(404, codes.notFound, `${relation}: the row that is referred to can't be seen.`, {
    hint: `${undone} Give connect or create, which replace it.`,
  });

export const lostUpdate = (): ServerError =>
  new ServerError(409, codes.refused, 'A row was not updated, so the rows inside it could not be written either.', {
    hint: `${undone} A trigger may have kept the row as it is.`,
  });

/**
 * A trigger, or an ignored conflict, prevented a row: the rows that belong to it cannot be
 * inserted.
 */
export const lostInsert = (): ServerError =>
  new ServerError(409, codes.refused, 'A row was not inserted, so the rows inside it could not be either.', {
    hint: `${undone} A trigger may have skipped the row, or onConflict left the one that is there alone.`,
  });

export const noKeyToGive = (relation: string): ServerError =>
  new ServerError(409, codes.refused, `${relation}: the columns that others refer to are null in this row.`, {
    hint: undone,
  });

/** Rows inside rows need a single row around them. */
export const severalRows = (): ServerError =>
  new ServerError(400, codes.refused, 'An update with rows inside is one of one row, and more match.', {
    hint: `${undone} Name the row by its key.`,
  });

export const tooManySteps = (most: number): ServerError =>
  new ServerError(400, codes.limitExceeded, `The rows inside take more than ${String(most)} statements.`, {
    hint: `${undone} Send them in several requests; new rows of one list are one statement.`,
  });
