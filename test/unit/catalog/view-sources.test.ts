import { connect, readCatalog, type ViewSource } from '../../../runtime/src/generator.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';

/**
 * Each view with its sources: `table(column=its column, …)`, with `!` when each row of the view is
 * one row of the table.
 */
const views: Readonly<Record<string, readonly [definition: string, ...sources: string[]]>> = {
  one_table: ['select id, title as caption from issues where id > 0', 'issues(id=id, caption=title)!'],
  looked_up: [
    'select i.id, i.assignee_id, u.name from issues i left join users u on u.id = i.assignee_id',
    'issues(id=id, assignee_id=assignee_id)!',
    'users(name=name)',
  ],
  joined_by_where: [
    'select i.id, p.key from issues i, projects p where i.project_id = p.id',
    'issues(id=id)!',
    'projects(key=key)',
  ],
  multiplied: [
    'select i.id, l.label from issues i join labels l on l.issue_id = i.id',
    'issues(id=id)',
    'labels(label=label)!',
  ],
  multiplied_outer: [
    'select i.id, l.label from issues i left join labels l on l.issue_id = i.id',
    'issues(id=id)',
    'labels(label=label)',
  ],
  turned_round: [
    'select i.id, u.name from users u right join issues i on u.id = i.assignee_id',
    'users(name=name)',
    'issues(id=id)!',
  ],
  both_outer: [
    'select i.id, u.id as user_id from issues i full join users u on u.id = i.assignee_id',
    'issues(id=id)',
    'users(user_id=id)',
  ],
  by_unique: [
    'select i.id, u.name from issues i join users u on u.email = i.title',
    'issues(id=id)!',
    'users(name=name)',
  ],
  not_equal: ['select i.id from issues i join projects p on p.id >= i.project_id', 'issues(id=id)'],
  by_constant: ['select i.id from issues i cross join users u where u.id = 3', 'issues(id=id)!'],
  by_using: ['select id, name from issues join users using (id)', 'issues(id=id)!', 'users(name=name)!'],
  itself_twice: [
    'select a.id, b.title from issues a left join issues b on b.id = a.parent_id',
    'issues(id=id)!',
    'issues(title=title)',
  ],
  of_a_view: [
    'select v.id, u.name from one_table v join users u on u.id = v.id',
    'one_table(id=id)!',
    'users(name=name)!',
  ],
  by_subselect: [
    'select i.id, u.name from (select id, assignee_id as who from issues where id > 0) i join (select * from users) u on u.id = i.who',
    'issues(id=id)!',
    'users(name=name)',
  ],
  by_cte: [
    'with open as (select * from issues), mine as (select id, project_id from open) select m.id, p.key from mine m join projects p on p.id = m.project_id',
    'issues(id=id)!',
    'projects(key=key)',
  ],
  by_cte_of_one_name: [
    'with o as (select id, title from issues) select n.id, n.title from (with o as (select * from o) select * from o) n',
    'issues(id=id, title=title)!',
  ],
  by_lateral: [
    'select i.id, u.name from issues i left join lateral (select * from users u where u.id = i.assignee_id) u on true',
    'issues(id=id)!',
    'users(name=name)',
  ],
  by_lateral_list: [
    'select i.id, l.label from issues i cross join lateral (select label from labels l where l.issue_id = i.id) l',
    'issues(id=id)',
    'labels(label=label)!',
  ],
  by_grouped_subselect: [
    'select p.id, g.project_id, g.n from projects p join (select project_id, count(*) as n from issues group by project_id) g on g.project_id = p.id',
    'projects(id=id)',
    'issues(project_id=project_id)',
  ],
  by_subselect_of_grouped: [
    'select p.id, g.project_id from projects p join (select * from (select project_id, id from issues group by project_id, id) h) g on g.id = p.id',
    'projects(id=id)',
    'issues(project_id=project_id)',
  ],
  by_union: [
    'select i.id, u.id as other from issues i, (select id from users union all select id from projects) u',
    'issues(id=id)',
  ],
  by_recursion: [
    'with recursive r as (select id from issues union all select i.id from issues i join r on r.id = i.parent_id) select r.id, u.name from r join users u on u.id = r.id',
    'users(name=name)',
  ],
  by_values: ['select i.id from issues i join (values (1), (2)) v (n) on v.n = i.id', 'issues(id=id)'],
  grouped: ['select project_id, count(*) from issues group by project_id', 'issues(project_id=project_id)'],
  united: ['select id from issues union all select id from users'],
  unnested: ['select id, unnest(array[1, 2]) as n from issues', 'issues(id=id)'],
  lateral_rows: ['select i.id, g from issues i, generate_series(1, 3) g', 'issues(id=id)'],
  subquery: ['select id from (select * from issues) s', 'issues(id=id)!'],
  computed: ['select id + 0 as id from issues'],
  'hostile "name" {(\\': [
    'select id as ":resno 9 {(\\ ", 1 as "<>" from "hostile :table {( \\"',
    'hostile :table {( \\(:resno 9 {(\\ =id)!',
  ],
};

const tables = `
  create table users (id int primary key, email varchar(50) unique, name text);
  create table projects (id int primary key, key text);
  create table issues (
    id int primary key, project_id int references projects, assignee_id int references users, parent_id int references issues, title text
  );
  create table labels (issue_id int references issues, label text, primary key (issue_id, label));
  create table "hostile :table {( \\" (id int primary key);`;

const shown = ({ name, columns, from, single }: ViewSource): string =>
  `${name}(${columns.map((column, at) => `${column}=${from[at] ?? ''}`).join(', ')})${single ? '!' : ''}`;

test.each(['any', 'embedded'] as const)(
  'where the columns and rows of views come from (server: %s)',
  async (server) => {
    const database = await createTestDatabase('view_sources', server);
    try {
      const definitions = Object.entries(views).map(
        ([name, [definition]]) => `create view "${name.replaceAll('"', '""')}" as ${definition};`,
      );
      await loadSql(
        database.url,
        `${tables} ${definitions.join('\n')}; create materialized view kept as select id, title from issues;
      alter view one_table rename column caption to heading;`,
      );
      const connection = await connect(database.url);
      const catalog = await readCatalog(connection).finally(() => connection.close());
      const found = new Map(catalog.tables.map((table) => [table.name, (table.sources ?? []).map(shown)]));
      const expected = Object.entries(views).map(([name, [, ...sources]]) => [name, sources] as const);
      expect(Object.fromEntries(expected.map(([name]) => [name, found.get(name)]))).toEqual({
        ...Object.fromEntries(expected),
        one_table: ['issues(id=id, heading=title)!'],
      });
      expect(found.get('kept')).toEqual(['issues(id=id, title=title)!']);
      expect(found.get('issues')).toEqual([]);
    } finally {
      await database.drop();
    }
  },
);
