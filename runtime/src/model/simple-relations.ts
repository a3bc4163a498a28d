import { compareText } from '../compare-text.js';
import { camelWords, legalName, legalStart, lowerCamel, pascal } from './names.js';
import { countBetween, pairOf, type Reference, type RelationNames } from './relation-names.js';

/**
 * Short names: a forward relation is called after its column without `_id` (`assignee`), a reverse
 * one after the table that refers (`issues`), and the rows behind a junction table after their own
 * table (`labels`). Where two foreign keys of one table lead to the same table, the column tells
 * the reverse relations apart (`issuesByAssignee`), and where tables of two schemas have one name,
 * the schema does. Of equal names a forward relation goes before a reverse one, and that before one
 * through a junction table.
 */
export function createSimpleNames(references: readonly Reference[]): RelationNames {
  const between = countBetween(references);
  const namesakes = childrenByName(references);
  return {
    forward: ({ parent, key }) => {
      const [first = ''] = key.columns;
      const own = key.columns.length === 1 ? withoutId(first) : undefined;
      return {
        preferredName: legalName(camelWords(own ?? parent.facts.name)),
        suffixes: own === undefined ? [by(key.columns)] : [pascal(parent.facts.name)],
        rank: 3,
      };
    },
    reverse: ({ child, parent, key }) => {
      const { schema, name } = child.facts;
      const ambiguous = (namesakes.get(nameIn(parent.key, name))?.size ?? 0) > 1;
      const table = ambiguous ? legalStart(lowerCamel(schema) + pascal(name)) : camelWords(name);
      const several = (between.get(pairOf(child, parent)) ?? 0) > 1;
      return {
        preferredName: legalName(several ? table + by(key.columns) : table),
        suffixes: several ? [] : [by(key.columns)],
        rank: 4,
      };
    },
    through: ({ child: junction }, { parent: other, key }) => {
      const via = `Via${pascal(junction.facts.name)}`;
      return {
        preferredName: legalName(camelWords(other.facts.name)),
        suffixes: [via, `${via}${by(key.columns)}`],
        rank: 5,
      };
    },
  };
}

/** The tables that refer to a table, by name, from all schemas. */
function childrenByName(references: readonly Reference[]): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const { child, parent } of references) {
    const name = nameIn(parent.key, child.facts.name);
    found.set(name, (found.get(name) ?? new Set()).add(child.key));
  }
  return found;
}

const nameIn = (parent: string, name: string): string => JSON.stringify([parent, camelWords(name)]);

/**
 * `assignee_id`, `assigneeId`, `ASSIGNEE_ID` → the rest without the `id`; undefined for `id`
 * alone.
 */
function withoutId(column: string): string | undefined {
  if (/^_*id$/i.test(column)) return undefined;
  return /^(.*[^_])_+id$/i.exec(column)?.[1] ?? /^(.*[a-z0-9])I[dD]$/.exec(column)?.[1] ?? column;
}

/**
 * Order of the columns of a constraint may differ between databases with the same schema; their
 * names do not.
 */
const by = (columns: readonly string[]): string =>
  `By${[...columns]
    .sort(compareText)
    .map((column) => pascal(withoutId(column) ?? column))
    .join('And')}`;
