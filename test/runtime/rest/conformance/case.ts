import type { Reply, Row } from '../support/client.js';

/** The server that a case runs against. */
export type ServerName =
  /** One schema: `board`. */
  | 'board'
  /** Two: `board` and `crm`. */
  | 'several'
  /** Token verification is enabled. */
  | 'verified'
  /** A database with the vector extension. */
  | 'vector';

/** One request and its expected answer. The name says which rules it shows. */
export interface Case {
  /** Ids of rules.ts. */
  readonly rules: readonly string[];
  readonly server?: ServerName;
  readonly method?: string;
  /** The path as it is sent, below `/api/v1/` unless it begins with `/`. */
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
  /** Headers of the answer. Undefined means that the header is absent. */
  readonly answers?: Readonly<Record<string, string | undefined>>;
  /** Parts of the error body. */
  readonly error?: { readonly code?: string; readonly message?: RegExp; readonly hint?: RegExp };
  readonly check?: (reply: Reply) => void;
}
