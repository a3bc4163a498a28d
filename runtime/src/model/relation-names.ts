import { compareText } from '../compare-text.js';
import { legalStart, lowerCamel, pascal } from './names.js';
import type { ScopedTable } from './scope.js';
import type { LinkedKey } from './views.js';

/** The preferred name of a relation. */
export interface RelationName {
  readonly preferredName: string;
  /** Suffixes if that name is taken. */
  readonly suffixes: readonly string[];
  /**
   * Who keeps a name that several want: see `Claim`. Columns and computed fields go before
   * relations.
   */
  readonly rank: number;
}

/** A foreign key between two tables. */
export interface Reference {
  readonly child: ScopedTable;
  readonly parent: ScopedTable;
  readonly key: LinkedKey;
}

/** How relations are called: by the contract, or in short. */
export interface RelationNames {
  forward(reference: Reference): RelationName;
  reverse(reference: Reference): RelationName;
  through(near: Reference, far: Reference): RelationName;
}

/** Names with the schema in front. Source: decision 001. */
export function createContractNames(references: readonly Reference[]): RelationNames {
  const between = countBetween(references);
  const rank = 3;
  return {
    forward: ({ child, parent, key }) => {
      const [first = ''] = key.columns;
      const single = key.columns.length === 1;
      return {
        preferredName: legalStart(lowerCamel(child.facts.schema) + pascal(single ? first : parent.facts.name)),
        suffixes: single ? [pascal(parent.facts.name)] : [joined(key.columns)],
        rank,
      };
    },
    reverse: ({ child, parent, key }) => {
      const several = (between.get(pairOf(child, parent)) ?? 0) > 1;
      return {
        preferredName: legalStart(
          lowerCamel(child.facts.schema) + pascal(child.facts.name) + (several ? joined(key.columns) : ''),
        ),
        suffixes: several ? [] : [joined(key.columns)],
        rank,
      };
    },
    through: ({ child: junction }, { parent: other, key }) => ({
      preferredName: legalStart(
        `${lowerCamel(other.facts.schema)}${pascal(other.facts.name)}Via${pascal(junction.facts.name)}`,
      ),
      suffixes: [joined(key.columns)],
      rank,
    }),
  };
}

/** How many foreign keys lead from a table to another, by `pairOf`. */
export function countBetween(references: readonly Reference[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { child, parent } of references) {
    const pair = pairOf(child, parent);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

export function pairOf(child: ScopedTable, parent: ScopedTable): string {
  return JSON.stringify([child.key, parent.key]);
}

/**
 * Order of the columns of a constraint may differ between databases with the same schema; their
 * names do not.
 */
function joined(columns: readonly string[]): string {
  return [...columns].sort(compareText).map(pascal).join('');
}
