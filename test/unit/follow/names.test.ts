import { buildSchema } from 'graphql';
import { buildModel } from '../../../runtime/src/generator.js';
import { findRelationRenames, findRenames, schemaOf } from '../../../src/api/index.js';
import { emitGraphqlSchema } from '../../../src/emit/index.js';
import { edited } from '../../../src/follow/edits.js';
import { followGraphql } from '../../../src/follow/graphql.js';
import { mentionOf } from '../../../src/follow/mention.js';
import { newNames, type NewNames } from '../../../src/follow/names.js';
import { catalog, column, enumType, foreignKey, primaryKey, table, typeRef } from '../../support/catalog.js';

const id = column('id', 'int4');
const status = column('status', typeRef('s.status', { kind: 'enum' }));
const pkey = (name: string) => ({ primaryKey: { ...primaryKey('id'), name } });

const before = catalog({
  tables: [
    table('s.issues', [id, column('title'), status, column('user_id', 'int4')], {
      ...pkey('issues_pkey'),
      foreignKeys: [foreignKey('issues_user_fkey', ['user_id'], 's.users', ['id'])],
    }),
    table('s.users', [id, column('name')], pkey('users_pkey')),
  ],
  enums: [enumType('s.status', ['open', 'in_review'])],
});
const after = catalog({
  tables: [
    table('s.issues', [id, column('headline'), status, column('owner_id', 'int4')], {
      ...pkey('issues_pkey'),
      foreignKeys: [foreignKey('issues_user_fkey', ['owner_id'], 's.people', ['id'])],
    }),
    table('s.people', [id, column('name')], pkey('users_pkey')),
  ],
  enums: [enumType('s.status', ['open', 'reviewing'])],
});

const model = buildModel(before);
const schema = schemaOf(emitGraphqlSchema(model, { 'app.changes.source': 'wal' }).text);

function names(): NewNames {
  const now = buildModel(after);
  const found = findRenames(before, after);
  return newNames(model, now, [...found, ...findRelationRenames(model, now, found)]);
}

const followed = (text: string): string => edited(text, followGraphql(text, schema, names().graphql).edits);

test('names of modules, exports, members, tables and GraphQL follow from renames', () => {
  expect(names()).toMatchObject({
    modules: [
      { from: 's/issues.table', to: 's/issues.table', type: 'SIssues', exports: [] },
      {
        from: 's/users.table',
        to: 's/people.table',
        exports: [
          { from: 'SUsers', to: 'SPeople' },
          { from: 'sUsers', to: 'sPeople' },
        ],
      },
    ],
    enums: [{ module: 's/enums', values: [{ from: 'in_review', to: 'reviewing' }] }],
    tables: [
      {
        from: 's.issues',
        to: 's.issues',
        columns: [
          { from: 'user_id', to: 'owner_id' },
          { from: 'title', to: 'headline' },
        ],
      },
      { from: 's.users', to: 's.people' },
    ],
  });
  const { types, members } = names().graphql;
  expect(types.get('SUsersWhereInput')).toBe('SPeopleWhereInput');
  expect(members.get('Query.sUsersByPk')).toBe('sPeopleByPk');
  expect(members.get('SIssues.sUserId')).toBe('sOwnerId');
  expect(members.get('SIssuesColumn.title')).toBe('headline');
});

describe('followGraphql', () => {
  test.each([
    ['{ sIssues { title } }', '{ sIssues { title: headline } }'],
    ['{ sIssues { t: title } }', '{ sIssues { t: headline } }'],
    ['{ sIssues { headline: title } }', '{ sIssues { headline } }'],
    ['{ sUsers { name } }', '{ sUsers: sPeople { name } }'],
    [
      '{ sIssues(where: { title: { eq: "title" } }) { id } }',
      '{ sIssues(where: { headline: { eq: "title" } }) { id } }',
    ],
    [
      '{ sIssues(where: { status: { in: [open, in_review] } }, distinctOn: [title]) { id } }',
      '{ sIssues(where: { status: { in: [open, reviewing] } }, distinctOn: [headline]) { id } }',
    ],
    ['fragment F on SUsers { name }', 'fragment F on SPeople { name }'],
    [
      'subscription { sUsersChanges { ...C } } fragment C on SUsersChange { data { name } }',
      'subscription { sUsersChanges: sPeopleChanges { ...C } } fragment C on SPeopleChange { data { name } }',
    ],
    [
      '{ sIssues { sUserId { name } } weather(title: 1) { title } }',
      '{ sIssues { sUserId: sOwnerId { name } } weather(title: 1) { title } }',
    ],
  ])('%s', (text, expected) => {
    expect(followed(text)).toBe(expected);
  });

  test('variables and answers that it cannot follow are told', () => {
    const text = 'query ($s: SStatus!, $n: Int) { sIssues(limit: $n) { status } }';
    expect(followGraphql(text, schema, names().graphql).left.map(({ message }) => message)).toEqual([
      'The values of $s come from elsewhere, and SStatus has other names.',
      'status answers other values of SStatus.',
    ]);
  });

  test('another schema has nothing to follow', () => {
    const other = buildSchema('type Query { title: String }');
    expect(followGraphql('{ title }', other, names().graphql)).toEqual({ edits: [], left: [] });
  });
});

test('mentionOf finds old names in SQL and addresses, and not in prose', () => {
  const mention = mentionOf(names());
  expect(mention('select title from s.issues')).toBe('title');
  expect(mention('/api/v1/users?id=eq.1')).toBe('users');
  expect(mention('s.users')).toBe('s.users');
  expect(mention('A title has 200 characters; users know.')).toBeUndefined();
  expect(mention('select titles from s.issues')).toBeUndefined();
});
