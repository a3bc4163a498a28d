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
  const code = codeOf(registry);
  return (intent, rowFilter) => {
    const plan = planIntent(intent, rowFilter === undefined ? context : { ...context, rowFilter });
    const compiled = dialect.compileRead(plan, registry);
    const check = checkOf(plan);
    // Copied only if there is a check: on MySQL, `text` may change once the server has said its
    // version, and a copy would keep the first text.
    const statement = check.check === undefined ? compiled : { ...compiled, ...check };
    return code.size > 0 && runsCode(intent, registry, code, rowFilter !== undefined) ? asCode(statement) : statement;
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

/**
 * What runs code of the database where a read names it: views and functions as a whole, tables by
 * the names of their computed fields.
 */
type Code = ReadonlyMap<string, 'all' | ReadonlySet<string>>;

function codeOf({ tables, functions, callable = [] }: Registry): Code {
  const key = ({ schema, name }: { readonly schema: string; readonly name: string }): string => `${schema}.${name}`;
  const code = new Map<string, 'all' | ReadonlySet<string>>();
  for (const table of tables) {
    const { kind, computed = [] } = table;
    if (kind === 'view') code.set(key(table), 'all');
    else if (computed.length > 0) code.set(key(table), new Set(computed.map(({ name }) => name)));
  }
  for (const each of [...functions.values(), ...callable]) code.set(key(each), 'all');
  return code;
}

/** @param isFiltered by conditions of rules and hooks, which may be of computed fields */
const runsCode = (intent: Intent, registry: Registry, code: Code, isFiltered: boolean): boolean =>
  (isFiltered && [...code.values()].some((found) => found !== 'all')) ||
  [...usedNames(intent, registry)].some(([key, names]) => {
    const found = code.get(key);
    return found === 'all' || (found !== undefined && [...names].some((name) => found.has(name)));
  });

const asCode = (statement: Statement): Statement => ({
  ...statement,
  runsCode: true,
  ...(statement.estimate && {
    estimate: {
      ...statement.estimate,
      statement: { ...statement.estimate.statement, runsCode: true },
      ...(statement.estimate.instead && { instead: { ...statement.estimate.instead, runsCode: true } }),
    },
  }),
});
