import * as dagre from '@dagrejs/dagre';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { layOut, toDbml, toMermaid, toSvg, type Diagram } from '../../../console/src/diagram/index.js';
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

test('a thousand tables', () => {
  expect(parsedXml(svgOf(many)).getElementsByTagName('g')).toHaveLength(1000);
});
