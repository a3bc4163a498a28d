import type { Reply, Row } from '../support/client.js';

/** Which server a case runs against. */
export type ServerName =
  /** One schema: `board`. */
  | 'board'
  /** Two: `board` and `crm`. */
  | 'several'
  /** With token verification on. */
  | 'verified'
  /** A database with the vector extension. */
  | 'vector';

/** One request and what has to come back. Named after the rules it shows. */
export interface Case {
  /** Ids of rules.ts. */
  readonly rules: readonly string[];
  readonly server?: ServerName;
  readonly method?: string;
  /** As it goes over the wire; under `/api/v1/` unless it begins with `/`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: 200. */
  readonly status?: number;
  /** The `id`s of the rows, in order. */
  readonly ids?: readonly unknown[];
  /** The rows themselves. */
  readonly rows?: readonly Row[];
  /** The whole body, parsed. */
  readonly json?: unknown;
  /** The whole body, as text. */
  readonly text?: string;
  /** Headers of the answer; undefined: not there. */
  readonly answers?: Readonly<Record<string, string | undefined>>;
  /** Of the error body. */
  readonly error?: { readonly code?: string; readonly message?: RegExp; readonly hint?: RegExp };
  readonly check?: (reply: Reply) => void;
}
