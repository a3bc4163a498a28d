import * as dagre from '@dagrejs/dagre';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { layOut, toDbml, toMermaid, toSvg, type Diagram } from '../../../console/src/diagram/index.js';
import { groupDiagram, groupsOf } from '../../../console/src/diagram/groups.js';
import { connect } from '../../../console/src/diagram/layout.js';
import { board, hostile, many, names } from '../../support/diagrams.js';

const parsedXml = (svg: string) => new DOMParser({ onError: onErrorStopParsing }).parseFromString(svg, 'image/svg+xml');

const svgOf = (diagram: Diagram): string => toSvg(layOut(diagram, dagre));

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
    const { boxes, x, y, width, height } = layOut(board, dagre);
    for (const box of boxes) {
      expect(box.x).toBeGreaterThanOrEqual(x);
      expect(box.x + box.width).toBeLessThanOrEqual(x + width);
      expect(box.y + box.height).toBeLessThanOrEqual(y + height);
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

  test('a line begins and ends at the rows of its columns, with marks of their cardinality', () => {
    const layout = layOut(board, dagre);
    const { boxes, lines } = layout;
    const box = (name: string) => {
      const found = boxes.find(({ table }) => table.name === name);
      if (found === undefined) throw new Error(`There is no box ${name}.`);
      return found;
    };
    const rowOf = (name: string, column: string): number => {
      const { y, columns } = box(name);
      return y + 34 + (columns.findIndex((each) => each.name === column) + 0.5) * 18;
    };
    const assignee = lines.find(({ reference }) => reference.name === 'assignee')?.path ?? '';
    expect(assignee).toMatch(new RegExp(`^M\\S+ ${rowOf('issues', 'assignee_id').toFixed(1)} `));
    expect(assignee).toMatch(new RegExp(` ${rowOf('users', 'id').toFixed(1)}$`));
    const marks = Array.from(
      toSvg(layout).matchAll(/marker-start="url\(#(\w+)\)" marker-end="url\(#(\w+)\)"/g),
      (each) => each.slice(1),
    );
    // assignee and parent: many to one or none; profiles of users: one or none to one.
    expect(marks).toEqual([
      ['some', 'maybe'],
      ['some', 'maybe'],
      ['maybe', 'one'],
    ]);
    // The line follows a table that is moved beyond the other.
    const moved = boxes.map((each) => (each === box('users') ? { ...each, x: each.x + 5000, y: -700 } : each));
    const after = connect(moved, board.references);
    expect(after.y).toBeLessThan(-700);
    expect(after.x + after.width).toBeGreaterThan(5000);
    expect(after.lines.find(({ reference }) => reference.name === 'assignee')?.path).toMatch(/ -65[0-9.]+$/);
  });

  test('of keys alone has the columns that lines end at, without types', () => {
    const svg = toSvg(layOut(board, dagre, 'keys'));
    expect(svg).toContain('>assignee_id<');
    expect(svg).not.toContain('>status<');
    expect(svg).not.toContain('class="type"');
  });

  test('has a colour for each schema', () => {
    const colours = Array.from(svgOf(hostile).matchAll(/class="table (s\d)"/g), ([, colour]) => colour);
    expect(new Set(colours).size).toBe(6);
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

test('a thousand tables', () => {
  expect(parsedXml(svgOf(many)).getElementsByTagName('g')).toHaveLength(1000);
});

describe('groups', () => {
  test('of a thousand tables are at most 60 tables each, with lines between them', () => {
    const groups = groupsOf(many.tables);
    expect(groups.flatMap(({ tables }) => tables)).toHaveLength(1000);
    expect(Math.max(...groups.map(({ tables }) => tables.length))).toBeLessThanOrEqual(60);
    const { tables, references } = groupDiagram(groups, many);
    expect(tables[0]).toMatchObject({ schema: 's', name: 't0 to t59 (60)' });
    expect(tables[0]?.columns.map(({ name }) => name)).toEqual(['t0', 't1', 't2', 't3', 't4', 'and 55 more']);
    expect(references.length).toBeGreaterThan(10);
    expect(parsedXml(svgOf({ tables, references, enums: [] })).getElementsByTagName('g')).toHaveLength(tables.length);
  });

  test('are schemas, and of a large schema the first words of names', () => {
    const named = (schema: string, prefix: string, count: number) =>
      Array.from(
        { length: count },
        (_, at) => ({ ...many.tables[0], schema, name: `${prefix}${String(at)}` }) as never,
      );
    const groups = groupsOf([
      ...named('a', 'x_', 3),
      ...named('b', 'sales_', 40),
      ...named('b', 'hr_', 30),
      ...named('b', 'y', 2),
    ]);
    expect(groups.map(({ schema, name, tables }) => [schema, name, tables.length])).toEqual([
      ['a', 'a', 3],
      ['b', 'sales…', 40],
      ['b', 'hr…', 30],
      ['b', 'others', 2],
    ]);
  });
});
