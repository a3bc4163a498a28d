import { codes, ServerError } from '../errors.js';
import type { Driver, RunOptions } from '../dialect/driver.js';
import type { Dialect } from '../dialect/dialect.js';
import type { BoundStatement, PlanOptions, RawRow } from '../plan/statement.js';

/** A driver that runs no statement, and the plan that it asked for. */
export interface PlanDriver {
  readonly driver: Driver;
  /** Undefined until a statement was to be run. */
  readonly plan: () => string | undefined;
  /** The statements that it is the plan of. */
  readonly statements: () => readonly BoundStatement[];
}

/** Ends the work that a statement was for: without its result the work cannot continue. */
class Planned extends Error {
  override readonly name = 'Planned';
}

/**
 * A driver for one request. Instead of running the first statement, it asks the database for its
 * plan, and then throws. Nothing is kept, even if the statement had to run for its plan.
 * @param readTimeout milliseconds that a read may take: a transaction would have the limit of
 * writes
 */
export function createPlanDriver(
  { planOf }: Pick<Dialect, 'planOf'>,
  driver: Driver,
  options: PlanOptions,
  readTimeout: number,
): PlanDriver {
  let plan: string | undefined;
  let explained: readonly BoundStatement[] = [];
  const planned =
    (run: Driver['run']): Driver['run'] =>
    async (statements) => {
      explained = statements;
      plan = textOf(await run(statements.map((each) => planOf?.(each, options) ?? noSuchPlan())));
      throw new Planned('the plan is known');
    };
  return {
    driver: {
      ...driver,
      run: (statements, asked: RunOptions = {}) => {
        const bounds = asked.write === true ? asked : { timeout: readTimeout, ...asked };
        return driver.transaction((run) => planned(run)(statements), bounds);
      },
      transaction: (work, asked) => driver.transaction((run, custom) => work(planned(run), custom), asked),
    },
    plan: () => plan,
    statements: () => explained,
  };
}

const textOf = (rows: readonly RawRow[]): string =>
  rows.map((row) => row.map((column) => column ?? '-').join(' | ')).join('\n');

const noSuchPlan = (): BoundStatement => {
  throw new ServerError(406, codes.notAcceptable, 'This database has no such plan.', {
    hint: 'It has plans without options.',
  });
};
