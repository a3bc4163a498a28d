import { BoundedCache } from '../../bounded-cache.js';
import { boundsOf } from '../../descriptor/cache-bounds.js';
import type { Table } from '../../descriptor/registry.js';
import { numberForEach } from '../../once-for-each.js';
import type { PlanContext } from '../../plan/context.js';
import type { Statement } from '../../plan/statement.js';
import { planKeyedRows, planMatchingRows, type HookRowsPlan } from '../../plan/write/hook-rows.js';
import { planWrite } from '../../plan/write/plan-write.js';
import type { RoutineIntent, RowsShape, WriteIntent } from '../../plan/write/write-intent.js';
import type { WriteProgram } from '../../plan/write-program.js';
import type { PreparedWrite } from '../prepared-write.js';
import type { Services } from '../services.js';
import { compileWrite } from '../write-plans.js';

type RowsIntent = Exclude<WriteIntent, RoutineIntent>;

/**
 * What hooks need compiled, kept by the shape of the request and of the rows that the hooks
 * answered: a second equal request compiles nothing.
 */
export class HookStatements {
  readonly #programs: BoundedCache<WriteProgram>;
  readonly #statements: BoundedCache<Statement>;

  constructor(private readonly services: Services) {
    this.#programs = new BoundedCache(boundsOf(services.registry, 1000, 8000));
    this.#statements = new BoundedCache(boundsOf(services.registry, 1000, 8000));
  }

  /** @param changed the write with the columns that the hooks answered */
  program(prepared: PreparedWrite, changed: RowsIntent, context: PlanContext): WriteProgram {
    const shape = changed.kind === 'delete' ? '' : JSON.stringify(shapeOf(changed));
    return kept(this.#programs, `${String(numberOf(prepared))} ${shape}`, () =>
      compileWrite(this.services, planWrite(changed, { ...context, isCustom: true })),
    );
  }

  /** The rows that an update or a delete is about, before it. Those of an update are locked. */
  matching(prepared: PreparedWrite, context: PlanContext): Statement | undefined {
    const { intent } = prepared;
    if (intent.kind !== 'update' && intent.kind !== 'delete') return undefined;
    return kept(this.#statements, String(numberOf(prepared)), () =>
      this.#compiled(planMatchingRows(intent.table, intent.where, intent.kind === 'update', context)),
    );
  }

  /** Rows by their keys. Undefined where the table has none. */
  keyed(table: Table): Statement | undefined {
    const plan = planKeyedRows(table);
    return plan && kept(this.#statements, `${table.schema}.${table.name}`, () => this.#compiled(plan));
  }

  #compiled(plan: HookRowsPlan): Statement {
    return this.services.dialect.compileHookRows(plan, this.services.registry);
  }
}

const numberOf = numberForEach();

const kept = <V extends object>(cache: BoundedCache<V>, id: string, make: () => V): V =>
  cache.getOrMake(id, 4000 + id.length, make);

/** The rest of the write follows from the prepared one. */
const shapeOf = ({ columns, keySets = [], nested = [] }: Partial<RowsShape>): unknown => [
  columns?.map(({ column }) => column),
  keySets,
  nested.map((each) => [each.relation, each.key, shapeOf(each)]),
];
