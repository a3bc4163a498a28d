import * as dagre from '@dagrejs/dagre';
import { Parser } from '@dbml/core';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import mermaid from 'mermaid';
import { diagramOf, layOut, toDbml, toMermaid, toSvg, type Diagram } from '../../../console/src/diagram/index.js';
import { catalog, column, enumType, foreignKey, primaryKey, table, typeRef, unique } from '../../support/catalog.js';

const board = diagramOf(
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
const names = [
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

const hostile = diagramOf(
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

const parsedXml = (svg: string) => new DOMParser({ onError: onErrorStopParsing }).parseFromString(svg, 'image/svg+xml');

const svgOf = (diagram: Diagram): string => toSvg(layOut(diagram, dagre));

/** The result of the DBML parser: tables with columns, and the number of references. */
function readDbml(text: string) {
  const { schemas } = new Parser().parse(text, 'dbmlv2');
  return {
    tables: schemas.flatMap((schema) =>
      schema.tables.map((each) => ({
        schema: schema.name,
        name: each.name,
        columns: each.fields.map(({ name }) => name),
      })),
    ),
    references: schemas.reduce((sum, { refs }) => sum + refs.length, 0),
    enums: schemas.flatMap((schema) => schema.enums.map((each) => each.name)),
  };
}

describe('a catalogue as a diagram', () => {
  test('has the references between its tables, and the enums that are used', () => {
    expect(board.references.map(({ name, single, optional }) => ({ name, single, optional }))).toEqual([
      { name: 'assignee', single: false, optional: true },
      { name: 'parent', single: false, optional: true },
      { name: 'of', single: true, optional: false },
    ]);
    expect(board.enums).toEqual([{ schema: 'kanban', name: 'status', labels: ['to do', 'done'] }]);
  });
});

describe('DBML', () => {
  test('says keys, references, enums and comments', () => {
    const text = toDbml(board);
    expect(text).toContain('Enum "kanban"."status" {\n  "to do"\n  "done"\n}');
    expect(text).toContain(`"handle" "text" [unique, not null, note: 'Short, as in \\'@ada\\'.']`);
    expect(text).toContain('("kind", "at") [unique]');
    expect(text).toContain(
      'Ref "assignee": "kanban"."issues".("assignee_id") > "kanban"."users".("id") [delete: set null]',
    );
    expect(text).toContain('Ref "of": "kanban"."profiles".("user_id") - "kanban"."users".("id")');
    expect(text).toContain("Note: '(view)'");
  });

  test('is what its parser reads', () => {
    const read = readDbml(toDbml(board));
    expect(read.tables).toEqual(
      board.tables.map(({ schema, name, columns }) => ({ schema, name, columns: columns.map((each) => each.name) })),
    );
    expect(read).toMatchObject({ references: 3, enums: ['status'] });
  });

  test('of hostile names, too', () => {
    const read = readDbml(toDbml(hostile));
    expect(read.tables).toHaveLength(names.length);
    for (const { columns } of read.tables) expect(columns).toHaveLength(names.length);
    expect(read.references).toBe(names.length);
    expect(read.tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['a"b', "a'b", 'a\\', '__proto__', '表']),
    );
  });
});

describe('Mermaid', () => {
  test('says keys and how many rows there are of each', () => {
    const text = toMermaid(board);
    expect(text).toContain(
      '  t2["kanban.issues"] {\n    int4 id PK\n    kanban.status status\n    int4 assignee_id FK',
    );
    expect(text).toContain('  t1 |o--o{ t2 : "assignee_id"');
    expect(text).toContain('  t1 ||--o| t3 : "user_id"');
  });

  test.each([
    ['a board', board],
    ['hostile names', hostile],
    ['nothing', { tables: [], references: [], enums: [] }],
  ])('is what its parser takes: %s', async (_name, diagram) => {
    await expect(mermaid.parse(toMermaid(diagram))).resolves.toMatchObject({ diagramType: 'er' });
  });
});

describe('SVG', () => {
  test('is XML with a group per table and a path per reference', () => {
    const document = parsedXml(svgOf(board));
    const groups = [...document.getElementsByTagName('g')];
    expect(groups.map((group) => group.getAttribute('data-table'))).toEqual(
      expect.arrayContaining(board.tables.map(({ schema, name }) => JSON.stringify([schema, name]))),
    );
    const lines = [...document.getElementsByTagName('path')].filter((path) => path.getAttribute('class') === 'line');
    expect(lines).toHaveLength(3);
  });

  test('lays no table over another one', () => {
    const { boxes, width, height } = layOut(board, dagre);
    for (const box of boxes) {
      expect(box.x).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width).toBeLessThanOrEqual(width);
      expect(box.y + box.height).toBeLessThanOrEqual(height);
      for (const other of boxes) {
        if (other === box) continue;
        const apart =
          box.x + box.width <= other.x ||
          other.x + other.width <= box.x ||
          box.y + box.height <= other.y ||
          other.y + other.height <= box.y;
        expect([box.key, other.key, apart]).toEqual([box.key, other.key, true]);
      }
    }
  });

  test('shows hostile names as text, and has no element that is not its own', () => {
    const document = parsedXml(svgOf(hostile));
    expect(document.getElementsByTagName('script')).toHaveLength(0);
    expect(document.getElementsByTagName('g')).toHaveLength(names.length);
    expect([...document.getElementsByTagName('text')].map((text) => text.textContent)).toContain('&amp;.&amp;');
  });

  test('of nothing is an empty picture', () => {
    expect(parsedXml(svgOf({ tables: [], references: [], enums: [] })).documentElement?.tagName).toBe('svg');
  });
});

test('a thousand tables in each form', async () => {
  const many = diagramOf(
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
  expect(readDbml(toDbml(many)).tables).toHaveLength(1000);
  await expect(mermaid.parse(toMermaid(many))).resolves.toMatchObject({ diagramType: 'er' });
  expect(parsedXml(svgOf(many)).getElementsByTagName('g')).toHaveLength(1000);
});
