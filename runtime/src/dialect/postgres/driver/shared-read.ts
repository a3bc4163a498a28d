import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { explained } from './explained.js';

/** Runs statements on a connection that they have to themselves. */
export type RunAlone = (statements: readonly BoundStatement[], options: RunOptions) => Promise<readonly RawRow[]>;

/**
 * A request's reads that share a connection. When they are run a second time elsewhere, the answer
 * that comes first is the request's.
 */
export class SharedRead {
  #isAlone = false;

  /** `text` identifies their timing; `milliseconds` is their expected duration. */
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

  /** Whether they do not depend on the connection they shared any more. */
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
