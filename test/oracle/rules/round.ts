import { connectAgent } from '../../runtime/mcp/support/agent.js';
import { onMysql, onPostgres, type Ruled, type Who } from '../../runtime/rules/support/ruled.js';
import { Random } from '../random.js';
import { unlike, type Answer } from '../round.js';
import type { DatabaseName, OracleColumn, OracleTable } from '../schema.js';
import type { Shape } from './documents.js';
import { createQuestions, type Asked, type Question } from './questions.js';
import { readRelations } from './relations.js';
import { linking, me, randomRuled, type RuledTables } from './schema.js';
import { unruledStatements } from './statements.js';

export interface RulesRound {
  readonly database: DatabaseName;
  readonly seed: number;
  readonly requests: number;
}

/** How many answers had a status, by the door that the request took. */
export type RulesReport = ReadonlyMap<string, number>;

/** A server, and the ways into it. */
interface Side extends Asked {
  readonly served: Ruled;
  /** The ways of a request without a token. */
  readonly anonymous: Asked;
}

const who: Who = { sub: me };
/** What only hidden rows have. */
const hiddenText = /hidden \d/;
/** What any row has that was there at the beginning. */
const anyText = /(?:hidden|text) \d/;

/**
 * Sends random requests as an identity to a server with rules, and to a server without rules whose
 * database lacks the hidden rows and columns. Compares the answers, and after writes the rows; the
 * hidden rows stay as they are, but for those that a foreign key deletes with a row of the caller.
 * @throws Error for a difference, with the command that repeats it
 */
export async function runRulesRound({ database, seed, requests }: RulesRound): Promise<RulesReport> {
  const random = new Random(seed);
  const made = randomRuled(random, database);
  const ruled = await open(database, made.ruled, made.rules);
  const copy = await open(database, made.copy, () => ({})).catch((error: unknown) => close(ruled, error));
  const counts = new Map<string, number>();
  let number = 0;
  try {
    const shapes = await shapesOf(ruled, made.tables);
    const next = createQuestions(random, made.tables, shapes, database);
    const before = new Set(await rowsOf(ruled, made.hidden));
    for (number = 1; number <= requests; number += 1) {
      const question = next();
      const { door, text, writes, ask } = question;
      const [one, other] = await Promise.all([ask(ruled), ask(copy)]);
      const kind = `${door} ${String(one.status)}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const problem =
        (hiddenText.test(one.text) ? `a hidden value: ${one.text}` : undefined) ??
        difference(one, other) ??
        (writes ? await changedRows(made, before, ruled, copy) : await withoutToken(ruled, question, one));
      if (problem === undefined) continue;
      const again = `npm run oracle -- --database=${database} --seed=${String(seed)} --requests=${String(number)}`;
      throw new Error(
        `${database}, seed ${String(seed)}, question ${String(number)}: ${text}\n${problem}\nAgain: ${again}`,
      );
    }
    const [unruled] = unruledStatements(ruled.served.log(), new Set([...tablesOf(made), linking]));
    if (unruled !== undefined)
      throw new Error(`${database}, seed ${String(seed)}: a statement without a rule: ${unruled}`);
    return counts;
  } finally {
    await close(ruled);
    await close(copy);
  }
}

const tablesOf = ({ tables }: RuledTables): readonly string[] => tables.flatMap(({ name }) => [name, `${name}_view`]);

async function close(side: Side): Promise<void>;
async function close(side: Side, failure: unknown): Promise<never>;
async function close({ agent, anonymous, served }: Side, failure?: unknown): Promise<void> {
  await agent.close();
  await anonymous.agent.close();
  await served.stop();
  if (failure !== undefined) throw failure as Error;
}

async function open(database: DatabaseName, sql: string, rules: RuledTables['rules']): Promise<Side> {
  const served = await (database === 'postgres' ? onPostgres : onMysql)({
    name: 'oracle_rules',
    sql,
    rules,
    ...(database === 'postgres' ? { config: { functions: ['shop.*'] } } : {}),
    environment: {
      APP_REST_POSTGREST: '/rest/v1',
      APP_MAX_ROWS: '200',
      APP_MCP: 'true',
      APP_MCP_WRITES: 'true',
      APP_LOG_LEVEL: 'warn',
      APP_LOG_SLOW_STATEMENT_MS: '0',
      APP_GRAPHQL_MAX_DEPTH: '30',
      APP_GRAPHQL_MAX_ESTIMATED_ROWS: '2000000000',
    },
  });
  const asked = async (identity: Who): Promise<Asked> => {
    const headers = await served.headersOf(identity);
    return { base: served.base, agent: await connectAgent(served.base, headers), headers };
  };
  return { served, ...(await asked(who)), anonymous: await asked(null) };
}

async function shapesOf({ served }: Side, tables: readonly OracleTable[]): Promise<readonly Shape[]> {
  const key = (name: string): OracleColumn => ({ name, kind: 'int', required: true, hasDefault: false, unique: false });
  const all: readonly Pick<Shape, 'table' | 'hasKey'>[] = [
    ...tables.map((table) => ({ table, hasKey: true })),
    ...tables.map((table) => ({ table: { ...table, name: `${table.name}_view` }, hasKey: false })),
    { table: { name: linking, columns: [key('one_id'), key('two_id')] }, hasKey: false },
  ];
  const types = all.map(({ table }) => typeOf(table.name));
  const found = await readRelations((query) => served.ask(who, query), types);
  return all.flatMap((each, at) => (found[at] === undefined ? [] : [{ ...each, ...found[at] }]));
}

const typeOf = (table: string): string => table.replace(/(?:^|_)([a-z])/g, (_, first: string) => first.toUpperCase());

/** What somebody without a token sees of rows that all have an owner, or the error that this is. */
async function withoutToken({ anonymous }: Side, { door, ask }: Question, known: Answer): Promise<string | undefined> {
  const answer = await ask(anonymous);
  if (anyText.test(answer.text)) return `without a token: ${answer.text}`;
  // REST has errors for rows that are not there.
  const hasError = door.toLowerCase().includes('graphql') && codesOf(known) === '' && codesOf(answer) !== '';
  return hasError ? `without a token: ${answer.text}` : undefined;
}

/** Errors are compared by status and code: their texts may list what the schema has. */
function difference(one: Answer, other: Answer): string | undefined {
  const [shown, expected] = [one, other].map((each) => {
    const code = codesOf(each);
    return code === '' ? each : { ...each, headers: {}, text: code };
  });
  if (shown === undefined || expected === undefined) return undefined;
  // Without rules one statement updates, which refuses a value also where it finds no row.
  if (one.status < 300 && expected.text.startsWith('22')) return undefined;
  return unlike(shown, expected, 'with rules', 'without hidden rows');
}

const codesOf = ({ status, text }: Answer): string =>
  status >= 400 || text.startsWith('{"errors"') || text.includes('"errors":[')
    ? [...text.matchAll(/"code": ?"(\w+)"/g)].map(([, code]) => code).join()
    : '';

async function rowsOf({ served }: Side, statements: readonly string[]): Promise<readonly string[]> {
  const rows: string[] = [];
  for (const sql of statements) {
    const found = await served.rows(sql);
    rows.push(...found.map((row) => `${/from (\S+)/.exec(sql)?.[1] ?? ''} ${JSON.stringify(row)}`));
  }
  return rows;
}

async function changedRows(
  made: RuledTables,
  before: ReadonlySet<string>,
  ruled: Side,
  copy: Side,
): Promise<string | undefined> {
  const all = made.visible.map((sql) => sql.replace(/ where .*(?= order by)/, ''));
  const [mine, expected, hidden] = [
    await rowsOf(ruled, made.visible),
    await rowsOf(copy, all),
    await rowsOf(ruled, made.hidden),
  ];
  const changed = hidden.filter((row) => !before.has(row));
  if (changed.length > 0) return `hidden rows changed: ${changed.join('\n')}`;
  const [extra, lacking] = [
    mine.filter((row) => !expected.includes(row)),
    expected.filter((row) => !mine.includes(row)),
  ];
  return extra.length + lacking.length === 0
    ? undefined
    : `rows with rules: ${extra.join('\n')}\nrows without: ${lacking.join('\n')}`;
}
