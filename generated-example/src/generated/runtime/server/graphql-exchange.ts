import type { GraphQLError } from 'graphql';
import type { Identity, RunOptions } from '../session/driver.js';
import type { WriteSession } from './write-runner.js';

/** Who asks, and how long the answer may take. */
export interface Exchange {
  readonly identity: Identity;
  readonly options: RunOptions;
  /** Told the end of each stage: `parse`, `plan`, `database`. */
  readonly mark?: (stage: string) => void;
  /** The transaction of the mutation that a resolver asks from: its document is read and written inside it. */
  readonly session?: WriteSession;
}

/** What graphql-js made of a document. `data` is JSON text. */
export interface Executed {
  readonly kind: 'answered';
  readonly data: string;
  readonly errors: readonly unknown[];
}

/** What became of a request. `refused`: it was not executed. */
export type Outcome = { readonly kind: 'refused'; readonly errors: readonly GraphQLError[] } | Executed;
