/** The heading and the reason of the rule about equal indexes, on every database. */
export const equalIndexes = {
  title: 'Duplicate indexes',
  why: 'Every write maintains both, and both take memory and disk. One of them serves every query.',
} as const;

interface IndexOf {
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** Equal for two indexes that hold the same. */
  readonly layout: string;
}

/**
 * Indexes of one table with equal contents: the index to keep, and the others.
 * @param worth how much an index does; among equals, the first by name is kept
 */
export function findEqualIndexes<I extends IndexOf>(
  indexes: readonly I[],
  worth: (index: I) => number,
): readonly { readonly kept: I; readonly others: readonly I[] }[] {
  const groups = new Map<string, I[]>();
  for (const index of indexes) {
    const key = JSON.stringify([index.schema, index.table, index.layout]);
    groups.set(key, [...(groups.get(key) ?? []), index]);
  }
  return [...groups.values()].flatMap((group) => {
    const [kept, ...others] = [...group].sort((a, b) => worth(b) - worth(a) || (a.name < b.name ? -1 : 1));
    return kept === undefined || others.length === 0 ? [] : [{ kept, others }];
  });
}
