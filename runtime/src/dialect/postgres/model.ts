import type { ModelDialect } from '../../model/types.js';
import { columnTypes } from './column-types.js';
import { renderedOperators } from './read/operators.js';
import * as vocabulary from './types.js';

/**
 * For models of PostgreSQL's catalogues. The generator needs this and the reader of catalogues, and
 * no driver.
 */
export const model: ModelDialect = {
  columnTypes,
  vocabulary: Object.keys(vocabulary),
  operators: renderedOperators,
  callsFunctions: true,
};
