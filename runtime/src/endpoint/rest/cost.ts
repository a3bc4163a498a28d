import { BoundedCache } from '../../bounded-cache.js';
import { relationIn } from '../../descriptor/relation-in.js';
import { ServerError } from '../../errors.js';
import { keptFor } from '../../execute/kept-for.js';
import type { Services } from '../../execute/services.js';
import type { Inputs, Intent, ReadIntent, Selection } from '../../plan/intent.js';
import { parseRead, type ReadRequest } from '../../request/rest/read/parse-read.js';

/** The cost of a read, as GraphQL counts it: the rows that it may ask for, were every list full. */
export type CostOf = (asked: ReadRequest) => number;

/** A read that is refused costs one unit. The intent is kept for each shape, and has no values. */
export function createCostOf({ registry, settings }: Pick<Services, 'registry' | 'settings'>): CostOf {
  const maxRows = settings['app.max-rows'];
  const kept = new BoundedCache<Intent>({ max: 2000 });
  return (asked) => {
    try {
      const read = parseRead(asked, maxRows);
      const intent = keptFor(kept, read.shape, undefined, () => read.intent(registry));
      if (intent.kind !== 'rows') return 1;
      return Math.max(1, read.limit * withRelated(intent.read, read.inputs, maxRows));
    } catch (error) {
      if (error instanceof ServerError) return 1;
      throw error;
    }
  };
}

/** A row, and the rows that are embedded in it. */
const withRelated = ({ table, select }: ReadIntent, inputs: Inputs, maxRows: number): number =>
  select.reduce((sum, each) => {
    if (each.kind === 'aggregate') return sum + 1;
    if (!isRelated(each)) return sum;
    const relation = table.relationsByName.get(each.relation);
    const { limit, form } = each.read;
    const isList = relation !== undefined && relationIn(relation, form).cardinality === 'many';
    const given = limit === undefined ? maxRows : Number(limit.read(inputs));
    return sum + (isList ? Math.max(0, Math.min(given, maxRows)) : 1) * withRelated(each.read, inputs, maxRows);
  }, 1);

const isRelated = (each: Selection): each is Extract<Selection, { readonly read: ReadIntent }> =>
  each.kind === 'relation' || each.kind === 'spread';
