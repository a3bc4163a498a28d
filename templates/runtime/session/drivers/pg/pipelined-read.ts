import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';

/** Runs a read on a connection that it has to itself. */
export type RunAlone = (statements: readonly BoundStatement[], options: RunOptions) => Promise<readonly RawRow[]>;

/** A read that shares a connection. It may be run a second time elsewhere: what comes first is its answer. */
export class PipelinedRead {
  #isAlone = false;

  /** `text` is what its pace is known by; `milliseconds` are what it usually takes. */
  constructor(
    readonly text: string,
    readonly milliseconds: number,
    readonly statements: readonly BoundStatement[],
    readonly options: RunOptions,
    readonly answer: (rows: readonly RawRow[]) => void,
    readonly fail: (error: unknown) => void,
  ) {}

  /** Whether the client has gone away. */
  get isGivenUp(): boolean {
    return this.options.signal?.aborted === true;
  }

  /** Whether it does not depend on the connection it shared any more. */
  get isAlone(): boolean {
    return this.#isAlone;
  }

  runAlone(run: RunAlone): void {
    this.#isAlone = true;
    run(this.statements, this.options).then(this.answer, this.fail);
  }
}
