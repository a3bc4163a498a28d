import type { IncomingMessage } from 'node:http';
import {
  codes,
  restForm,
  runStatement,
  ServerError,
  toServerError,
  type BoundStatement,
  type ConsoleSource,
  type Identity,
  type RowFilter,
  type Table,
} from '@tablewright/runtime/console';
import type { RowExplanation, TestedPolicy } from './console-model.js';

/** Milliseconds that each statement of an explanation may take. */
const timeout = 2_000;

/** The row that is asked for. */
interface Asked {
  readonly source: ConsoleSource;
  readonly table: Table;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/**
 * Why a caller does not see a row. The row is read as the role that the server connects as, or as
 * the user of the address. Policies are evaluated for that row as the caller: their subqueries find
 * what the caller may see. Each statement is read only. Decision 050.
 * @param key the values of the table's primary key, as text
 * @throws ServerError 400 for a key that the table does not have
 */
export async function explainRow(
  source: ConsoleSource,
  table: Table,
  key: readonly string[],
  request: IncomingMessage,
): Promise<RowExplanation> {
  const { services, registry } = source;
  const columns = table.primaryKey?.columns ?? table.rowKey ?? [];
  if (columns.length === 0 || columns.length !== key.length)
    throw new ServerError(
      400,
      codes.malformedParameter,
      `The key of ${table.name} has ${String(columns.length)} values.`,
    );
  const identity = await services.authenticate(request);
  const asked: Asked = { source, table, columns, key };
  const filter = services.rowFilter?.(identity);
  const read = await finds(asked, identity, filter).catch((error: unknown) => {
    const { kind, status, code, message } = toServerError(error, services.dialect);
    if (kind === 'invalidValue') throw new ServerError(400, code, message);
    if (status === 503) throw error;
    return message;
  });
  const sees = read === true;
  // Without policies the server itself sees all rows.
  const facts =
    services.dialect.name === 'PostgreSQL' ? await factsOf(asked, identity) : { exists: await finds(asked, {}) };
  const exists = facts.exists ?? (sees ? true : undefined);
  const isLimited = filter?.condition(table) !== undefined;
  return {
    ...facts,
    sees,
    ...(typeof read === 'string' ? { problem: read } : {}),
    ...(exists === undefined ? {} : { exists }),
    ...(isLimited
      ? {
          rule: {
            text: JSON.stringify(registry.rules?.[`${table.schema}.${table.name}`]),
            holds: await ruleHolds(asked, [{}, identity], filter),
          },
        }
      : {}),
  };
}

/** Whether a rule or a hook lets the row through, asked as somebody who sees the row without it. */
async function ruleHolds(asked: Asked, callers: readonly Identity[], filter: RowFilter | undefined) {
  for (const each of callers)
    if (await finds(asked, each).catch(() => false)) return finds(asked, each, filter).catch(() => undefined);
  return undefined;
}

/** Whether a read by key finds the row. */
async function finds(
  { source: { services }, table, columns, key }: Asked,
  identity: Identity,
  filter?: RowFilter,
): Promise<boolean> {
  const [first = ''] = columns;
  const intent = {
    kind: 'row',
    read: {
      table,
      select: [{ kind: 'column', as: first, column: first }],
      where: {
        kind: 'and',
        filters: columns.map((column, at) => ({
          kind: 'compare' as const,
          column,
          operator: 'eq',
          values: [{ read: () => key[at], form: 'text' as const }],
        })),
      },
      form: restForm,
    },
  } as const;
  const statement = services.prepare(intent, filter);
  return (await runStatement(services.driver, statement, [], identity, { timeout }, filter)).length > 0;
}

/** What PostgreSQL decides about the row. */
async function factsOf(asked: Asked, identity: Identity): Promise<Partial<RowExplanation>> {
  const { services } = asked.source;
  const { schema, name } = asked.table;
  const run = (text: string, values: readonly string[]) =>
    services.driver.run([{ text, values }], { identity, timeout });
  const [[role = null, usage = null, select = null, active = null] = []] = await run(grants, [schema, name]);
  const policies = await run(policiesOf, [schema, name]);
  const row = await rowText(asked);
  const place = `${quoted(schema)}.${quoted(name)}`;
  const test = async (using: string): Promise<Pick<TestedPolicy, 'value' | 'problem'>> => {
    // The alias and the row type are those of the table, so that every reference to them holds.
    const text = `select (${using})::text from unnest(array[$1::text::${place}]) as ${quoted(name)}`;
    try {
      const [[value] = []] = await run(text, [row ?? '']);
      return { value: value === 'true' ? true : value === 'false' ? false : null };
    } catch (error) {
      return { problem: toServerError(error, services.dialect).message };
    }
  };
  const tested: TestedPolicy[] = [];
  for (const [policy, permissive, roles, applies, using] of policies)
    tested.push({
      name: policy ?? '',
      permissive: permissive === 'true',
      roles: roles ?? '',
      applies: applies === 'true',
      using: using ?? 'true',
      ...(typeof row === 'string' ? await test(using ?? 'true') : {}),
    });
  return {
    ...(row === undefined ? {} : { exists: row !== null }),
    role: role ?? '',
    grants: { schema: usage === 'true', table: select === 'true' },
    rowSecurity: active === 'true',
    policies: tested,
  };
}

/** The row past all policies; null if there is none, undefined where no role is able to see it. */
async function rowText({ source: { services, settings }, table, columns, key }: Asked) {
  const where = columns.map((column, at) => `${quoted(column)} = $${String(at + 1)}`).join(' and ');
  const text = `select t::text from ${quoted(table.schema)}.${quoted(table.name)} t where ${where}`;
  try {
    // Where policies hold for the role, the statement fails, and does not answer fewer rows.
    const [[row] = []] = await services.driver.run([pastPolicies(true), { text, values: [...key] }], { timeout });
    return row ?? null;
  } catch (error) {
    if (toServerError(error, services.dialect).status !== 403) throw error;
  }
  const url = settings['app.datasource.url'];
  if (url === undefined || settings['app.datasource.username'] === undefined) return undefined;
  const owner = await services.dialect.connect(url);
  try {
    await owner.query(`set statement_timeout = ${String(timeout)}`);
    await owner.query(pastPolicies(false).text);
    const [found] = await owner.query(text, key);
    return found === undefined ? null : String(found['t']);
  } catch {
    return undefined;
  } finally {
    await owner.close();
  }
}

/** @param isLocal until the end of the transaction, for connections that others use, too */
const pastPolicies = (isLocal: boolean): BoundStatement => ({
  text: `select set_config('row_security', 'off', ${String(isLocal)})`,
  values: [],
});

const relation = `(select c.oid from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = $1 and c.relname = $2)`;

const grants = `
  select current_user::text, has_schema_privilege($1::text, 'usage')::text,
    (has_table_privilege(t.oid, 'select') or has_any_column_privilege(t.oid, 'select'))::text,
    row_security_active(t.oid)::text
  from (values (${relation})) t (oid)`;

/** Source: PostgreSQL manual, "CREATE POLICY": those that decide which rows a SELECT reads. */
const policiesOf = `
  select p.polname, p.polpermissive::text,
    coalesce((select string_agg(r.rolname, ', ' order by r.rolname) from pg_roles r where r.oid = any (p.polroles)), 'public'),
    exists (select from unnest(p.polroles) r (oid) where r.oid = 0 or pg_has_role(r.oid, 'usage'))::text,
    pg_get_expr(p.polqual, p.polrelid)
  from pg_policy p
  where p.polrelid = ${relation} and p.polcmd in ('r', '*')
  order by p.polpermissive desc, p.polname`;

const quoted = (name: string): string => `"${name.replace(/"/g, '""')}"`;
