import type { Table } from '../../../runtime/src/catalog/catalog.js';
import { buildModel } from '../../../runtime/src/generator.js';
import { catalog, column, foreignKey, primaryKey, table, unique, uniqueIndex } from '../../support/catalog.js';

const id = column('id', 'int4');
const users = table('kanban.users', [id], { primaryKey: primaryKey('id') });
const projects = table('kanban.projects', [id], { primaryKey: primaryKey('id') });

/** `table: [name cardinality direction → target]` of every table. */
function relationsOf(...tables: readonly Table[]): Readonly<Record<string, readonly string[]>> {
  const model = buildModel(catalog({ tables }));
  return Object.fromEntries(
    model.tables.map(({ descriptor }) => [
      `${descriptor.schema}.${descriptor.name}`,
      (descriptor.relations ?? []).map((each) => `${each.name} ${each.cardinality} ${each.direction} ${each.table}`),
    ]),
  );
}

const issues = (columns: readonly string[], facts: Partial<Table>): Table =>
  table('kanban.issues', [id, ...columns.map((name) => column(name, 'int4', { nullable: true }))], {
    primaryKey: primaryKey('id'),
    ...facts,
  });

describe('relations (decision 001)', () => {
  it('go forward by the column and back by the child', () => {
    const child = issues(['project_id'], {
      foreignKeys: [foreignKey('fk', ['project_id'], 'kanban.projects', ['id'])],
    });
    expect(relationsOf(projects, child)).toEqual({
      'kanban.issues': ['kanbanProjectId one forward kanbanProjects'],
      'kanban.projects': ['kanbanIssues many reverse kanbanIssues'],
    });
  });

  it('say which columns equal which', () => {
    const child = issues(['project_id'], {
      foreignKeys: [foreignKey('fk', ['project_id'], 'kanban.projects', ['id'])],
    });
    const model = buildModel(catalog({ tables: [projects, child] }));
    expect(model.tables.map((each) => each.descriptor.relations)).toEqual([
      [expect.objectContaining({ constraint: 'fk', columns: ['project_id'], references: ['id'] })],
      [expect.objectContaining({ constraint: 'fk', columns: ['id'], references: ['project_id'] })],
    ]);
  });

  it('name the column each where a child has several foreign keys to one parent', () => {
    const child = issues(['reporter_id', 'assignee_id'], {
      foreignKeys: [
        foreignKey('a', ['assignee_id'], 'kanban.users', ['id']),
        foreignKey('r', ['reporter_id'], 'kanban.users', ['id']),
      ],
    });
    expect(relationsOf(users, child)['kanban.users']).toEqual([
      'kanbanIssuesAssigneeId many reverse kanbanIssues',
      'kanbanIssuesReporterId many reverse kanbanIssues',
    ]);
  });

  it('are objects both ways where the foreign key is unique: by constraint, key or index', () => {
    const fk = [foreignKey('fk', ['user_id'], 'kanban.users', ['id'])];
    const one = ['kanbanIssues one reverse kanbanIssues'];
    const many = ['kanbanIssues many reverse kanbanIssues'];
    const byConstraint = issues(['user_id'], { foreignKeys: fk, uniques: [unique('u', ['user_id'])] });
    const byKey = issues(['user_id'], { foreignKeys: fk, primaryKey: primaryKey('user_id') });
    const byIndex = issues(['user_id'], { foreignKeys: fk, indexes: [uniqueIndex('u', ['user_id'])] });
    const byPartial = issues(['user_id'], { foreignKeys: fk, indexes: [uniqueIndex('u', ['user_id'], 'active')] });
    const byExpression = issues(['user_id'], { foreignKeys: fk, indexes: [uniqueIndex('u', ['user_id', null])] });
    const byMore = issues(['user_id', 'n'], { foreignKeys: fk, uniques: [unique('u', ['user_id', 'n'])] });
    for (const [child, expected] of [
      [byConstraint, one],
      [byKey, one],
      [byIndex, one],
      [byPartial, many],
      [byExpression, many],
      [byMore, many],
    ] as const) {
      expect(relationsOf(users, child)['kanban.users']).toEqual(expected);
    }
  });

  it('lead through pure junctions, both ways', () => {
    const labels = table('kanban.labels', [id], { primaryKey: primaryKey('id') });
    const target = issues([], {});
    const junction = table('kanban.issue_labels', [column('issue_id', 'int4'), column('label_id', 'int4')], {
      primaryKey: primaryKey('issue_id', 'label_id'),
      foreignKeys: [
        foreignKey('i', ['issue_id'], 'kanban.issues', ['id']),
        foreignKey('l', ['label_id'], 'kanban.labels', ['id']),
      ],
    });
    const model = buildModel(catalog({ tables: [labels, target, junction] }));
    const through = model.tables.flatMap(({ descriptor }) =>
      (descriptor.relations ?? []).filter((each) => each.direction === 'through'),
    );
    expect(through).toEqual([
      {
        name: 'kanbanLabelsViaIssueLabels',
        cardinality: 'many',
        direction: 'through',
        table: 'kanbanLabels',
        constraint: 'l',
        columns: ['id'],
        references: ['id'],
        through: { table: 'kanbanIssueLabels', columns: ['issue_id'], references: ['label_id'] },
      },
      {
        name: 'kanbanIssuesViaIssueLabels',
        cardinality: 'many',
        direction: 'through',
        table: 'kanbanIssues',
        constraint: 'i',
        columns: ['id'],
        references: ['id'],
        through: { table: 'kanbanIssueLabels', columns: ['label_id'], references: ['issue_id'] },
      },
    ]);
  });

  const joining = (columns: readonly string[], key: readonly string[]) =>
    table(
      'kanban.j',
      columns.map((name) => column(name, 'int4')),
      {
        primaryKey: primaryKey(...key),
        foreignKeys: [
          foreignKey('a', ['a'], 'kanban.users', ['id']),
          foreignKey('b', ['b'], 'kanban.projects', ['id']),
        ],
      },
    );

  it.each([
    ['the keys alone', ['a', 'b']],
    ['another column', ['a', 'b', 'note']],
  ])('lead through a table with %s', (_what, columns) => {
    const relations = relationsOf(users, projects, joining(columns, ['a', 'b']));
    expect(relations['kanban.users']).toContain('kanbanProjectsViaJ many through kanbanProjects');
    expect(relations['kanban.projects']).toContain('kanbanUsersViaJ many through kanbanUsers');
  });

  it.each([
    ['no key over both', ['a', 'b'], ['a']],
    ['a key that joins two rows several times', ['a', 'b', 'day'], ['a', 'b', 'day']],
  ])('do not lead through a table with %s', (_what, columns, key) => {
    expect(JSON.stringify(relationsOf(users, projects, joining(columns, key)))).not.toContain('through');
  });

  it('through a table with other columns leave names to those through a bare one', () => {
    const bare = joining(['a', 'b'], ['a', 'b']);
    const wide = { ...joining(['a', 'b', 'note'], ['a', 'b']), name: 'J' };
    const relations = relationsOf(users, projects, bare, wide)['kanban.users'];
    expect(relations).toContain('kanbanProjectsViaJ many through kanbanProjects');
    expect(relations).toContain('kanbanProjectsViaJB many through kanbanProjects');
  });

  it('tell the two ways through a junction of a table with itself apart', () => {
    const follows = table('kanban.follows', [column('who', 'int4'), column('whom', 'int4')], {
      primaryKey: primaryKey('who', 'whom'),
      foreignKeys: [
        foreignKey('a', ['who'], 'kanban.users', ['id']),
        foreignKey('b', ['whom'], 'kanban.users', ['id']),
      ],
    });
    expect(relationsOf(users, follows)['kanban.users']).toEqual([
      'kanbanFollowsWho many reverse kanbanFollows',
      'kanbanFollowsWhom many reverse kanbanFollows',
      'kanbanUsersViaFollowsWhom many through kanbanUsers',
      'kanbanUsersViaFollowsWho many through kanbanUsers',
    ]);
  });

  it('take the parent’s name where the foreign key has several columns, and theirs when that is not enough', () => {
    const parent = table('shop.lines', [column('a', 'int4'), column('b', 'int4')], {
      primaryKey: primaryKey('a', 'b'),
    });
    const columns = ['a', 'b', 'c', 'd'].map((name) => column(name, 'int4'));
    const once = table('shop.notes', columns, {
      foreignKeys: [foreignKey('one', ['a', 'b'], 'shop.lines', ['a', 'b'])],
    });
    const twice = table('shop.pairs', columns, {
      foreignKeys: [
        foreignKey('one', ['a', 'b'], 'shop.lines', ['a', 'b']),
        foreignKey('two', ['d', 'c'], 'shop.lines', ['a', 'b']),
      ],
    });
    const relations = relationsOf(parent, once, twice);
    expect(relations['shop.notes']).toEqual(['shopLines one forward shopLines']);
    expect(relations['shop.pairs']).toEqual(['shopLinesAB one forward shopLines', 'shopLinesCD one forward shopLines']);
    expect(relations['shop.lines']).toEqual([
      'shopNotes many reverse shopNotes',
      'shopPairsAB many reverse shopPairs',
      'shopPairsCD many reverse shopPairs',
    ]);
  });

  it('cross schemas: forward by the child’s schema, back by the child’s too', () => {
    const customers = table('shop.customers', [id, column('user_id', 'int4')], {
      foreignKeys: [foreignKey('fk', ['user_id'], 'kanban.users', ['id'])],
    });
    expect(relationsOf(users, customers)).toEqual({
      'kanban.users': ['shopCustomers many reverse shopCustomers'],
      'shop.customers': ['shopUserId one forward kanbanUsers'],
    });
  });

  it('of a table to itself go both ways', () => {
    const tree = issues(['parent_id'], { foreignKeys: [foreignKey('fk', ['parent_id'], 'kanban.issues', ['id'])] });
    expect(relationsOf(tree)['kanban.issues']).toEqual([
      'kanbanParentId one forward kanbanIssues',
      'kanbanIssues many reverse kanbanIssues',
    ]);
  });

  it('are one where two constraints say the same', () => {
    const child = issues(['project_id'], {
      foreignKeys: [
        foreignKey('b', ['project_id'], 'kanban.projects', ['id']),
        foreignKey('a', ['project_id'], 'kanban.projects', ['id']),
      ],
    });
    const model = buildModel(catalog({ tables: [projects, child] }));
    expect(model.tables.flatMap((each) => each.relations).map((each) => each.descriptor.constraint)).toEqual([
      'a',
      'a',
    ]);
  });

  it('name the parent too where one column refers to two', () => {
    const child = issues(['owner'], {
      foreignKeys: [
        foreignKey('a', ['owner'], 'kanban.users', ['id']),
        foreignKey('b', ['owner'], 'kanban.projects', ['id']),
      ],
    });
    expect(relationsOf(users, projects, child)['kanban.issues']).toEqual([
      'kanbanOwnerUsers one forward kanbanUsers',
      'kanbanOwnerProjects one forward kanbanProjects',
    ]);
  });

  it('give way to a column of the same name', () => {
    const child = table('kanban.issues', [id, column('project_id', 'int4'), column('kanbanProjectId')], {
      foreignKeys: [foreignKey('fk', ['project_id'], 'kanban.projects', ['id'])],
    });
    expect(relationsOf(projects, child)['kanban.issues']).toEqual([
      'kanbanProjectIdProjects one forward kanbanProjects',
    ]);
  });

  it('to tables that are not served are left out', () => {
    const child = issues(['project_id'], { foreignKeys: [foreignKey('fk', ['project_id'], 'kanban.gone', ['id'])] });
    expect(relationsOf(child)['kanban.issues']).toEqual([]);
  });
});
