import type { ModelDialect } from '../../model/types.js';
import { columnTypes } from './column-types.js';
import { renderedOperators } from './read/operators.js';

/**
 * The words of descriptors are behind one name, `tw.mysql.text`; the others are what database.ts
 * declares for these databases alone.
 */
const vocabulary = ['mysql', 'Decimal', 'Geometry', 'LineString', 'Polygon'];

/**
 * For models of MariaDB's catalogues. The generator needs this and the reader of catalogues, and no
 * driver.
 */
export const model: ModelDialect = { columnTypes, vocabulary, operators: renderedOperators, callsFunctions: false };
