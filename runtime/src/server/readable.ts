import { LRUCache } from 'lru-cache';
import type { Identity } from '../dialect/driver.js';
import type { Services } from '../execute/services.js';
import type { PlanContext, Readable } from '../plan/context.js';
import type { Condition } from '../plan/read/plan.js';
import { planFilter } from '../plan/read/filters.js';
import { conditionFilter, conditionText } from '../request/graphql/row-condition.js';

/** Conditions of different values that are kept planned. */
const MOST_KEPT = 1000;

/** The conditions of the hooks `onRead` for an identity; undefined if no table has such a hook. */
export function createReadable(
  context: PlanContext & { readonly hooks: Services['hooks'] | undefined },
): ((identity: Identity) => Readable) | undefined {
  const { registry, hooks = {} } = context;
  const hooked = registry.tables.flatMap((table) => {
    const name = `${table.schema}.${table.name}`;
    const of = hooks[name];
    return of?.onRead === undefined ? [] : [{ table, name, of }];
  });
  if (hooked.length === 0) return undefined;
  const known = new LRUCache<string, Readable>({ max: MOST_KEPT });
  return (identity) => {
    const answers = hooked.map(({ name, of }) => of.onRead?.({ table: name, identity }));
    const key = JSON.stringify(answers.map((answer) => (answer === undefined ? null : conditionText(answer))));
    const before = known.get(key);
    if (before !== undefined) return before;
    const conditions = new Map<string, Condition>();
    for (const [at, { table, name }] of hooked.entries()) {
      const answer = answers[at];
      if (answer === undefined) continue;
      // Conditions see all rows: one of them may go through the table of another.
      const filter = conditionFilter(registry, table, answer, `hooks['${name}'].onRead`);
      conditions.set(table.field, planFilter(filter, table, { ...context, readable: undefined }));
    }
    const readable: Readable = { key, condition: ({ field }) => conditions.get(field) };
    known.set(key, readable);
    return readable;
  };
}
