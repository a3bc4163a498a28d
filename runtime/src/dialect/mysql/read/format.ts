import type { RowsFormat, SelectionPlan } from '../../../plan/read/plan.js';
import { csvHeader } from '../../../plan/read/format.js';
import type { Fragment } from '../sql.js';
import { csvLine, csvOf } from './csv.js';
import { collectionOf, collectionText, featureOf } from './geojson.js';
import type { WriteRow } from './read.js';
import { listOf, objectText } from './text.js';

/** How the rows of a format are written, each and all together. */
export interface RowsWriter {
  /** JSON objects, in a JSON list. */
  readonly isJson: boolean;
  readonly row: WriteRow;
  readonly all: (row: Fragment, order: readonly Fragment[]) => Fragment;
  /** All of them from the texts of each. */
  readonly joined: (rows: readonly string[]) => string;
}

const json: RowsWriter = {
  isJson: true,
  row: objectText,
  all: (row, order) => listOf(row, order),
  joined: (rows) => `[${rows.join(',')}]`,
};

export function writerOf(format: RowsFormat, select: readonly SelectionPlan[]): RowsWriter {
  if (format === 'json') return json;
  if (format === 'csv')
    return {
      isJson: false,
      row: csvLine,
      all: (row, order) => csvOf(row, order, select),
      joined: (rows) => [csvHeader(select), ...rows].join('\n'),
    };
  return { isJson: false, row: featureOf(select), all: collectionOf, joined: collectionText };
}
