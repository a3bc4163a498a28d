/** Names that are gone, and new names, between the same two names that stay. */
export interface Gap {
  readonly gone: readonly string[];
  readonly added: readonly string[];
  /** Whether no name that stays comes after it. */
  readonly last: boolean;
}

/**
 * Compares two ordered lists of names by their common names: `a b c d` and `a x c d e` have the
 * gaps `b → x` and, at the end, `→ e`. Answers nothing when the names that stay have changed their
 * order: places then show nothing.
 */
export function gapsBetween(before: readonly string[], after: readonly string[]): readonly Gap[] {
  const [old, now] = [new Set(before), new Set(after)];
  const stay = before.filter((name) => now.has(name));
  if (after.filter((name) => old.has(name)).some((name, at) => name !== stay[at])) return [];
  const [goneAt, addedAt] = [runs(before, now), runs(after, old)];
  return goneAt.map((gone, at) => ({ gone, added: addedAt[at] ?? [], last: at === stay.length }));
}

/** The names that do not stay, in front of each name that stays, and after the last one. */
function runs(names: readonly string[], stay: ReadonlySet<string>): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const name of names) {
    if (stay.has(name)) found.push([]);
    else found.at(-1)?.push(name);
  }
  return found;
}
