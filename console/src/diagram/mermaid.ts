import { keyOf, type Diagram, type DiagramColumn, type DiagramReference, type DiagramTable } from './diagram.js';

/**
 * A diagram as Mermaid's erDiagram, which GitHub and GitLab show:
 * https://mermaid.js.org/syntax/entityRelationshipDiagram.html
 */
export function toMermaid({ tables, references }: Diagram): string {
  const ids = new Map(tables.map((table, at) => [keyOf(table), `t${String(at + 1)}`]));
  const id = (table: Parameters<typeof keyOf>[0]): string => ids.get(keyOf(table)) ?? '';
  const referring = new Map<string, Set<string>>();
  for (const { from } of references) {
    const columns = referring.get(keyOf(from)) ?? new Set();
    for (const column of from.columns) columns.add(column);
    referring.set(keyOf(from), columns);
  }
  return [
    'erDiagram',
    ...tables.flatMap((table) => entity(table, id(table), referring.get(keyOf(table)) ?? new Set())),
    ...references.map(
      (each) => `  ${id(each.to)} ${ends(each)} ${id(each.from)} : "${label(each.from.columns.join(', '))}"`,
    ),
    '',
  ].join('\n');
}

function entity(table: DiagramTable, id: string, referring: ReadonlySet<string>): readonly string[] {
  const head = `  ${id}["${label(`${table.schema}.${table.name}`)}"]`;
  if (table.columns.length === 0) return [head];
  return [`${head} {`, ...table.columns.map((column) => `    ${attribute(column, table, referring)}`), '  }'];
}

function attribute(column: DiagramColumn, table: DiagramTable, referring: ReadonlySet<string>): string {
  const name = word(column.name);
  const keys = [
    ...(table.primaryKey.includes(column.name) ? ['PK'] : []),
    ...(referring.has(column.name) ? ['FK'] : []),
    ...(table.uniques.some((unique) => unique.length === 1 && unique[0] === column.name) ? ['UK'] : []),
  ];
  // A name that Mermaid has no way to write is said in the comment.
  const note = [...(name === column.name ? [] : [column.name]), ...(column.comment === null ? [] : [column.comment])];
  const parts = [word(column.type), name, keys.join(', '), note.length === 0 ? '' : `"${label(note.join(': '))}"`];
  return parts.filter((part) => part !== '').join(' ');
}

const ends = ({ single, optional }: DiagramReference): string => `${optional ? '|o' : '||'}--${single ? 'o|' : 'o{'}`;

/** A word of Mermaid's grammar: other characters become underscores. */
function word(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9_()[\],.\u00C0-\uFFFF-]/g, '_');
  return /^[A-Za-z_\u00C0-\uFFFF]/.test(plain) && !/^(?:PK|FK|UK)(?![A-Za-z0-9_])/.test(plain) ? plain : `_${plain}`;
}

/** Text between double quotes. Mermaid shows `#37;` as the character of that number. */
const label = (text: string): string =>
  // eslint-disable-next-line no-control-regex -- these are what its lexer stops at
  text.replace(/["%\\#;~]/g, (found) => `#${String(found.charCodeAt(0))};`).replace(/[\u0000-\u001f]+/g, ' ') || ' ';
