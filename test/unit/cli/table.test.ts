import { fitted, renderTable, wrapped } from '../../../src/cli/table.js';

const long = 'a_schema_of_a_long_name.and_a_table_whose_name_is_as_long_as_a_name_may_be_in_postgresql';

test('a table is made to fit: the columns that give are cut, the widest first', () => {
  const rows = [
    ['table', 'kind', 'key'],
    [long, 'materialised', long],
    ['kanban.issues', 'table', 'id'],
  ];
  const lines = renderTable(fitted(rows, [0, 2], 80));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  expect(lines[1]).toContain('…  materialised  a_schema');
  expect(lines[2]).toMatch(/^kanban\.issues +table +id$/);
});

test('a table that fits is left alone', () => {
  const rows = [['kanban.issues', 'table']];
  expect(fitted(rows, [0], 80)).toEqual(rows);
});

test('words are wrapped, a word that is too long is cut', () => {
  expect(wrapped(['one', 'two', 'three'], 9)).toEqual(['one, two,', 'three']);
  expect(wrapped([long], 10)).toEqual(['a_schema_…']);
});
