import type { TableModel } from '../model/model.js';
import type { Json } from './json.js';

/** The parameters of every read of rows. */
export const readParameters = ['select', 'order', 'limit', 'offset', 'or', 'and', 'Range', 'Prefer'];
/** Parameters that never name a column. Source: decisions 6. */
const reserved: ReadonlySet<string> = new Set([
  'select',
  'order',
  'limit',
  'offset',
  'or',
  'and',
  'not',
  'columns',
  'on_conflict',
]);

/** A parameter a column: its filter. */
export function filters(tables: readonly TableModel[]): readonly Json[] {
  const names = new Set(
    tables.flatMap(({ columns, descriptor: { computed = [] } }) => [
      ...columns.map((column) => column.descriptor.name),
      ...computed.map(({ name }) => name),
    ]),
  );
  return [...names]
    .filter((name) => !reserved.has(name))
    .map((name) => ({ name, in: 'query', schema: { type: 'string' }, description: '`operator.value`' }));
}
