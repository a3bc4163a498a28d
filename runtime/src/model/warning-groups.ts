import type { Warning } from './model.js';

/** Warnings of one kind, as one. */
export interface WarningGroup {
  readonly message: string;
  readonly hint: string;
  /** What each is about; empty when there is one, whose message says it. */
  readonly names: readonly string[];
}

/**
 * Several warnings of a kind become a count and the names: a schema may have hundreds of the same.
 * In the order of each kind's first.
 */
export function groupWarnings(warnings: readonly Warning[]): readonly WarningGroup[] {
  const kinds = new Map<string, Warning[]>();
  for (const warning of warnings) {
    const kind = JSON.stringify([warning.code, warning.group?.message ?? warning.message]);
    kinds.set(kind, [...(kinds.get(kind) ?? []), warning]);
  }
  return [...kinds.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const { message, hint, group } = first;
    if (others.length === 0 || group === undefined) return [{ message, hint, names: [] }];
    const names = [first, ...others].flatMap((each) => each.group?.name ?? []);
    return [{ message: `${String(names.length)} ${group.message}`, hint, names }];
  });
}
