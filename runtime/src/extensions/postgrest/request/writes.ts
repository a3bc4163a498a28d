import { postgrestReads } from './reads.js';
import type { WriteForm } from '../../../request/rest/write/write-form.js';

/** Source: PostgREST, "Insert", "Update", "Upsert", "Prefer Header". */
export const postgrestWrites: WriteForm = {
  ...postgrestReads,
  returns: 'nothing',
  insertedOne: 'list',
  meaningless: 'ignored',
  mergesBy: 'primaryKey',
  missingValues: 'null',
  updateLists: 'oneOrNone',
  partialRows: 'allowed',
  scalarBodies: 'noRows',
  urlencodedBodies: 'oneRow',
};
