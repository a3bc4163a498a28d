import type { Driver, ExplainStatement, RunOptions } from '../dialect/driver.js';
import type { BoundStatement } from '../plan/statement.js';
import type { Observer } from '../observe/observation.js';

/** How often a statement's plan is asked for: a slow database is not to be asked for much more. */
const PLAN_INTERVAL_MS = 60_000;

const MAX_KNOWN = 1000;

/**
 * Logs statements that took longer than `app.log.slow-statement-ms`, and, where
 * `app.log.slow-statement-plans` is on, their plans.
 */
export class SlowStatements {
  /** When the plan of a statement was last asked for, by its text. */
  readonly #explained = new Map<string, number>();

  /** @param explain undefined where plans are not asked for */
  constructor(
    private readonly milliseconds: number,
    private readonly observe: Observer,
    private readonly explain: ExplainStatement | undefined,
  ) {}

  /** @param rows undefined where it failed */
  ended(
    driver: Driver,
    statements: readonly BoundStatement[],
    options: RunOptions,
    milliseconds: number,
    rows: number | undefined,
  ): void {
    const last = statements.at(-1);
    if (milliseconds < this.milliseconds || last === undefined) return;
    const statement = statements.map(({ text }) => text).join(';\n');
    const slow = { kind: 'slow-statement', statement, milliseconds, rows } as const;
    if (this.explain === undefined || !this.#isDue(last.text)) {
      this.observe(slow);
      return;
    }
    const { identity } = options;
    this.explain(driver, last, identity === undefined ? {} : { identity }).then(
      (plan) => {
        this.observe(plan === undefined ? slow : { ...slow, plan });
      },
      () => {
        this.observe(slow);
      },
    );
  }

  #isDue(text: string): boolean {
    const now = performance.now();
    const before = this.#explained.get(text);
    if (before !== undefined && now - before < PLAN_INTERVAL_MS) return false;
    if (this.#explained.size >= MAX_KNOWN) this.#explained.clear();
    this.#explained.set(text, now);
    return true;
  }
}
