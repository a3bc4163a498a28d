import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import type { Filter, Selection } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import type { WriteIntent, WrittenColumn } from '../../../runtime/src/plan/write/write-intent.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import { PendingBytes } from '../../../runtime/src/response/pending-bytes.js';
import { toServerError } from '../../../runtime/src/response/server-error.js';
import type { Services } from '../../../runtime/src/execute/services.js';
import { runMutation } from '../../../runtime/src/execute/mutation.js';
import { WriteRunner } from '../../../runtime/src/execute/write-runner.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { columns, compare, json, settingsWith } from '../../support/intents.js';
import { createWriteDatabase, driverOf, tableIn, type WriteDatabase } from './support/server.js';

let db: WriteDatabase;
let driver: Driver;
let runner: WriteRunner;
/** Round trips since the test began. */
let rounds: number;

beforeAll(async () => {
  db = await createWriteDatabase();
  const pg = driverOf(db.roleUrl);
  driver = {
    ...pg,
    run: (...given) => {
      rounds += 1;
      return pg.run(...given);
    },
  };
  const settings = settingsWith();
  const { registry } = db;
  const services: Services = {
    pendingBytes: new PendingBytes(Infinity),
    registry,
    settings,
    driver,
    dialect: postgres,
    prepare: createPrepare({ registry, settings, dialect: postgres }),
    authenticate: () => ({}),
    observe: () => undefined,
  };
  runner = new WriteRunner(services);
});
beforeEach(async () => {
  await db.restore();
  rounds = 0;
});

afterAll(async () => {
  await driver.close();
  await db.drop();
});

const written = (...names: string[]): WrittenColumn[] => names.map((column) => ({ column, key: column }));
const returning = (select: readonly Selection[], as: 'list' | 'one' = 'list') =>
  ({ select, as, format: 'json' }) as const;
const id = (value: number): Filter => compare('id', 'eq', json(value));

const relation = (table: string, name: string, ...select: string[]): Selection => ({
  kind: 'relation',
  as: name,
  relation: name,
  read: { table: tableIn(db.registry, table), select: columns(...select), form: graphqlForm },
});

function insert(
  table: string,
  rows: unknown,
  names: readonly string[],
  more: Partial<Extract<WriteIntent, { kind: 'insert' }>> = {},
): WriteIntent {
  const as = Array.isArray(rows) ? 'list' : 'one';
  return {
    kind: 'insert',
    table: tableIn(db.registry, table),
    rows: json(rows),
    columns: written(...names),
    returning: returning(columns(...names), as),
    form: graphqlForm,
    ...more,
  };
}

function update(
  table: string,
  where: Filter,
  set: object,
  more: Partial<Extract<WriteIntent, { kind: 'update' }>> = {},
): WriteIntent {
  const names = Object.keys(set);
  return {
    kind: 'update',
    table: tableIn(db.registry, table),
    where,
    columns: written(...names),
    set: json(set),
    returning: returning(columns('id', ...names)),
    form: graphqlForm,
    ...more,
  };
}

const remove = (table: string, where: Filter): WriteIntent => ({
  kind: 'delete',
  table: tableIn(db.registry, table),
  where,
  returning: returning(columns('id')),
  form: graphqlForm,
});

function call(field: string, given: Readonly<Record<number, unknown>>): WriteIntent {
  const procedure = db.registry.procedures.get(field);
  if (procedure === undefined) throw new Error(`no procedure ${field}`);
  const values = Object.entries(given).map(([position, value]) => ({ position: Number(position), value: json(value) }));
  return { kind: 'call', procedure, arguments: values, form: graphqlForm };
}

async function run(...writes: readonly WriteIntent[]): Promise<unknown> {
  const fields = writes.map((write, at) => ({ kind: 'write' as const, as: `f${at}`, prepared: runner.prepare(write) }));
  const outcome = await runMutation(runner, { fields }, { inputs: {} }, {});
  if (outcome.kind === 'written') return JSON.parse(outcome.data) as unknown;
  const { status, code, details } = toServerError(outcome.error);
  return { path: outcome.path, status, code, ...(details === undefined ? {} : { details }) };
}

describe('one field', () => {
  test('is one round trip where its selection is of the row alone', async () => {
    expect(await run(insert('opsTeams', { name: 'Green' }, ['name']))).toEqual({ f0: { name: 'Green' } });
    expect(rounds).toBe(1);
  });

  test('sees what its own statement and its triggers wrote, through relations', async () => {
    const counted: Selection = {
      kind: 'relation',
      as: 'team',
      relation: 'opsTeamId',
      read: {
        table: tableIn(db.registry, 'opsTeams'),
        select: [
          ...columns('name'),
          relation('opsCounters', 'opsCounters', 'people'),
          relation('opsPeople', 'opsPeople', 'name'),
        ],
        form: graphqlForm,
      },
    };
    const row = { name: 'Barbara', email: 'b', team_id: 2 };
    expect(await run(insert('opsPeople', row, Object.keys(row), { returning: returning([counted], 'one') }))).toEqual({
      f0: {
        team: {
          name: 'Blue',
          opsCounters: { people: 2 },
          opsPeople: expect.arrayContaining([{ name: 'Barbara' }]) as unknown,
        },
      },
    });
  });

  test('keys of the input are GraphQL names, values are encoded by type', async () => {
    const row = {
      who: 'Kim',
      mail: 'k',
      mood: 'rain_soon',
      home: { street: 'S' },
      slot: { lower: 1, upper: 3 },
      tags: ['a'],
    };
    const names: WrittenColumn[] = [
      { column: 'name', key: 'who' },
      { column: 'email', key: 'mail' },
      ...written('mood', 'home', 'slot', 'tags'),
    ];
    const intent = insert('opsPeople', row, [], {
      columns: names,
      returning: returning(columns('mood', 'home', 'tags'), 'one'),
    });
    expect(await run(intent)).toEqual({
      f0: { mood: 'rain_soon', home: { street: 'S', zip: null, floor: null }, tags: ['a'] },
    });
  });

  test.each([
    ['a generated column', 'opsPeople', { name: 'x', email: 'x', label: 'X' }],
    ['an identity that is always generated', 'opsTickets', { id: 1, title: 'x' }],
  ])('refuses %s', (_, table, row) => {
    expect(() => runner.prepare(insert(table, row, Object.keys(row)))).toThrow(/can't be written/);
  });

  test('update: inc, with what is set', async () => {
    const inc = [{ column: 'points', by: json(5) }];
    const intent = update('opsPeople', id(1), { name: 'A' }, { inc, returning: returning(columns('name', 'points')) });
    expect(await run(intent)).toEqual({ f0: [{ name: 'A', points: 15 }] });
  });

  test('update: inc alone', async () => {
    const inc = [{ column: 'points', by: json(-1) }];
    expect(await run(update('opsPeople', id(1), {}, { inc, returning: returning(columns('points')) }))).toEqual({
      f0: [{ points: 9 }],
    });
  });

  test('update through a relation filter', async () => {
    const where: Filter = {
      kind: 'relation',
      relation: 'opsTeamId',
      quantifier: 'one',
      filter: compare('name', 'eq', json('Red')),
    };
    expect(await run(update('opsPeople', where, { points: 0 }))).toEqual({
      f0: [
        { id: 1, points: 0 },
        { id: 2, points: 0 },
      ],
    });
  });

  test('atMost undoes what is more', async () => {
    const more = compare('id', 'gt', json(0));
    expect(await run(update('opsPeople', more, { points: 0 }, { atMost: json(2) }))).toMatchObject({
      status: 400,
      code: 'TW011',
    });
    expect(await db.query('select sum(points)::int as sum from ops.people')).toEqual([{ sum: 60 }]);
  });

  test('onConflict: a constraint, its columns to update, and which rows', async () => {
    const conflict = (size: number) =>
      ({
        target: { kind: 'constraint', name: 'teams_name_key' },
        action: 'update',
        columns: ['size'],
        where: compare('size', 'lt', json(size)),
      }) as const;
    const rows = [
      { name: 'Red', size: 20 },
      { name: 'Blue', size: 30 },
    ];
    expect(await run(insert('opsTeams', rows, ['name', 'size'], { onConflict: conflict(3) }))).toEqual({
      f0: [rows[0]],
    });
    expect(await run(insert('opsTeams', rows, ['name', 'size'], { onConflict: conflict(100) }))).toEqual({ f0: rows });
  });

  test('onConflict with nothing to update leaves the row alone', async () => {
    const onConflict = {
      target: { kind: 'constraint', name: 'teams_name_key' },
      action: 'update',
      columns: [],
    } as const;
    expect(await run(insert('opsTeams', { name: 'Red' }, ['name'], { onConflict }))).toEqual({ f0: null });
  });
});

describe('rows inside rows', () => {
  const people = (names: readonly string[], more: object = {}) => ({
    key: 'opsPeople',
    relation: 'opsPeople',
    columns: written(...names),
    ...more,
  });
  const tasks = { key: 'opsTasks', relation: 'opsTasks', columns: written('title') };

  test('both ways, to any depth, one statement for each table', async () => {
    const rows = [
      {
        name: 'Nest',
        opsPeople: {
          data: [
            { name: 'P1', email: 'p1', opsTasks: { data: [{ title: 'T1' }, { title: 'T2' }] } },
            { name: 'P2', email: 'p2' },
          ],
        },
      },
      { name: 'Bare' },
      { name: 'Other', opsPeople: { data: [{ name: 'P3', email: 'p3', opsTasks: { data: [{ title: 'T3' }] } }] } },
    ];
    const inner = relation('opsPeople', 'opsPeople', 'name');
    const withTasks: Selection =
      inner.kind === 'relation'
        ? {
            ...inner,
            read: {
              ...inner.read,
              orderBy: [{ by: { kind: 'column', column: 'id' }, direction: 'asc' }],
              select: [...inner.read.select, relation('opsTasks', 'opsTasks', 'title')],
            },
          }
        : inner;
    const intent = insert('opsTeams', rows, ['name'], {
      nested: [people(['name', 'email'], { nested: [tasks] })],
      returning: returning([...columns('name'), withTasks]),
    });
    expect(await run(intent)).toEqual({
      f0: [
        {
          name: 'Nest',
          opsPeople: [
            { name: 'P1', opsTasks: [{ title: 'T1' }, { title: 'T2' }] },
            { name: 'P2', opsTasks: [] },
          ],
        },
        { name: 'Bare', opsPeople: [] },
        { name: 'Other', opsPeople: [{ name: 'P3', opsTasks: [{ title: 'T3' }] }] },
      ],
    });
  });

  test('a forward relation is written first, for the rows that have one', async () => {
    const rows = [
      { title: 'T', opsPersonId: { data: { name: 'Q', email: 'q', opsTeamId: { data: { name: 'Fresh' } } } } },
      { title: 'U', person_id: 1 },
    ];
    const team = { key: 'opsTeamId', relation: 'opsTeamId', columns: written('name') };
    const person = { key: 'opsPersonId', relation: 'opsPersonId', columns: written('name', 'email'), nested: [team] };
    const intent = insert('opsTasks', rows, ['title', 'person_id'], {
      nested: [person],
      returning: returning([...columns('title'), relation('opsPeople', 'opsPersonId', 'name', 'team_id')]),
    });
    expect(await run(intent)).toEqual({
      f0: [
        { title: 'T', opsPersonId: { name: 'Q', team_id: 3 } },
        { title: 'U', opsPersonId: { name: 'Ada', team_id: 1 } },
      ],
    });
  });

  test('an error inside leaves nothing', async () => {
    const rows = { name: 'Nest', opsPeople: { data: [{ name: 'P', email: 'ada@example.org' }] } };
    const intent = insert('opsTeams', rows, ['name'], { nested: [people(['name', 'email'])] });
    expect(await run(intent)).toMatchObject({
      status: 409,
      details: expect.stringContaining('"people_email_key" on "email"') as unknown,
    });
    expect(await db.query("select * from ops.teams where name = 'Nest'")).toEqual([]);
  });
});

describe('several fields', () => {
  test('run in order: two updates of one row, the second sees the first', async () => {
    const inc = (by: number) =>
      update(
        'opsPeople',
        id(1),
        {},
        { inc: [{ column: 'points', by: json(by) }], returning: returning(columns('points')) },
      );
    expect(await run(inc(1), inc(10))).toEqual({ f0: [{ points: 11 }], f1: [{ points: 21 }] });
  });

  test('delete, then insert of the same key', async () => {
    expect(
      await run(
        remove('opsTasks', id(1)),
        insert('opsTasks', { id: 1, person_id: 2, title: 'again' }, ['id', 'title', 'person_id']),
      ),
    ).toEqual({
      f0: [{ id: 1 }],
      f1: { id: 1, title: 'again', person_id: 2 },
    });
  });

  test('the next field reads what the last one inserted', async () => {
    const all = returning([...columns('name'), relation('opsTasks', 'opsTasks', 'title')]);
    expect(
      await run(
        insert('opsTasks', { person_id: 3, title: 'new' }, ['person_id', 'title']),
        update('opsPeople', id(3), { points: 1 }, { returning: all }),
      ),
    ).toEqual({ f0: { person_id: 3, title: 'new' }, f1: [{ name: 'Edsger', opsTasks: [{ title: 'new' }] }] });
  });

  test('a failure of the last undoes all, and names its path', async () => {
    const last = insert('opsTeams', { name: 'Red' }, ['name']);
    expect(await run(insert('opsTeams', { name: 'A' }, ['name']), remove('opsTasks', id(1)), last)).toMatchObject({
      path: ['f2'],
      status: 409,
      code: '23505',
    });
    expect(
      await db.query(
        'select (select count(*) from ops.tasks)::int as tasks, (select count(*) from ops.teams)::int as teams',
      ),
    ).toEqual([{ tasks: 3, teams: 2 }]);
  });

  test('a procedure in the middle', async () => {
    const points = (of: number) =>
      update('opsPeople', id(of), { active: true }, { returning: returning(columns('points')) });
    expect(await run(points(1), call('callOpsTransfer', { 0: 1, 1: 2, 3: 4 }), points(1), points(2))).toEqual({
      f0: [{ points: 10 }],
      f1: '{"moved":4,"note":"ok!"}',
      f2: [{ points: 6 }],
      f3: [{ points: 24 }],
    });
  });

  test('updates in opposite order at the same time: one is answered that it conflicted, and none hangs', async () => {
    const both = (one: number, other: number) =>
      run(
        update('opsPeople', id(one), { points: one }),
        call('callOpsTouch', {}),
        update('opsPeople', id(other), { points: one }),
      );
    const outcomes = await Promise.all(Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? both(1, 2) : both(2, 1))));
    const failed = outcomes.filter((outcome) => !Object.hasOwn(outcome as object, 'f0'));
    for (const outcome of failed) expect(outcome).toMatchObject({ status: 409, code: '40P01' });
    expect(failed.length).toBeLessThan(outcomes.length);
  });
});

describe('procedures', () => {
  test.each<[string, string, Readonly<Record<number, unknown>>, unknown]>([
    ['without OUT parameters', 'callOpsTouch', {}, '{"result":"OK"}'],
    ['with IN, OUT and INOUT, defaults left out', 'callOpsTransfer', { 0: 1, 1: 2 }, '{"moved":1,"note":"ok!"}'],
    [
      'with a default left out before a given one',
      'callOpsTransfer',
      { 0: 1, 1: 2, 4: 'done' },
      '{"moved":1,"note":"done!"}',
    ],
    ['with null for an argument', 'callOpsTransfer', { 0: 1, 1: 2, 3: 0, 4: null }, '{"moved":0,"note":null}'],
    [
      'with OUT parameters of every kind',
      'callOpsDescribe',
      {},
      '{"street":{"street":"Main","zip":"123","floor":4},"moods":["sunny","rain_soon"],"big":"9007199254740993","made":"2024-01-02T03:04:05.678901+00:00"}',
    ],
  ])('%s', async (_, field, given, answer) => {
    expect(await run(call(field, given))).toEqual({ f0: answer });
  });

  test('with a composite and a variadic argument', async () => {
    expect(await run(call('callOpsCollect', { 0: { street: 'S' }, 1: [1, 2, 3] }))).toEqual({ f0: '{"result":"OK"}' });
    expect(await db.query('select line from ops.log')).toEqual([{ line: 'S:1+2+3' }]);
  });

  test('that fail undo what they did', async () => {
    expect(await run(call('callOpsTouch', {}), call('callOpsFail', { 0: 'no' }))).toMatchObject({
      path: ['f1'],
      code: 'P0001',
    });
    expect(await db.query('select sum(size)::int as sum from ops.teams')).toEqual([{ sum: 5 }]);
  });

  test('need their arguments', () => {
    expect(() => runner.prepare(call('callOpsTransfer', { 0: 1 }))).toThrow(
      'callOpsTransfer needs the argument "to_id".',
    );
  });
});
