import { diagramOf } from '../../console/src/diagram/index.js';
import { catalog, column, enumType, foreignKey, primaryKey, table, typeRef, unique } from './catalog.js';

/** Diagrams for each format that they are written in. */

export const board = diagramOf(
  catalog({
    enums: [enumType('kanban.status', ['to do', 'done']), enumType('kanban.unused', ['a'])],
    tables: [
      table('kanban.users', [column('id', 'int4'), column('handle', 'text', { comment: "Short, as in '@ada'." })], {
        primaryKey: primaryKey('id'),
        uniques: [unique('users_handle', ['handle'])],
        comment: 'People.',
      }),
      table(
        'kanban.issues',
        [
          column('id', 'int4'),
          column('status', typeRef('kanban.status', { kind: 'enum' })),
          column('assignee_id', 'int4', { nullable: true }),
          column('parent_id', 'int4', { nullable: true }),
        ],
        {
          primaryKey: primaryKey('id'),
          foreignKeys: [
            { ...foreignKey('assignee', ['assignee_id'], 'kanban.users', ['id']), onDelete: 'setNull' },
            foreignKey('parent', ['parent_id'], 'kanban.issues', ['id']),
            foreignKey('away', ['id'], 'other.place', ['id']),
          ],
        },
      ),
      table('kanban.profiles', [column('user_id', 'int4'), column('kind', 'text'), column('at', 'int4')], {
        primaryKey: primaryKey('user_id'),
        uniques: [unique('kinds', ['kind', 'at'])],
        foreignKeys: [foreignKey('of', ['user_id'], 'kanban.users', ['id'])],
      }),
      table('kanban.titles', [column('title', 'text', { nullable: true })], { kind: 'view' }),
    ],
  }),
);

/** Names that end a string, a comment or a line in each format, or that are keywords of it. */
export const names = [
  'a"b',
  "a'b",
  'a\\',
  'a\\"',
  'line\nbreak',
  'a]b[c',
  '}',
  '{',
  '</text><script>alert(1)</script>',
  '&amp;',
  'a]]>b',
  '%%comment',
  '#35;',
  '// x',
  "'''",
  'PK',
  'Table',
  'note',
  'constructor',
  '__proto__',
  '1st',
  ' ',
  'naïve ünïcode',
  '表',
  '👩‍👩‍👧',
  '`x`',
  'a.b',
  '~x~',
  '\u0001\u0002',
  'x'.repeat(63),
];

export const hostile = diagramOf(
  catalog({
    enums: names.map((name) => ({ schema: name, name, labels: names, comment: null })),
    tables: names.map((name, at) => ({
      ...table(
        'x.y',
        names.map((each) =>
          column(
            each,
            { ...typeRef('text'), schema: each, name: each, kind: 'enum', formatted: `"${each}"` },
            { comment: each },
          ),
        ),
        {
          comment: name,
          primaryKey: primaryKey(...names.slice(0, 2)),
          uniques: [unique('u', [name])],
        },
      ),
      schema: name,
      name,
      foreignKeys: [
        {
          ...foreignKey(name, [name], 'x.y', [name]),
          references: {
            schema: names[(at + 1) % names.length] ?? '',
            name: names[(at + 1) % names.length] ?? '',
            columns: [name],
          },
        },
      ],
    })),
  }),
);

/** A thousand tables, most of them with two references. */
export const many = diagramOf(
  catalog({
    tables: Array.from({ length: 1000 }, (_, at) =>
      table(
        `s.t${at}`,
        [column('id', 'int4'), column('a', 'int4'), column('b', 'int4', { nullable: true }), column('name')],
        {
          primaryKey: primaryKey('id'),
          foreignKeys:
            at % 10 === 0
              ? []
              : [foreignKey('a', ['a'], `s.t${at % 97}`, ['id']), foreignKey('b', ['b'], `s.t${at >> 2}`, ['id'])],
        },
      ),
    ),
  }),
);
