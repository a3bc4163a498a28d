import type { ModelDialect } from '../../model/types.js';
import { columnTypes, typeNamed } from './column-types.js';
import { fitsArgument } from './fits-argument.js';
import { given } from './given-types.js';
import { operators } from './read/operators.js';

/**
 * Descriptors have their types behind one name, `tw.mysql.text`. The other names are those that
 * database.ts declares for this database only.
 */
const vocabulary = ['mysql', 'Decimal', 'Geometry', 'LineString', 'Polygon'];

/**
 * What models of MariaDB's catalogues need. The generator imports this and the catalogue reader,
 * and no driver.
 */
export const model: ModelDialect = {
  columnTypes,
  vocabulary,
  operators: operators.ids,
  callsUnlisted: false,
  fitsArgument,
  given,
  typeNamed,
};
