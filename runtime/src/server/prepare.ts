import type { Registry } from '../descriptor/registry.js';
import type { Dialect } from '../dialect/dialect.js';
import type { Statement } from '../plan/statement.js';
import type { PlanContext, RowFilter } from '../plan/context.js';
import type { Intent } from '../plan/intent.js';
import { planIntent } from '../plan/read/plan-intent.js';
import type { Plan } from '../plan/read/plan.js';
import { usedNames } from '../plan/used-names.js';

/**
 * `Services.prepare`: Intent → Plan → Statement. Pure; callers keep the statement by the request's
 * shape.
 */
export function createPrepare(
  context: PlanContext & { readonly dialect: Dialect },
): (intent: Intent, rowFilter?: RowFilter) => Statement {
  const { dialect, registry } = context;
  const views = viewsOf(registry);
  return (intent, rowFilter) => {
    const plan = planIntent(intent, rowFilter === undefined ? context : { ...context, rowFilter });
    const compiled = dialect.compileRead(plan, registry);
    const check = checkOf(plan);
    // Copied only if there is a check: on MySQL, `text` may change once the server has said its
    // version, and a copy would keep the first text.
    const statement = check.check === undefined ? compiled : { ...compiled, ...check };
    return views.size > 0 && readsView(intent, registry, views) ? ofView(statement) : statement;
  };
}

/**
 * GraphQL connections check their page arguments in each request, whether or not the statement uses
 * them.
 */
function checkOf(plan: Plan): Pick<Statement, 'check'> {
  const fields = plan.kind === 'document' ? plan.fields : [];
  const checks = fields.flatMap((field) => (field.kind === 'connection' ? [field.connection.check] : []));
  if (checks.length === 0) return {};
  return {
    check: (inputs) => {
      for (const check of checks) check(inputs);
    },
  };
}

const viewsOf = ({ tables }: Registry): ReadonlySet<string> =>
  new Set(tables.filter(({ kind }) => kind === 'view').map(({ schema, name }) => `${schema}.${name}`));

const readsView = (intent: Intent, registry: Registry, views: ReadonlySet<string>): boolean =>
  [...usedNames(intent, registry).keys()].some((name) => views.has(name));

const ofView = (statement: Statement): Statement => ({
  ...statement,
  readsView: true,
  ...(statement.estimate && {
    estimate: { ...statement.estimate, statement: { ...statement.estimate.statement, readsView: true } },
  }),
});
