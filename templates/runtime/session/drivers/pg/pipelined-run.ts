import type { RunOptions } from '../../driver.js';
import type { BoundStatement, RawRow } from '../../statement.js';
import { explained } from '../explained.js';
import type { SharedAccess } from './access-mode.js';
import { explainedWrite } from './outcome-unknown.js';

/** Runs statements on a connection that they have to themselves. */
export type RunAlone = (statements: readonly BoundStatement[], options: RunOptions) => Promise<readonly RawRow[]>;

/** A request's statements that share a connection. When they are run a second time elsewhere, what comes first is the answer. */
export class PipelinedRun {
  #isAlone = false;

  /** `text` is what their pace is known by; `milliseconds` are what they usually take. */
  constructor(
    readonly text: string,
    readonly milliseconds: number,
    readonly statements: readonly BoundStatement[],
    readonly options: RunOptions,
    readonly answer: (rows: readonly RawRow[]) => void,
    private readonly reject: (error: unknown) => void,
  ) {}

  /** Since when others have gone before it, for a reason that is not that they came first. */
  passedOverSince: number | undefined;

  get access(): SharedAccess {
    return this.options.write === true ? 'write' : 'read';
  }

  /** Whether the client has gone away. */
  get isGivenUp(): boolean {
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
    this.reject(this.access === 'write' ? explainedWrite(error) : explained(error));
  }
}
