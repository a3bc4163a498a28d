import { codes, ServerError } from '../../errors.js';
import { createPlanDriver } from '../../execute/plan-driver.js';
import type { Services } from '../../execute/services.js';
import { WriteRunner, type BoundWrite, type WriteOutcome } from '../../execute/write-runner.js';
import { unsupported } from '../../plan/refuse.js';
import { askedPlan } from '../../request/rest/grammar/asked-plan.js';
import type { BoundStatement } from '../../plan/statement.js';
import { planAnswer } from './answer/plan.js';
import type { ExchangeParts } from '../../endpoint/rest/exchange.js';

type Answer = (parts: ExchangeParts) => Promise<void>;

/** Answers a request with its plan, where it asks for one. */
export type RespondPlan = (parts: ExchangeParts, answer: Answer) => Promise<void>;

/**
 * The plan of a request takes the same way as the request, up to its statement. Source: PostgREST,
 * "Execution plan".
 */
export const planResponder =
  ({ dialect, settings }: Pick<Services, 'dialect' | 'settings'>): RespondPlan =>
  async (parts, answer) => {
    const asked = askedPlan(parts.given.accept);
    if (asked === undefined) return answer(parts);
    if (isLimited(parts)) throw plansReveal();
    const readTimeout = settings['app.datasource.statement-timeout-ms'];
    const { driver, plan, statements } = createPlanDriver(dialect, parts.services.driver, asked, readTimeout);
    const services = { ...parts.services, driver };
    const writes = { ...parts.writes, runner: new PlannedWrites(services) };
    try {
      await answer({ ...parts, services, writes, given: { ...parts.given, accept: asked.form } });
    } catch (error) {
      const text = plan();
      if (text === undefined) throw error;
      const body = asked.withStatement === true && asked.format === 'json' ? withStatement(text, statements()) : text;
      await parts.deliver(parts.request, parts.response, planAnswer(body, asked), parts.headers);
    }
  };

/** Whether a rule or a hook hides rows of any table from the caller. */
function isLimited({ services: { rowFilter, registry }, identity }: ExchangeParts): boolean {
  const filter = rowFilter?.(identity);
  return filter !== undefined && registry.tables.some((table) => filter.condition(table) !== undefined);
}

const plansReveal = (): ServerError =>
  new ServerError(403, codes.refused, 'A plan reveals rows that the rules of this server hide from the caller.', {
    hint: 'Ask as a role whose rules show all rows.',
  });

/** The console shows a statement beside its plan. The text of the plan is JSON. */
const withStatement = (plan: string, statements: readonly BoundStatement[]): string =>
  `{"statements":${JSON.stringify(statements.map(({ text, values }) => ({ text, values })))},"plan":${plan}}`;

/** Plans writes that are one statement, as the client sent them. */
class PlannedWrites extends WriteRunner {
  override run(...[writes, identity, options]: Parameters<WriteRunner['run']>): Promise<WriteOutcome> {
    const at = writes.findIndex(hasNoPlan);
    if (at >= 0) return Promise.resolve({ kind: 'failed', at, error: noPlan() });
    return super.run(writes, identity, options);
  }

  override inTransaction(): Promise<never> {
    return Promise.reject(noPlan());
  }
}

/** Hooks decide about their write while they run, and rows inside rows about each other. */
const hasNoPlan = ({ prepared: { hooked, program } }: BoundWrite): boolean =>
  hooked || program.statement === undefined || 'perform' in program.statement;

const noPlan = () =>
  unsupported('This write has no plan: it is several statements, or hooks of the server decide about it.');
