/// <reference lib="dom" />
import type { ConsoleModel, ConsoleRelation, ConsoleTable } from '../console-model.js';
import { element, fill, type Child } from './dom.js';
import { labelOf } from './labels.js';
import { tableOf, titleOf } from './links.js';
import { messageOf, rowsOf, send, totalOf, type Row } from './requests.js';
import { columnOf, readRequest, rowsWhere, textOf } from './row-state.js';

/** Related rows that are listed by name; the others are counted. */
const mostNamed = 5;

/** The rows that a row refers to, and those that refer to it, with links. */
export function relatedRows(model: ConsoleModel, table: ConsoleTable, row: Row): HTMLElement {
  const relations = table.relations.filter(({ direction }) => direction === 'forward' || direction === 'reverse');
  const items = relations.flatMap((relation) => {
    const other = tableOf(model, relation.table);
    const values = relation.columns.map((name) => row[columnOf(table, name)?.rest ?? name]);
    if (other === undefined || values.some((value) => value == null)) return [];
    return [relatedItem(model, relation, other, values.map(textOf))];
  });
  return element(
    'section',
    { class: 'related' },
    element('h3', {}, 'Related rows'),
    items.length === 0 ? element('p', { class: 'soft' }, 'None.') : element('ul', {}, items),
  );
}

function relatedItem(
  model: ConsoleModel,
  relation: ConsoleRelation,
  other: ConsoleTable,
  values: readonly string[],
): HTMLElement {
  const pairs = relation.references.map((column, at): readonly [string, string] => [column, values[at] ?? '']);
  const place = element('span', { class: 'soft' }, '…');
  const show = async (): Promise<void> => {
    const filter = pairs.map(
      ([column, value]) =>
        `${encodeURIComponent(columnOf(other, column)?.rest ?? column)}=eq.${encodeURIComponent(value)}`,
    );
    const order = other.primaryKey.map((name) => encodeURIComponent(columnOf(other, name)?.rest ?? name)).join(',');
    const query = [...filter, ...(order === '' ? [] : [`order=${order}`]), `limit=${String(mostNamed)}`].join('&');
    const answer = await send(readRequest(model, other, query, { Prefer: 'count=estimated' }));
    const rows = rowsOf(answer);
    fill(place, rows === undefined ? messageOf(answer) : named(other, rows, totalOf(answer) ?? rows.length));
  };
  show().catch((error: unknown) => {
    place.textContent = String(error);
  });
  const by = relation.direction === 'forward' ? relation.columns : relation.references;
  return element(
    'li',
    {},
    element('a', { href: rowsWhere(other, pairs) }, titleOf(model, other)),
    element(
      'span',
      { class: 'soft' },
      relation.direction === 'forward' ? ` that ${by.join(', ')} refers to: ` : ` by ${by.join(', ')}: `,
    ),
    place,
  );
}

function named(table: ConsoleTable, rows: readonly Row[], total: number): Child {
  if (rows.length === 0) return 'no rows that this caller sees';
  const label = labelOf(table);
  const names = rows.map((row) => {
    const key = table.primaryKey.map((name) => textOf(row[columnOf(table, name)?.rest ?? name]));
    const text = label === undefined || row[label.rest] == null ? '' : textOf(row[label.rest]);
    return (key.includes(text) || text === '' ? key.join(', ') : `${key.join(', ')} ${text}`).slice(0, 60);
  });
  const more = total - rows.length;
  return `${names.join(' · ')}${more > 0 ? ` and ${String(more)} more` : ''}`;
}
