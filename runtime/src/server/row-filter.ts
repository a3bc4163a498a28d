import { BoundedCache } from '../bounded-cache.js';
import { boundsOf } from '../descriptor/cache-bounds.js';
import type { Table } from '../descriptor/registry.js';
import type { Identity } from '../dialect/driver.js';
import type { AnyTableHooks } from '../execute/hooks/table-hooks.js';
import type { Services } from '../execute/services.js';
import type { PlanContext, RowFilter, ShapeCache } from '../plan/context.js';
import type { Condition } from '../plan/read/plan.js';
import { planFilter } from '../plan/read/filters.js';
import {
  conditionFilter,
  takeCondition,
  unusable,
  type RowCondition,
} from '../request/graphql/arguments/row-condition.js';
import { ServerError } from '../errors.js';

/** Conditions of different shapes that are kept planned. */
const MOST_KEPT = 1000;

type Context = PlanContext & { readonly hooks: Services['hooks'] | undefined };

/** A table whose rows a hook limits. */
interface HookedTable {
  readonly table: Table;
  /** `schema.name` */
  readonly name: string;
  readonly hook: string;
  readonly of: AnyTableHooks;
}

/** A condition that a hook has answered. */
export interface KnownCondition {
  /** `schema.name` */
  readonly table: string;
  readonly given: unknown;
}

/** The conditions of the hooks `onRead`. */
export interface RowHooks {
  readonly rowFilter: (identity: Identity) => RowFilter;
  /** One for each form that the hooks have answered so far. */
  readonly known: () => readonly KnownCondition[];
  /**
   * Takes conditions that the hooks have answered to another state of the database.
   * @throws ServerError `misconfigured` for one that cannot be used with this state
   */
  readonly check: (conditions: readonly KnownCondition[]) => void;
}

/** Undefined if no table has such a hook. */
export function createRowHooks(context: Context): RowHooks | undefined {
  const { registry, hooks = {} } = context;
  const hooked = registry.tables.flatMap((table): (readonly [string, HookedTable])[] => {
    const name = `${table.schema}.${table.name}`;
    const of = hooks[name];
    return of?.onRead === undefined ? [] : [[table.field, { table, name, of, hook: `hooks['${name}'].onRead` }]];
  });
  if (hooked.length === 0) return undefined;
  const known = new KnownConditions(context, new Map(hooked));
  return {
    rowFilter: (identity) => new RequestConditions(known, identity),
    known: () => known.all(),
    check: (conditions) => {
      for (const each of conditions) known.check(each);
    },
  };
}

interface Planned extends KnownCondition {
  readonly condition: Condition;
}

/** What requests of all identities have in common. */
class KnownConditions {
  /** By the shape of a request: the tables with a hook that it reads. */
  readonly tables: BoundedCache<readonly Table[]>;
  readonly #planned = new BoundedCache<Planned>({ max: MOST_KEPT });

  constructor(
    private readonly context: Context,
    private readonly hooked: ReadonlyMap<string, HookedTable>,
  ) {
    this.tables = new BoundedCache({
      ...boundsOf(context.registry, 8000, 1000),
      sizeCalculation: (tables, shape) => shape.length + tables.length + 1,
    });
  }

  hookOf({ field }: Table): HookedTable | undefined {
    return this.hooked.get(field);
  }

  all(): readonly KnownCondition[] {
    return [...this.#planned.values()].map(({ table, given }) => ({ table, given }));
  }

  check({ table: name, given }: KnownCondition): void {
    const hooked = [...this.hooked.values()].find((each) => each.name === name);
    if (hooked === undefined) return;
    this.planned(hooked, takeCondition(this.context.registry, hooked.table, given, hooked.hook));
  }

  take({ table, name, hook, of }: HookedTable, identity: Identity): RowCondition | undefined {
    const answer = of.onRead?.({ table: name, identity });
    return answer === undefined ? undefined : takeCondition(this.context.registry, table, answer, hook);
  }

  planned({ table, name, hook }: HookedTable, taken: RowCondition): Condition {
    const key = `${table.field} ${taken.shape}`;
    const before = this.#planned.get(key);
    if (before !== undefined) return before.condition;
    const { context } = this;
    const filter = conditionFilter(context.registry, table, taken, hook);
    try {
      // Conditions see all rows: one of them may go through the table of another.
      const condition = planFilter(filter, table, { ...context, rowFilter: undefined });
      this.#planned.set(key, { table: name, given: taken.given, condition });
      return condition;
    } catch (error) {
      throw error instanceof ServerError ? unusable(hook, error.message.replace(/\.$/, ''), error) : error;
    }
  }
}

class RequestConditions implements RowFilter {
  readonly conditions = new Map<string, unknown>();
  readonly #taken = new Map<string, RowCondition | undefined>();
  /** The tables with a hook that the statement which is being made reads. */
  #read = new Set<Table>();

  constructor(
    private readonly known: KnownConditions,
    private readonly identity: Identity,
  ) {}

  condition(table: Table): Condition | undefined {
    const hooked = this.known.hookOf(table);
    if (hooked === undefined) return undefined;
    this.#read.add(hooked.table);
    const taken = this.#take(hooked);
    return taken === undefined ? undefined : this.known.planned(hooked, taken);
  }

  shape(table: Table): string | undefined {
    const hooked = this.known.hookOf(table);
    return hooked === undefined ? undefined : this.#take(hooked)?.shape;
  }

  /**
   * The tables that a statement reads are known when it was made once. Conditions of some
   * identities may lead to more tables than those of others: the tables of all are asked then.
   */
  kept<T extends object>(cache: ShapeCache<T>, shape: string, make: () => T): T {
    const { tables } = this.known;
    const before = tables.get(shape) ?? [];
    const found = cache.get(this.#key(shape, before));
    if (found !== undefined) return found;
    this.#read = new Set(before);
    const made = make();
    const read = [...this.#read].sort((one, other) => (one.field < other.field ? -1 : 1));
    tables.set(shape, read);
    cache.set(this.#key(shape, read), made);
    return made;
  }

  #key(shape: string, tables: readonly Table[]): string {
    return tables.reduce((key, table) => `${key}\0${table.field}${this.shape(table) ?? ''}`, shape);
  }

  #take(hooked: HookedTable): RowCondition | undefined {
    const { field } = hooked.table;
    if (this.#taken.has(field)) return this.#taken.get(field);
    const taken = this.known.take(hooked, this.identity);
    this.#taken.set(field, taken);
    if (taken !== undefined) this.conditions.set(field, taken.given);
    return taken;
  }
}
