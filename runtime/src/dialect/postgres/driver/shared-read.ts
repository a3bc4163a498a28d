import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../../plan/statement.js';
import { explained } from './explained.js';

/** Runs statements on a connection that is not shared. */
export type RunAlone = (statements: readonly BoundStatement[], options: RunOptions) => Promise<readonly RawRow[]>;

/**
 * Reads of a request that share a connection. If they also run elsewhere, the first answer counts.
 */
export class SharedRead {
  #isAlone = false;

  /** `text` identifies the timing of the reads; `milliseconds` is their expected duration. */
  constructor(
    readonly text: string,
    readonly milliseconds: number,
    readonly statements: readonly BoundStatement[],
    readonly options: RunOptions,
    readonly answer: (rows: readonly RawRow[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  /** Whether the client has gone away. */
  get isAborted(): boolean {
    return this.options.signal?.aborted === true;
  }

  /** Whether the reads no longer depend on the shared connection. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  runAlone(run: RunAlone): void {
    this.#isAlone = true;
    run(this.statements, this.options).then(this.answer, this.reject);
  }

  fail(error: unknown): void {
    this.reject(explained(error));
  }
}
