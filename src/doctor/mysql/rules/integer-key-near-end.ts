import type { Column, ForeignKey, ReferentialAction, Table } from '@tablewright/runtime/model';
import { afterReview, type Rule } from '../../finding.js';
import { pathOf } from '../../quote.js';
import { severityOf } from '../../rules/sequence-near-end.js';
import { share } from '../../rules/key-range.js';
import type { CounterFacts } from '../facts.js';
import { quoted, quotedList, quotedPath, quotedText } from '../quote.js';
import type { MysqlSubject } from '../subject.js';

/** Bits of each integer type. */
const bits: Readonly<Record<string, bigint>> = { tinyint: 8n, smallint: 16n, mediumint: 24n, int: 32n, bigint: 64n };

export const integerKeyNearEnd: Rule<MysqlSubject> = {
  code: 'integer-key-near-end',
  severities: ['error', 'warning'],
  title: 'Columns with AUTO_INCREMENT near the maximum of their type',
  why: 'When the type has no number left, every insert fails until the column is wider, and changing it rewrites a large table.',
  find: (subject) =>
    subject.facts.counters.flatMap((counter) => {
      const end = largest(counter.type);
      if (end === undefined) return [];
      const last = String(BigInt(counter.next) - 1n);
      const used = share(last, String(end));
      const severity = severityOf(used);
      if (severity === undefined) return [];
      const path = pathOf(counter, counter.column);
      return [
        {
          severity,
          kind: 'column',
          object: path,
          message: `${path} has reached ${last}, ${Math.floor(used)} % of the range of ${counter.type}.`,
          remedy: afterReview(
            wider(subject, counter),
            'It rewrites the tables and locks them meanwhile: plan a pause. A column of bigint unsigned is a string over GraphQL.',
          ),
        },
      ];
    }),
};

function largest(type: string): bigint | undefined {
  const width = bits[/^\w+/.exec(type)?.[0] ?? ''];
  if (width === undefined) return undefined;
  return (1n << (type.includes('unsigned') ? width : width - 1n)) - 1n;
}

/**
 * Makes the column bigint unsigned, and with it those that reference it. MariaDB refuses to change
 * either end of a foreign key: it is dropped and created again. Empty where the column is bigint
 * unsigned already.
 */
function wider({ catalog }: MysqlSubject, counter: CounterFacts): readonly string[] {
  if (/^bigint.*unsigned/.test(counter.type)) return [];
  const own = catalog.tables.find((table) => pathOf(table) === pathOf(counter));
  const references = catalog.tables.flatMap((child) =>
    child.foreignKeys
      .filter((key) => pathOf(key.references) === pathOf(counter) && key.references.columns.includes(counter.column))
      .map((key) => ({ child, key })),
  );
  const columns = references.flatMap(({ child, key }) =>
    key.columns
      .filter((_, at) => key.references.columns[at] === counter.column)
      .map((name) => modify(child, name, false)),
  );
  return [
    ...references.map(({ child, key }) => `alter table ${quotedPath(child)} drop foreign key ${quoted(key.name)};`),
    ...(own === undefined ? [] : [modify(own, counter.column, true)]),
    ...new Set(columns),
    ...references.map(({ child, key }) => `alter table ${quotedPath(child)} add ${foreignKey(key)};`),
  ];
}

const actions: Readonly<Record<ReferentialAction, string>> = {
  noAction: 'no action',
  restrict: 'restrict',
  cascade: 'cascade',
  setNull: 'set null',
  setDefault: 'set default',
};

const foreignKey = ({ name, columns, references, onUpdate, onDelete }: ForeignKey): string =>
  `constraint ${quoted(name)} foreign key (${quotedList(columns)}) references ${quotedPath(references)} (${quotedList(references.columns)}) on update ${actions[onUpdate]} on delete ${actions[onDelete]}`;

function modify(table: Table, name: string, counts: boolean): string {
  const column: Partial<Column> = table.columns.find((each) => each.name === name) ?? {};
  const comment = column.comment == null ? '' : ` comment ${quotedText(column.comment)}`;
  const nullable = column.nullable === true ? 'null' : 'not null';
  return `alter table ${quotedPath(table)} modify ${quoted(name)} bigint unsigned ${nullable}${counts ? ' auto_increment' : ''}${comment};`;
}
