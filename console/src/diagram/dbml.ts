import type { QualifiedName, ReferentialAction } from '@tablewright/runtime/console';
import type { Diagram, DiagramColumn, DiagramEnd, DiagramReference, DiagramTable } from './diagram.js';

/** A diagram in DBML, the language of dbdiagram.io: https://dbml.dbdiagram.io/docs */
export function toDbml({ tables, references, enums }: Diagram): string {
  const parts = [
    ...enums
      .filter(({ labels }) => labels.length > 0)
      .map((each) => `Enum ${qualified(each)} {\n${each.labels.map((label) => `  ${quoted(label)}`).join('\n')}\n}`),
    ...tables.filter(({ columns }) => columns.length > 0).map(tableText),
    ...withoutEqual(references).map(referenceText),
  ];
  return `${parts.join('\n\n')}\n`;
}

function tableText(table: DiagramTable): string {
  const { columns, primaryKey, uniques, comment, kind } = table;
  const keys = [
    ...(primaryKey.length > 1 ? [`${columnList(primaryKey)} [pk]`] : []),
    ...uniques.filter((unique) => unique.length > 1).map((unique) => `${columnList(unique)} [unique]`),
  ];
  const note = [...(comment === null ? [] : [comment]), ...(kind === 'table' ? [] : [`(${words[kind]})`])].join(' ');
  return [
    `Table ${qualified(table)} {`,
    ...columns.map((column) => `  ${columnText(column, table)}`),
    ...(keys.length === 0 ? [] : ['', '  indexes {', ...keys.map((key) => `    ${key}`), '  }']),
    ...(note === '' ? [] : ['', `  Note: ${text(note)}`]),
    '}',
  ].join('\n');
}

const words = {
  table: 'table',
  partitionedTable: 'partitioned table',
  foreignTable: 'foreign table',
  view: 'view',
  materializedView: 'materialized view',
} as const satisfies Record<DiagramTable['kind'], string>;

function columnText({ name, type, enum: labels, nullable, comment }: DiagramColumn, table: DiagramTable): string {
  const isAlone = (keys: readonly string[]): boolean => keys.length === 1 && keys[0] === name;
  const settings = [
    ...(isAlone(table.primaryKey) ? ['pk'] : []),
    ...(table.uniques.some(isAlone) ? ['unique'] : []),
    ...(nullable ? [] : ['not null']),
    ...(comment === null || comment === '' ? [] : [`note: ${text(comment)}`]),
  ];
  const shown = labels === undefined ? quoted(type) : qualified(labels);
  return `${quoted(name)} ${shown}${settings.length === 0 ? '' : ` [${settings.join(', ')}]`}`;
}

/** DBML takes one reference between the same columns. */
function withoutEqual(references: readonly DiagramReference[]): readonly DiagramReference[] {
  const byEnds = new Map<string, DiagramReference>();
  for (const each of references) {
    const ends = [each.from, each.to].map((end) => JSON.stringify([end.schema, end.name, end.columns])).sort();
    if (!byEnds.has(ends.join())) byEnds.set(ends.join(), each);
  }
  return [...byEnds.values()];
}

function referenceText({ name, from, to, single, onDelete, onUpdate }: DiagramReference): string {
  const settings = [...action('delete', onDelete), ...action('update', onUpdate)];
  const shown = settings.length === 0 ? '' : ` [${settings.join(', ')}]`;
  return `Ref ${quoted(name)}: ${end(from)} ${single ? '-' : '>'} ${end(to)}${shown}`;
}

const actions = {
  noAction: undefined,
  restrict: 'restrict',
  cascade: 'cascade',
  setNull: 'set null',
  setDefault: 'set default',
} as const satisfies Record<ReferentialAction, string | undefined>;

const action = (event: string, kind: ReferentialAction): readonly string[] =>
  actions[kind] === undefined ? [] : [`${event}: ${actions[kind]}`];

const end = (of: DiagramEnd): string => `${qualified(of)}.${columnList(of.columns)}`;

const columnList = (names: readonly string[]): string => `(${names.map(quoted).join(', ')})`;

const qualified = ({ schema, name }: QualifiedName): string => `${quoted(schema)}.${quoted(name)}`;

/**
 * A quoted name. A line break would end it, so `escaped` writes `
 * `.
 */
const quoted = (name: string): string => `"${escaped(name, '"')}"`;

const text = (value: string): string => `'${escaped(value, "'")}'`;

const escaped = (value: string, quote: string): string =>
  value
    .replace(/\\/g, '\\\\')
    .replaceAll(quote, `\\${quote}`)
    .replace(/\r\n|[\r\n]/g, '\\n');
