import type { Asked } from './filter.js';
import type { OracleTable } from './schema.js';

/** A request of the oracle, in a form that a test can print and send again. */
export interface OracleRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** In GraphQL, `§` stands for the prefix of generated names, and `§§` for that of types. */
  readonly body?: string;
  /** The SQL that the answer of a simple read is compared with is made from this. */
  readonly reference?: { readonly table: OracleTable; readonly asked: Asked };
}
