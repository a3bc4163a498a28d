import type { DocumentNode } from 'graphql';

/** Requests of clients, found in files. */
export interface Recorded {
  /** Every parsed text, with its file and line in its `loc`. */
  readonly documents: readonly DocumentNode[];
  readonly rest: readonly RestUse[];
}

/** A kind of request over REST, as the server's usage log has it: names, and no values. */
export interface RestUse {
  readonly file: string;
  readonly line: number;
  readonly method: string;
  /** `schema.name` */
  readonly table: string;
  /** Every name that the request uses, by table: columns, computed fields and relations. */
  readonly uses: readonly { readonly table: string; readonly name: string }[];
}

/** A request that worked before, and does not afterwards. */
export interface BrokenOperation {
  readonly file: string;
  readonly line: number;
  readonly protocol: 'graphql' | 'rest';
  /** `query Board`, `GET kanban.issues` */
  readonly operation: string;
  /** Where the operation begins: what breaks may be in a fragment of another file. */
  readonly begins: { readonly file: string; readonly line: number };
  readonly message: string;
}
