import { describeNeed, found, type Need } from './machine/machine.js';

/**
 * `describe` for a suite that needs something that some machines lack. There the suite is skipped,
 * with the reason in its name. In CI, which has to provide everything, it fails.
 */
export function describeWhere(need: Need): (name: string, suite: () => void) => void {
  const verdict = verdictOn(need);
  if (verdict.runs) return describe;
  return (name, suite) => {
    if (verdict.fails) describe(name, failing(verdict.reason));
    else describe.skip(`${name} (${verdict.reason})`, suite);
  };
}

/**
 * The variants of a suite that need something, for `describe.each` beside variants that need
 * nothing. Where the need is absent there are none: a test in their place is skipped, and fails in
 * CI.
 */
export function variantsWhere<const T>(need: Need, ...variants: readonly T[]): readonly T[] {
  const verdict = verdictOn(need);
  if (verdict.runs) return variants;
  if (verdict.fails) failing(verdict.reason)();
  else test.skip(`variants (${verdict.reason})`, () => undefined);
  return [];
}

/** Whether a suite runs here, or else whether it fails, and why. */
export type Verdict =
  { readonly runs: true } | { readonly runs: false; readonly fails: boolean; readonly reason: string };

/** What becomes of a suite with this need. */
export function verdictOn(need: Need): Verdict {
  if (found(need) !== undefined) return { runs: true };
  const isCi = (process.env['CI'] ?? '') !== '';
  const reason = isCi
    ? `This suite has to run in CI, which has to provide what it needs: ${describeNeed(need)}`
    : `not run here, it needs ${describeNeed(need)}`;
  return { runs: false, fails: isCi, reason };
}

const failing = (reason: string) => (): void => {
  test('runs in CI', () => {
    throw new Error(reason);
  });
};
