import { BoundedCache } from '../bounded-cache.js';
import { boundsOf } from '../descriptor/cache-bounds.js';
import type { Table } from '../descriptor/registry.js';
import type { Identity } from '../dialect/driver.js';
import type { AnyTableHooks } from '../execute/hooks/table-hooks.js';
import type { Services } from '../execute/services.js';
import type { PlanContext, RowFilter, ShapeCache } from '../plan/context.js';
import type { Condition } from '../plan/read/plan.js';
import { allOf, planFilter } from '../plan/read/filters.js';
import type { Unread } from './unread.js';
import { compileRules, type RuledTable, type TableRule } from './row-rules.js';
import {
  conditionFilter,
  takeCondition,
  unusable,
  type RowCondition,
} from '../request/graphql/arguments/row-condition.js';
import { ServerError } from '../errors.js';

/** Conditions of different shapes that are kept planned. */
const MAX_KEPT = 1000;

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

/** A table whose rows or columns are limited. */
interface LimitedTable {
  readonly table: Table;
  readonly hooked: HookedTable | undefined;
  readonly rule: TableRule | undefined;
}

/** The conditions of the hooks `onRead`, and the rules of the configuration. */
export interface RowHooks {
  /** Undefined for an identity that reads all rows and columns. */
  readonly rowFilter: (identity: Identity) => RowFilter | undefined;
  /** One for each form that the hooks have answered so far. */
  readonly known: () => readonly KnownCondition[];
  /**
   * Takes conditions that the hooks have answered to another state of the database.
   * @throws ServerError `misconfigured` for one that cannot be used with this state
   */
  readonly check: (conditions: readonly KnownCondition[]) => void;
}

/**
 * Undefined if no table has such a hook or a rule, and roles have no grants on columns.
 * @param unread the columns that roles may not read
 * @throws ServerError `misconfigured` for a rule that cannot be used with this database
 */
export function createRowHooks(context: Context, unread?: Unread): RowHooks | undefined {
  const { registry, hooks: given = {} } = context;
  const hooked = registry.tables.flatMap((table): (readonly [string, HookedTable])[] => {
    const name = `${table.schema}.${table.name}`;
    const of = given[name];
    return of?.onRead === undefined ? [] : [[table.field, { table, name, of, hook: `hooks['${name}'].onRead` }]];
  });
  const rules = compileRules(context);
  const isLimited = hooked.length > 0 || rules.size > 0;
  if (!isLimited && unread === undefined) return undefined;
  const hooks = new Map(hooked);
  const limited = registry.tables.flatMap((table): (readonly [string, LimitedTable])[] => {
    const limits = { hooked: hooks.get(table.field), rule: rules.get(table.field) };
    return limits.hooked === undefined && limits.rule === undefined ? [] : [[table.field, { table, ...limits }]];
  });
  const known = new KnownConditions(context, new Map(limited), unread);
  return {
    rowFilter: (identity) =>
      isLimited || unread?.concerns(identity) === true ? new RequestConditions(known, identity) : undefined,
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
  /** By the shape of a request: the limited tables that it reads or writes. */
  readonly tables: BoundedCache<readonly Table[]>;
  readonly #planned = new BoundedCache<Planned>({ max: MAX_KEPT });

  constructor(
    private readonly context: Context,
    private readonly limited: ReadonlyMap<string, LimitedTable>,
    readonly unread: Unread | undefined,
  ) {
    this.tables = new BoundedCache({
      ...boundsOf(context.registry, 8000, 1000),
      sizeCalculation: (tables, shape) => shape.length + tables.length + 1,
    });
  }

  limitsOf({ field }: Table): LimitedTable | undefined {
    return this.limited.get(field);
  }

  all(): readonly KnownCondition[] {
    return [...this.#planned.values()].map(({ table, given }) => ({ table, given }));
  }

  check({ table: name, given }: KnownCondition): void {
    const hooked = [...this.limited.values()].find((each) => each.hooked?.name === name)?.hooked;
    if (hooked === undefined) return;
    this.planned(
      hooked,
      takeCondition(this.context.registry, hooked.table, given, (what) => unusable(hooked.hook, what)),
    );
  }

  take({ table, name, hook, of }: HookedTable, identity: Identity): RowCondition | undefined {
    const answer = of.onRead?.({ table: name, identity });
    if (answer === undefined) return undefined;
    return takeCondition(this.context.registry, table, answer, (what) => unusable(hook, what));
  }

  planned({ table, name, hook }: HookedTable, taken: RowCondition): Condition {
    const key = `${table.field} ${taken.shape}`;
    const before = this.#planned.get(key);
    if (before !== undefined) return before.condition;
    const { context } = this;
    try {
      const filter = conditionFilter(context.registry, table, taken, hook);
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
  readonly #ruled = new Map<string, RuledTable>();
  /** The limited tables that the statement which is being made reads or writes. */
  #read = new Set<Table>();

  constructor(
    private readonly known: KnownConditions,
    private readonly identity: Identity,
  ) {}

  condition(table: Table): Condition | undefined {
    const limits = this.#limits(table);
    const taken = this.#take(limits?.hooked);
    const asked =
      taken === undefined || limits?.hooked === undefined ? undefined : this.known.planned(limits.hooked, taken);
    return allOf([this.#rule(limits?.rule)?.read, asked]);
  }

  written(table: Table): Condition | undefined {
    return this.#rule(this.#limits(table)?.rule)?.write;
  }

  hidden(table: Table): ReadonlySet<string> | undefined {
    return this.#rule(this.#limits(table)?.rule)?.hidden;
  }

  unread(table: Table): ReadonlySet<string> | undefined {
    return this.known.unread?.of(table, this.identity);
  }

  shape(table: Table): string | undefined {
    const limits = this.known.limitsOf(table);
    const rule = this.#rule(limits?.rule)?.shape;
    const asked = this.#take(limits?.hooked)?.shape;
    return rule === undefined ? asked : `${rule}${asked ?? ''}`;
  }

  /** A statement that is being made depends on the limits of the table. */
  #limits(table: Table): LimitedTable | undefined {
    const limits = this.known.limitsOf(table);
    if (limits !== undefined) this.#read.add(limits.table);
    return limits;
  }

  #rule(rule: TableRule | undefined): RuledTable | undefined {
    if (rule === undefined) return undefined;
    const { field } = rule.table;
    const known = this.#ruled.get(field);
    if (known !== undefined) return known;
    const ruled = rule.of(this.identity);
    this.#ruled.set(field, ruled);
    for (const [key, values] of ruled.values) this.conditions.set(key, values);
    return ruled;
  }

  /**
   * The tables that a statement reads are known when it was made once. Conditions of some
   * identities may lead to more tables than those of others: the tables of all are asked then. A
   * role that reads tables in part has statements of its own.
   */
  kept<T extends object>(cache: ShapeCache<T>, asked: string, make: () => T): T {
    const { tables, unread } = this.known;
    const shape = unread?.concerns(this.identity) === true ? `${asked}\0${unread.keyOf(this.identity)}` : asked;
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

  #take(hooked: HookedTable | undefined): RowCondition | undefined {
    if (hooked === undefined) return undefined;
    const { field } = hooked.table;
    if (this.#taken.has(field)) return this.#taken.get(field);
    const taken = this.known.take(hooked, this.identity);
    this.#taken.set(field, taken);
    if (taken !== undefined) this.conditions.set(field, taken.given);
    return taken;
  }
}
