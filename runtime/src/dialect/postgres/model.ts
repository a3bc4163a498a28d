import type { ModelDialect } from '../../model/types.js';
import { columnTypes } from './column-types.js';
import { operators } from './read/operators.js';
import * as vocabulary from './types.js';

/**
 * What models of PostgreSQL's catalogues need. The generator imports this and the catalogue reader,
 * and no driver.
 */
export const model: ModelDialect = {
  columnTypes,
  vocabulary: Object.keys(vocabulary),
  operators: operators.ids,
  callsUnlisted: true,
};
