import { sql } from 'kysely';
import type { SelectionPlan } from '../../../plan/read/plan.js';
import type { Fragment } from '../sql.js';
import { isGeometry } from '../parameters/type-name.js';
import type { WriteRow } from './read.js';
import { concat, listOf, objectText, valueText } from './text.js';

/**
 * A row as a feature of GeoJSON: the first geometry that is selected is the feature's, and the
 * other values are its properties. Source: RFC 7946, 3.2
 */
export const featureOf =
  (select: readonly SelectionPlan[]): WriteRow =>
  (entries) => {
    const at = select.findIndex((each) => each.kind === 'value' && isGeometry(each.expression.type.sql));
    const geometry = at < 0 ? undefined : entries[at]?.value;
    const others = entries.filter((_, index) => index !== at);
    return concat([
      '{"type":"Feature","geometry":',
      geometry === undefined ? 'null' : valueText(geometry),
      ',"properties":',
      objectText(others),
      '}',
    ]);
  };

export const collectionOf = (feature: Fragment, order: readonly Fragment[]): Fragment =>
  sql`concat(${collection.before}, ${listOf(feature, order)}, ${collection.after})`;

const words = { before: '{"type":"FeatureCollection","features":', after: '}' } as const;

const collection = { before: sql.lit(words.before), after: sql.lit(words.after) };

/** The same of features that have been read. */
export const collectionText = (features: readonly string[]): string =>
  `${words.before}[${features.join(',')}]${words.after}`;
