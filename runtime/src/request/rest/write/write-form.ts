import { ownReads, type ReadForm } from '../read/read-form.js';

/** How a form of REST writes: how it reads a body, which rows merge, and what it answers. */
export interface WriteForm extends ReadForm {
  /** What a write answers whose client prefers nothing. */
  readonly returns: 'rows' | 'nothing';
  /** The answer to one object that is inserted. */
  readonly insertedOne: 'object' | 'list';
  /** Filters of an insert, and the order and the page of a write. */
  readonly meaningless: 'ignored' | 'refused';
  /** The key by which rows merge, unless the client names one. */
  readonly mergesBy: 'firstGivenKey' | 'primaryKey';
  /** Columns that `columns` names and the body of an update lacks. */
  readonly missingValues: 'kept' | 'null';
  /** Lists in the body of an update. */
  readonly updateLists: 'refused' | 'oneOrNone';
  /** A row of PUT without all its columns. */
  readonly partialRows: 'refused' | 'allowed';
  /** A number, a text or null as a body. */
  readonly scalarBodies: 'refused' | 'noRows';
  /** `application/x-www-form-urlencoded` as a body. */
  readonly urlencodedBodies: 'refused' | 'oneRow';
}

/** How `/api/v1` writes. Source: decision 006. */
export const ownWrites: WriteForm = {
  ...ownReads,
  returns: 'rows',
  insertedOne: 'object',
  meaningless: 'refused',
  mergesBy: 'firstGivenKey',
  missingValues: 'kept',
  updateLists: 'refused',
  partialRows: 'refused',
  scalarBodies: 'refused',
  urlencodedBodies: 'refused',
};
