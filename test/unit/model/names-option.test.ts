import type { Catalog, Column, ForeignKey, Table } from '../../../runtime/src/catalog/catalog.js';
import { buildModel, type Model, type ModelOptions, type Names } from '../../../runtime/src/generator.js';
import {
  argument,
  catalog,
  column,
  composite,
  enumType,
  foreignKey,
  primaryKey,
  routine,
  shuffled,
  table,
  typeRef,
} from '../../support/catalog.js';

const id = column('id', 'int4');
const int = (name: string): Column => column(name, 'int4', { nullable: true });

/**
 * A table with the columns of its foreign keys: `refers('kanban.issues', { assignee_id:
 * 'kanban.users' })`.
 */
function refers(path: string, keys: Readonly<Record<string, string>>, more: readonly Column[] = []): Table {
  const foreignKeys: readonly ForeignKey[] = Object.entries(keys).map(([name, target]) =>
    foreignKey(`${path}_${name}`, [name], target, ['id']),
  );
  const columns = Object.keys(keys).filter((name) => name !== 'id' && !more.some((each) => each.name === name));
  return table(path, [id, ...columns.map(int), ...more], { primaryKey: primaryKey('id'), foreignKeys });
}

const plain = (path: string, ...more: readonly string[]): Table =>
  refers(
    path,
    {},
    more.map((name) => column(name)),
  );

function junction(path: string, left: readonly [string, string], right: readonly [string, string]): Table {
  const [near, far] = [left, right].map(([name, target]) => foreignKey(`${path}_${name}`, [name], target, ['id']));
  return table(path, [column(left[0], 'int4'), column(right[0], 'int4')], {
    primaryKey: primaryKey(left[0], right[0]),
    foreignKeys: [near, far].filter((key) => key !== undefined),
  });
}

function build(names: Names, facts: readonly Table[] | Partial<Catalog>, options: ModelOptions = {}): Model {
  const read = catalog('length' in facts ? { tables: facts } : facts);
  const model = buildModel(read, { ...options, names });
  // Names depend on the set of objects, and never on their order.
  expect(namesIn(buildModel(shuffled(read, 7), { ...options, names }))).toEqual(namesIn(model));
  return model;
}

const namesIn = (model: Model): unknown =>
  model.tables.map(({ descriptor, columns, relations, computed }) => [
    descriptor.type,
    descriptor.field,
    columns.map(({ field }) => field),
    relations.map((each) => each.descriptor.name).sort(),
    computed.map(({ field }) => field).sort(),
  ]);

const relationsOf = (model: Model, name: string): readonly string[] =>
  model.tables.find(({ descriptor }) => descriptor.name === name)?.relations.map((each) => each.descriptor.name) ?? [];

const columnsOf = (model: Model, name: string): readonly string[] =>
  model.tables.find(({ descriptor }) => descriptor.name === name)?.columns.map(({ field }) => field) ?? [];

const warningsOf = ({ warnings }: Model): readonly string[] =>
  warnings.map(({ message, hint }) => `${message} ${hint}`);

describe('schemaPrefix', () => {
  const one = [plain('kanban.issue_labels')];
  const two = [...one, plain('shop.orders')];
  const typesOf = (model: Model): readonly string[] =>
    model.tables.map(({ descriptor: { type, field }, fields }) => `${type} ${field} ${fields.byPk} ${fields.create}`);

  it.each([
    ['always', one, ['KanbanIssueLabels kanbanIssueLabels kanbanIssueLabelsByPk createKanbanIssueLabels']],
    ['several', one, ['IssueLabels issueLabels issueLabelsByPk createIssueLabels']],
    [
      'several',
      two,
      [
        'KanbanIssueLabels kanbanIssueLabels kanbanIssueLabelsByPk createKanbanIssueLabels',
        'ShopOrders shopOrders shopOrdersByPk createShopOrders',
      ],
    ],
    [
      'never',
      two,
      ['IssueLabels issueLabels issueLabelsByPk createIssueLabels', 'Orders orders ordersByPk createOrders'],
    ],
  ] as const)('%s', (schemaPrefix, tables, expected) => {
    expect(typesOf(build({ schemaPrefix }, tables))).toEqual(expected);
  });

  it('several counts what is served: an excluded schema is none', () => {
    expect(typesOf(build({ schemaPrefix: 'several' }, two, { exclude: ['shop.*'] }))[0]).toContain(
      'IssueLabels issueLabels ',
    );
  });

  it('never: enums, composites, procedures and functions have none either', () => {
    const model = build(
      { schemaPrefix: 'never' },
      {
        tables: [
          table('kanban.issues', [
            column('status', typeRef('kanban.issue_status', { kind: 'enum' })),
            column('size', typeRef('kanban.box', { kind: 'composite' })),
          ]),
        ],
        enums: [enumType('kanban.issue_status', ['open'])],
        composites: [composite('kanban.box', { side_length: 'int4' })],
        routines: [
          routine('kanban.close_issue'),
          routine('kanban.count_open', { kind: 'function', volatility: 'stable', returns: typeRef('int4') }),
        ],
      },
      { functions: ['kanban.count_open'] },
    );
    expect(model.enums.map(({ descriptor }) => descriptor.type)).toEqual(['IssueStatus']);
    expect(model.composites.map(({ descriptor }) => descriptor.type)).toEqual(['Box']);
    expect(model.procedures.map(({ descriptor }) => descriptor.field)).toEqual(['callCloseIssue']);
    expect(model.functions.map(({ descriptor }) => descriptor.field)).toEqual(['countOpen']);
  });

  it('never: of equal names in two schemas each keeps its prefix, and a warning says so', () => {
    const model = build({ schemaPrefix: 'never' }, [
      plain('crm.issues'),
      plain('kanban.issues'),
      plain('kanban.users'),
    ]);
    expect(model.tables.map(({ descriptor }) => descriptor.type)).toEqual(['CrmIssues', 'KanbanIssues', 'Users']);
    expect(warningsOf(model)).toEqual([
      "crm.issues is called CrmIssues in GraphQL, because the name it would have, Issues, is taken by kanban.issues. Choose a name: rename: { 'crm.issues': { name: '…' } }.",
      "kanban.issues is called KanbanIssues in GraphQL, because the name it would have, Issues, is taken by crm.issues. Choose a name: rename: { 'kanban.issues': { name: '…' } }.",
    ]);
    const renamed = build({ schemaPrefix: 'never' }, [plain('crm.issues'), plain('kanban.issues')], {
      rename: { 'crm.issues': { name: 'Tickets' } },
    });
    expect(renamed.tables.map(({ descriptor }) => descriptor.field)).toEqual(['tickets', 'issues']);
    expect(renamed.warnings).toEqual([]);
  });

  it('never: names of GraphQL, of the server and of JavaScript are kept free', () => {
    const reserved = ['query', 'page_info', 'map', 'date', 'constructor', 'to_string'];
    const model = build(
      { schemaPrefix: 'never' },
      reserved.map((name) => plain(`app.${name}`)),
    );
    const types = model.tables.map(({ descriptor }) => descriptor.type);
    expect(types).toEqual(['AppConstructor', 'AppDate', 'AppMap', 'AppPageInfo', 'AppQuery', 'AppToString']);
    expect(model.warnings).toHaveLength(reserved.length);
  });

  it('never: a table gives way to another’s own types', () => {
    const model = build({ schemaPrefix: 'never' }, [plain('app.issues'), plain('app.issues_connection')]);
    expect(model.tables.map(({ descriptor }) => descriptor.type)).toEqual(['Issues', 'AppIssuesConnection']);
  });
});

describe('columns', () => {
  it('database: as they are, which is the default', () => {
    expect(columnsOf(build({}, [plain('a.t', 'story_points')]), 't')).toEqual(['id', 'story_points']);
  });

  it.each([
    ['story_points', 'storyPoints'],
    ['storyPoints', 'storyPoints'],
    ['StoryPoints', 'storyPoints'],
    ['STORY_POINTS', 'storyPoints'],
    ['URLPath', 'urlPath'],
    ['URL', 'url'],
    ['Just A Column', 'justAColumn'],
    ['_private_note', '_privateNote'],
    ['__proto__', '_proto'],
    ['1st_place', '_1stPlace'],
    ['line_1_2', 'line1_2'],
    ['and', 'and_'],
    ['naïve_name', 'na_u00efveName'],
    ['_', '_'],
  ])('camel: %s is %s', (name, expected) => {
    expect(columnsOf(build({ columns: 'camel' }, [plain('a.t', name)]), 't')).toEqual(['id', expected]);
  });

  it('camel: the column with the very name keeps it, and the other has the database’s', () => {
    const model = build({ columns: 'camel' }, [plain('a.t', 'foo_bar', 'fooBar')]);
    expect(columnsOf(model, 't')).toEqual(['id', 'foo_bar', 'fooBar']);
    expect(warningsOf(model)).toEqual([
      "a.t.foo_bar is the field foo_bar of a.t, because the name it would have, fooBar, is taken by a.t.fooBar. Choose a name: rename: { 'a.t': { columns: { foo_bar: '…' } } }.",
    ]);
  });

  it('camel: two that are alike both have the database’s', () => {
    const model = build({ columns: 'camel' }, [plain('a.t', 'foo_bar', 'foo__bar', 'Foo Bar')]);
    expect(columnsOf(model, 't')).toEqual(['id', 'foo_bar', 'foo__bar', 'Foo_Bar']);
    expect(warningsOf(model).at(-1)).toContain("rename: { 'a.t': { columns: { 'Foo Bar': '…' } } }");
  });

  it('camel: a rename goes before, and a column that wants its name moves', () => {
    const model = build({ columns: 'camel' }, [plain('a.t', 'story_points', 'old_name')], {
      rename: { 'a.t': { columns: { old_name: 'label' } } },
    });
    expect(columnsOf(model, 't')).toEqual(['id', 'storyPoints', 'label']);
    expect(() =>
      build({ columns: 'camel' }, [plain('a.t', 'story_points', 'old_name')], {
        rename: { 'a.t': { columns: { old_name: 'storyPoints' } } },
      }),
    ).toThrow('The configuration renames a.t so that it needs the name storyPoints, which a.t.story_points has.');
  });

  it('camel: attributes, arguments and computed fields are, too', () => {
    const row = typeRef('a.t', { kind: 'composite' });
    const model = build(
      { columns: 'camel' },
      {
        tables: [table('a.t', [column('size', typeRef('a.box', { kind: 'composite' }))])],
        composites: [composite('a.box', { side_length: 'int4' })],
        routines: [
          routine('a.do_it', { arguments: [argument('first_one', 'int4'), argument('', 'int4')] }),
          routine('a.t_full_name', {
            kind: 'function',
            volatility: 'stable',
            arguments: [argument('', row)],
            returns: typeRef('text'),
          }),
        ],
      },
    );
    expect(model.composites[0]?.attributes.map(({ field }) => field)).toEqual(['sideLength']);
    expect(model.procedures[0]?.descriptor.arguments.map(({ field }) => field)).toEqual(['firstOne', 'arg2']);
    expect(model.tables[0]?.computed.map(({ field }) => field)).toEqual(['fullName']);
  });
});

describe('relations', () => {
  const simple: Names = { relations: 'simple' };
  const users = plain('kanban.users');

  it('simple: forward after the column, back after the table, over a junction after the other table', () => {
    const model = build(simple, [
      users,
      plain('kanban.labels'),
      refers('kanban.issues', { assignee_id: 'kanban.users' }),
      junction('kanban.issue_labels', ['issue_id', 'kanban.issues'], ['label_id', 'kanban.labels']),
    ]);
    expect(relationsOf(model, 'issues')).toEqual(['assignee', 'issueLabels', 'labels']);
    expect(relationsOf(model, 'users')).toEqual(['issues']);
    expect(relationsOf(model, 'labels')).toEqual(['issueLabels', 'issues']);
    expect(model.warnings).toEqual([]);
  });

  it.each([
    ['assignee_id', 'assignee'],
    ['assigneeId', 'assignee'],
    ['assigneeID', 'assignee'],
    ['ASSIGNEE_ID', 'assignee'],
    ['created_by', 'createdBy'],
    ['paid_id', 'paid'],
    ['not_id', 'not_'],
  ])('simple: %s leads forward as %s', (name, expected) => {
    const model = build({ ...simple, columns: 'database' }, [
      users,
      refers('kanban.issues', { [name]: 'kanban.users' }),
    ]);
    expect(relationsOf(model, 'issues')).toEqual([expected]);
  });

  it('simple: a key that is an id alone, or several columns, leads forward by the other table’s name', () => {
    const lines = table('shop.lines', [column('order_no', 'int4'), column('line_no', 'int4')], {
      primaryKey: primaryKey('order_no', 'line_no'),
    });
    const notes = table('shop.notes', [id, int('order_no'), int('line_no')], {
      primaryKey: primaryKey('id'),
      foreignKeys: [foreignKey('fk', ['order_no', 'line_no'], 'shop.lines', ['order_no', 'line_no'])],
    });
    const model = build(simple, [users, refers('kanban.profiles', { id: 'kanban.users' }), lines, notes]);
    expect(relationsOf(model, 'profiles')).toEqual(['users']);
    expect(relationsOf(model, 'notes')).toEqual(['lines']);
  });

  it('simple: several keys of one table have the column in their names on the way back', () => {
    const issues = refers('kanban.issues', { assignee_id: 'kanban.users', reporter_id: 'kanban.users' });
    const model = build(simple, [users, issues]);
    expect(relationsOf(model, 'users')).toEqual(['issuesByAssignee', 'issuesByReporter']);
    const renamed = build(simple, [users, issues], {
      rename: {
        'kanban.users': { relations: { issuesByAssignee: 'assignedIssues', issuesByReporter: 'reportedIssues' } },
      },
    });
    expect(relationsOf(renamed, 'users')).toEqual(['assignedIssues', 'reportedIssues']);
    expect([...model.warnings, ...renamed.warnings]).toEqual([]);
  });

  it('simple: tables of one name in two schemas are told apart by the schema', () => {
    const model = build({ ...simple, schemaPrefix: 'never' }, [
      users,
      refers('crm.notes', { user_id: 'kanban.users' }),
      refers('kanban.notes', { user_id: 'kanban.users' }),
    ]);
    expect(relationsOf(model, 'users')).toEqual(['crmNotes', 'kanbanNotes']);
  });

  it('simple: a column keeps its name, and the relation says what is next', () => {
    const model = build(simple, [
      users,
      refers('kanban.issues', { assignee: 'kanban.users' }),
      plain('kanban.boards', 'issues'),
    ]);
    expect(relationsOf(model, 'issues')).toEqual(['assigneeUsers']);
    expect(warningsOf(model)).toEqual([
      "kanban.issues.kanban.issues_assignee is the field assigneeUsers of kanban.issues, because the name it would have, assignee, is taken by kanban.issues.assignee. Choose a name: rename: { 'kanban.issues': { relations: { assigneeUsers: '…' } } }.",
    ]);
    const boards = build(simple, [
      plain('kanban.boards', 'issues'),
      refers('kanban.issues', { board_id: 'kanban.boards' }),
    ]);
    expect(relationsOf(boards, 'boards')).toEqual(['issuesByBoard']);
    expect(warningsOf(boards)[0]).toContain('issues, is taken by kanban.boards.issues');
  });

  it('simple: a forward relation goes before a reverse one, and that before one over a junction', () => {
    const model = build(simple, [
      plain('a.tags'),
      refers('a.posts', { comments_id: 'a.pins' }),
      plain('a.pins'),
      refers('a.comments', { post_id: 'a.posts' }),
      refers('a.tags_of', { post_id: 'a.posts' }),
      junction('a.post_tags', ['post_id', 'a.posts'], ['tag_id', 'a.tags']),
      refers('b.tags', { post_id: 'a.posts' }),
    ]);
    expect(relationsOf(model, 'posts')).toEqual([
      'comments',
      'commentsByPost',
      'postTags',
      'tagsOf',
      'tags',
      'tagsViaPostTags',
    ]);
    expect(model.warnings).toHaveLength(2);
  });

  it('simple: two junctions to one table, and one that joins a table to itself', () => {
    const model = build(simple, [
      users,
      plain('kanban.teams'),
      junction('kanban.members', ['user_id', 'kanban.users'], ['team_id', 'kanban.teams']),
      junction('kanban.owners', ['user_id', 'kanban.users'], ['team_id', 'kanban.teams']),
      junction('kanban.follows', ['follower_id', 'kanban.users'], ['followed_id', 'kanban.users']),
    ]);
    const relations = relationsOf(model, 'users');
    expect(relations).toEqual(expect.arrayContaining(['teamsViaMembers', 'teamsViaOwners']));
    expect(relations).toEqual(expect.arrayContaining(['usersViaFollowsByFollowed', 'usersViaFollowsByFollower']));
    expect(relations).toEqual(expect.arrayContaining(['followsByFollowed', 'followsByFollower', 'members', 'owners']));
    expect(relations).toHaveLength(8);
  });

  it('simple: the aggregate of a list is not a column of that name', () => {
    const model = build({ ...simple, columns: 'camel' }, [
      plain('a.boards', 'issues_aggregate'),
      refers('a.issues', { board_id: 'a.boards' }),
    ]);
    expect(columnsOf(model, 'boards')).toEqual(['id', 'issuesAggregate']);
    expect(relationsOf(model, 'boards')).toEqual(['issuesByBoard']);
  });
});
