import { createDriver } from '../../support/create-driver.js';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { columns, compare, json, raw, read, runner, settingsWith, type Runner } from '../../support/intents.js';
import { createFilledDatabase, type TestDatabase } from '../../support/postgres.js';
import { boardSql } from '../../support/registry.js';
import { restForm } from '../../../runtime/src/plan/intent-form.js';

let database: TestDatabase;
let driver: Driver;
let board: Runner;

beforeAll(async () => {
  database = await createFilledDatabase('core_reads', boardSql);
  driver = createDriver(settingsWith({ 'app.datasource.url': database.url }));
  board = runner(driver);
});

afterAll(async () => {
  await driver.close();
  await database.drop();
});

const byId = [{ by: { kind: 'column', column: 'id' }, direction: 'asc' }] as const;

describe('a document', () => {
  test('answers every root field under its alias, in one object', async () => {
    const answer = await board.document([
      { kind: 'typename', as: '__typename', type: 'Query' },
      { kind: 'list', as: 'people', read: read('kanbanUsers', columns('id', 'name'), { orderBy: byId }) },
      { kind: 'one', as: 'first', read: read('kanbanUsers', columns('name'), { where: compare('id', 'eq', json(1)) }) },
      {
        kind: 'one',
        as: 'nobody',
        read: read('kanbanUsers', columns('name'), { where: compare('id', 'eq', json(99)) }),
      },
      { kind: 'list', as: 'none', read: read('kanbanUsers', columns('id'), { where: compare('id', 'eq', json(99)) }) },
    ]);
    expect(answer).toEqual({
      __typename: 'Query',
      people: [
        { id: 1, name: 'Ada' },
        { id: 2, name: 'Grace' },
        { id: 3, name: 'Linus' },
      ],
      first: { name: 'Ada' },
      nobody: null,
      none: [],
    });
  });

  test('reads relations both ways, through a junction and one to one', async () => {
    const rows = await board.list(
      read(
        'kanbanIssues',
        [
          ...columns('id'),
          {
            kind: 'relation',
            as: 'project',
            relation: 'kanbanProjectId',
            read: read('kanbanProjects', [
              ...columns('name'),
              {
                kind: 'relation',
                as: 'issues',
                relation: 'kanbanIssues',
                read: read('kanbanIssues', columns('id'), { orderBy: byId }),
              },
            ]),
          },
          {
            kind: 'relation',
            as: 'assignee',
            relation: 'kanbanAssigneeId',
            read: read('kanbanUsers', columns('name')),
          },
          { kind: 'relation', as: 'brief', relation: 'kanbanBriefs', read: read('kanbanBriefs', columns('body')) },
          {
            kind: 'relation',
            as: 'labels',
            relation: 'kanbanLabelsViaIssueLabels',
            read: read('kanbanLabels', columns('name'), { orderBy: byId }),
          },
          { kind: 'typename', as: '__typename' },
          { kind: 'computed', as: 'shout', name: 'shout' },
        ],
        { orderBy: byId, where: compare('id', 'in', json([3, 4])) },
      ),
    );
    expect(rows).toEqual([
      {
        id: 3,
        project: { name: 'Web', issues: [{ id: 1 }, { id: 2 }, { id: 3 }] },
        assignee: null,
        brief: null,
        labels: [],
        __typename: 'KanbanIssues',
        shout: 'BROKEN SEARCH RESULTS',
      },
      {
        id: 4,
        project: { name: 'App', issues: [{ id: 4 }, { id: 5 }] },
        assignee: { name: 'Ada' },
        brief: { body: 'Make it fast' },
        labels: [{ name: 'urgent' }, { name: 'later' }],
        __typename: 'KanbanIssues',
        shout: 'SEARCH IS SLOW',
      },
    ]);
  });
});

describe('REST reads', () => {
  test('rows: the list, how many there are in it, and no total unless asked', async () => {
    const rows = await board.run({
      kind: 'rows',
      read: read('kanbanIssues', columns('id', 'status', 'views'), { orderBy: byId, limit: raw('2'), form: restForm }),
      count: 'none',
      format: 'json',
    });
    expect(rows).toEqual([[expect.any(String), '2', null]]);
    expect(rows[0]?.[0]?.replace(/\s/g, '')).toBe(
      '[{"id":1,"status":"todo","views":9007199254740993},{"id":2,"status":"inprogress","views":7}]',
    );
  });

  test('row: the object, or no row', async () => {
    const one = (id: string) =>
      board.run({
        kind: 'row',
        read: read('kanbanUsers', columns('id', 'name'), { where: compare('id', 'eq', raw(id)), form: restForm }),
      });
    expect(await one('2')).toEqual([['{"id":2,"name":"Grace"}']]);
    expect(await one('99')).toEqual([]);
  });
});
