import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { bindStatement } from '../../../runtime/src/execute/run-statement.js';
import type { Statement } from '../../../runtime/src/plan/statement.js';
import type { Filter, Intent, Order, ReadIntent, Value } from '../../../runtime/src/plan/intent.js';
import { graphqlForm, restForm } from '../../../runtime/src/plan/intent-form.js';
import { operators } from '../../../runtime/src/plan/operators.js';
import { documentText } from '../../../runtime/src/dialect/document-text.js';
import { columns, compare, json, raw, read, settingsWith } from '../../support/intents.js';
import { createFilledDatabase, loadSql, type TestDatabase } from '../../support/postgres.js';
import { boardRegistry, boardSql } from '../../support/registry.js';

const prepare = createPrepare({ registry: boardRegistry, settings: settingsWith(), dialect: postgres });
const rows = (rest: Partial<ReadIntent>): Intent => ({
  kind: 'rows',
  read: read('kanbanIssues', columns('id'), { form: restForm, ...rest }),
  count: 'none',
  format: 'json',
});
const input = (at: number): Value => ({ read: (inputs) => (inputs as readonly unknown[])[at], form: 'text' });
const newest: Order = { by: { kind: 'column', column: 'created_at' }, direction: 'desc' };

test('every operator of the table has SQL', () => {
  expect([...postgres.operators].sort()).toEqual(operators.map(({ id }) => id).sort());
});

describe('the statement', () => {
  test('of a row by its key', () => {
    const { text } = prepare({
      kind: 'row',
      read: read('kanbanUsers', columns('id', 'name'), { where: compare('id', 'eq', input(0)), form: restForm }),
    });
    expect(text).toBe(
      'select row_to_json(t.*) from (select "r0"."id" as "id", "r0"."name" as "name" from "kanban"."users" as "r0" where ("r0"."id" = $1::"int4") limit 1) as t',
    );
  });

  test('of a list: filtered, ordered to the key, limited', () => {
    const where: Filter = {
      kind: 'and',
      filters: [compare('status', 'in', input(0)), compare('title', 'ilike', input(1))],
    };
    const statement = prepare(rows({ where, orderBy: [newest], limit: input(2), offset: input(3) }));
    expect(statement.text).toBe(
      `select coalesce(json_agg(t.*), '[]'), count(*), null from (select "r0"."id" as "id" from "kanban"."issues" as "r0" ` +
        `where (("r0"."status"::"kanban"."issue_status" = any($1::"kanban"."issue_status"[])) and ("r0"."title" ~~* $2::"text")) ` +
        `order by "r0"."created_at" desc, "r0"."id" asc limit $3::int8 offset $4::int8) as t`,
    );
    expect(bindStatement(statement, [['todo', 'in progress'], '*x*', '99', '5']).values).toEqual([
      '{"todo","in progress"}',
      '%x%',
      '30',
      '5',
    ]);
  });

  test('never has a count that a client gave written in', () => {
    const page = { limit: { ...json(7), constant: 7, most: 16 }, offset: { ...json(3), constant: 3, most: 16 } };
    const statement = prepare(rows(page));
    expect(statement.text).toContain('limit 32) as t limit $1::int8 offset $2::int8) as t');
    expect(bindStatement(statement, []).values).toEqual(['7', '3']);
    const most = prepare(rows({ limit: { ...json(70), constant: 70, most: 256 } }));
    expect(most.text).toContain('limit 30) as t limit $1::int8) as t');
    expect(bindStatement(most, []).values).toEqual(['30']);
  });

  test('needs no parameter where every request has the ceiling, and skips nothing', () => {
    expect(prepare(rows({ limit: { ...json(null), constant: null } })).text).toMatch(/ limit 30\) as t$/);
    expect(prepare(rows({ offset: { ...json(0), constant: 0 } })).text).toMatch(/ limit 30\) as t$/);
  });

  test('says how many rows are wanted at most where the limit or the offset is a parameter', () => {
    const statement = prepare(rows({ limit: { ...input(0), most: 16 }, offset: { ...input(1), most: 64 } }));
    expect(statement.text).toContain(
      'from (select * from (select "r0"."id" as "id" from "kanban"."issues" as "r0" limit 80) as t limit $1::int8 offset $2::int8) as t',
    );
    expect(bindStatement(statement, [10, 20]).values).toEqual(['10', '20']);
  });

  test('leaves what is no count to the request', () => {
    const statement = prepare(rows({ limit: { ...json(-1), constant: -1 } }));
    expect(() => bindStatement(statement, [])).toThrow('limit has to be a whole number');
  });

  test('of a document has a column for each field', () => {
    const { text } = prepare({
      kind: 'document',
      fields: [
        { kind: 'typename', as: 'q', type: 'Query' },
        { kind: 'one', as: 'u', read: read('kanbanUsers', columns('id')) },
      ],
    });
    expect(text).toBe(
      `select to_json('Query'::text), (select row_to_json(t.*) from (select "r0"."id" as "id" from "kanban"."users" as "r0" limit 1) as t)`,
    );
    expect(documentText(['q', 'a"b'], ['"Query"', null])).toBe('{"q":"Query","a\\"b":null}');
    expect(documentText(['u'], undefined)).toBe('{"u":null}');
  });

  test('is the same for the same intent, and has no value of the request in it', () => {
    const intent = (value: string) => prepare(rows({ where: compare('title', 'eq', raw(value)) })).text;
    expect(intent('one')).toBe(intent(`'; drop table x`));
  });

  test('without an order has none', () => {
    expect(prepare(rows({})).text).not.toContain('order by');
  });
});

/**
 * Fails unless PostgreSQL uses one generic plan for all parameter values, after its first five
 * custom plans.
 */
const onlyGeneric = `do $$ begin
  assert (select (generic_plans, custom_plans) = (3, 5) from pg_prepared_statements where name = 'page');
end $$`;

describe('indexes', () => {
  let database: TestDatabase;
  let driver: Driver;

  beforeAll(async () => {
    database = await createFilledDatabase('statement_sql', boardSql);
    await loadSql(
      database.url,
      `INSERT INTO kanban.issues (id, project_id, title, labels, metadata, created_at)
         SELECT i, 1 + i % 2, 'word' || i, array['label' || i], jsonb_build_object('key', i), '2024-01-01'::timestamptz + i * interval '1 minute'
         FROM generate_series(10, 20000) AS i;
       CREATE INDEX by_search ON kanban.issues USING gin (search);
       CREATE INDEX by_labels ON kanban.issues USING gin (labels);
       CREATE INDEX by_metadata ON kanban.issues USING gin (metadata);
       CREATE INDEX by_created ON kanban.issues (created_at, id);
       ANALYZE;`,
    );
    driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  });

  afterAll(async () => {
    await driver.close();
    await database.drop();
  });

  async function planOf(statement: Statement, inputs: unknown): Promise<string> {
    const { text, values } = bindStatement(statement, inputs);
    const lines = await driver.run([{ text: `explain ${text}`, values }]);
    return lines.map(([line]) => line).join('\n');
  }

  test.each([
    ['webSearch', 'search', 'word77', 'by_search'],
    ['arrayContains', 'labels', '{label77}', 'by_labels'],
    ['arrayHasAny', 'labels', '{label77}', 'by_labels'],
    ['jsonContains', 'metadata', '{"key":77}', 'by_metadata'],
    ['eq', 'id', '77', 'issues_pkey'],
    ['in', 'id', ['77', '78'], 'issues_pkey'],
  ])('%s on %s uses its index', async (operator, column, value, index) => {
    expect(await planOf(prepare(rows({ where: compare(column, operator, input(0)) })), [value])).toContain(index);
  });

  test('a statement whose limit is a parameter is planned once for all', async () => {
    const limit: Value = { ...input(1), most: 16 };
    const where = compare('created_at', 'gte', input(0));
    const { text } = prepare(rows({ where, orderBy: [{ ...newest, direction: 'asc' }], limit }));
    const run = "execute page('2024-01-05', 5);";
    await loadSql(database.url, `prepare page as ${text}; ${run.repeat(8)} ${onlyGeneric}`);
  });

  test('a page of a connection starts at its cursor in the index', async () => {
    const statement = prepare({
      kind: 'document',
      fields: [
        {
          kind: 'connection',
          as: 'c',
          connection: {
            table: read('kanbanIssues', []).table,
            orderBy: [{ ...newest, direction: 'asc' }],
            after: input(0),
            first: raw(5),
            select: [
              { kind: 'nodes', as: 'nodes', select: columns('id') },
              { kind: 'pageInfo', as: 'p', select: [{ kind: 'endCursor', as: 'end' }] },
            ],
            form: graphqlForm,
          },
        },
      ],
    });
    const first = prepare({
      kind: 'document',
      fields: [
        {
          kind: 'connection',
          as: 'c',
          connection: {
            table: read('kanbanIssues', []).table,
            orderBy: [{ ...newest, direction: 'asc' }],
            first: raw(5),
            select: [{ kind: 'pageInfo', as: 'p', select: [{ kind: 'endCursor', as: 'end' }] }],
            form: graphqlForm,
          },
        },
      ],
    });
    const [[answer] = []] = await driver.run([bindStatement(first, [])]);
    const { p } = JSON.parse(answer ?? '') as { p: { end: string } };
    const plan = await planOf(statement, [p.end]);
    expect(plan).toContain('Index Cond: (ROW(created_at, id) >');
    expect(plan).not.toContain('Sort');
  });
});
