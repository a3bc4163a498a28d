import { describeMysql } from '../../support/mysql.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled } from './support/ruled.js';

/**
 * Rules of views whose key no configuration names: the catalogue reader finds it in the definition.
 * A rule for writes needs a key, because written rows are read again.
 */
const sql = `
  create table people (id int primary key, name varchar(40) not null);
  create table tasks (id {id}, owner varchar(40), state varchar(20) not null, person_id int references people (id), hours int);
  insert into people values (1, 'Ann'), (2, 'Bob');
  insert into tasks (id, owner, state, person_id, hours) values (1, 'ann', 'open', 1, 5), (2, 'bob', 'open', 2, 7), (3, 'ann', 'done', 2, 9), (4, 'bob', 'done', 1, 1);
  create view open_tasks as select t.id as task, t.owner as belongs_to, t.state, t.hours from tasks t where t.state = 'open';
  create view staffed as select t.id, t.owner, t.hours, p.name from tasks t join people p on p.id = t.person_id;
`;

const mine = (column: string) => ({ [column]: { eq: { claim: 'userId' } } });

const suite = (open: OpenRuled): void => {
  let ruled: Ruled;
  const [ann, bob] = [{ sub: 'ann' }, { sub: 'bob' }];
  beforeAll(async () => {
    ruled = await open({
      name: 'view_rules',
      sql,
      rules: (schema) => ({
        [`${schema}.open_tasks`]: { read: mine('belongs_to'), write: mine('belongs_to') },
        [`${schema}.staffed`]: { read: mine('owner'), write: false, hide: ['hours'] },
      }),
    });
  });
  afterAll(() => ruled.stop());

  test('rows by their keys, in lists, pages and counts', async () => {
    expect(
      await ruled.ask(
        ann,
        '{ openTasks { task } openTasksAggregate { count } staffed(orderBy: {id: ASC}) { id name } }',
      ),
    ).toEqual({
      data: {
        openTasks: [{ task: 1 }],
        openTasksAggregate: { count: 1 },
        staffed: [
          { id: 1, name: 'Ann' },
          { id: 3, name: 'Bob' },
        ],
      },
    });
    expect(
      await ruled.ask(ann, '{ mine: openTasksByPk(task: 1) { state } other: openTasksByPk(task: 2) { state } }'),
    ).toEqual({
      data: { mine: { state: 'open' }, other: null },
    });
    expect(
      await ruled.ask(ann, '{ staffedConnection(first: 1) { totalCount nodes { id } pageInfo { hasNextPage } } }'),
    ).toEqual({
      data: { staffedConnection: { totalCount: 2, nodes: [{ id: 1 }], pageInfo: { hasNextPage: true } } },
    });
    expect((await ruled.rest(ann, 'GET', 'open_tasks/2')).status).toBe(404);
    expect((await ruled.rest(null, 'GET', 'staffed')).body).toMatchObject({ data: [] });
  });

  test('hidden columns of a view', async () => {
    expect((await ruled.rest(ann, 'GET', 'staffed/1')).body).toEqual({ id: 1, owner: 'ann', name: 'Ann' });
    expect((await ruled.rest(ann, 'GET', 'staffed?select=hours')).status).toBe(403);
    expect(await ruled.ask(ann, '{ staffedAggregate { sum { hours } } }')).toMatchObject({
      errors: [{ extensions: { code: 'TW016' } }],
    });
    expect((await ruled.rest(ann, 'PATCH', 'staffed?id=eq.1', { name: 'x' })).status).toBeGreaterThanOrEqual(400);
  });

  test('writes through a view reach and leave rows that the identity may write', async () => {
    expect(
      (await ruled.rest(ann, 'PATCH', 'open_tasks?task=eq.1', { hours: 6 }, 'return=representation')).body,
    ).toMatchObject([{ task: 1, hours: 6 }]);
    expect(
      (await ruled.rest(ann, 'PATCH', 'open_tasks?task=eq.2', { hours: 6 }, 'return=representation')).body,
    ).toEqual([]);
    expect((await ruled.rest(ann, 'PATCH', 'open_tasks?task=eq.1', { belongs_to: 'bob' })).status).toBe(403);
    // A row that leaves the view cannot be checked: it is refused as well.
    expect((await ruled.rest(ann, 'PATCH', 'open_tasks?task=eq.1', { state: 'done' })).status).toBe(403);
    expect((await ruled.rest(ann, 'POST', 'open_tasks', { task: 9, belongs_to: 'bob', state: 'open' })).status).toBe(
      403,
    );
    expect((await ruled.rest(ann, 'POST', 'open_tasks', { task: 9, belongs_to: 'ann', state: 'open' })).status).toBe(
      201,
    );
    expect((await ruled.rest(bob, 'DELETE', 'open_tasks?task=eq.9', undefined, 'return=representation')).body).toEqual(
      [],
    );
    expect(
      (await ruled.rest(ann, 'DELETE', 'open_tasks?task=eq.9', undefined, 'return=representation')).body,
    ).toMatchObject([{ task: 9 }]);
    expect(await ruled.rows('select id, owner, state, hours from shop.tasks order by id')).toEqual([
      { id: 1, owner: 'ann', state: 'open', hours: 6 },
      { id: 2, owner: 'bob', state: 'open', hours: 7 },
      { id: 3, owner: 'ann', state: 'done', hours: 9 },
      { id: 4, owner: 'bob', state: 'done', hours: 1 },
    ]);
  });
};

describe('rules of views with found keys on PostgreSQL', () => {
  suite(onPostgres);
});

describeMysql('rules of views with found keys on MariaDB', () => {
  suite(onMysql);
});
