/** The preferences of a request that this server supports: decision 006. */
export interface Preferences {
  readonly count: 'none' | 'exact' | 'planned' | 'estimated';
  readonly handling?: 'strict' | 'lenient';
  readonly return?: 'representation' | 'minimal' | 'headers-only';
  readonly resolution?: 'merge-duplicates' | 'ignore-duplicates';
  readonly missing?: 'default' | 'null';
  readonly tx?: 'commit' | 'rollback';
  readonly maxAffected?: number | undefined;
  /** In PostgREST's form: the time zone of the transaction. The database checks it. */
  readonly timezone?: string;
  /** The client did not send `return`: the value is the default of PostgREST's form of REST. */
  readonly isReturnImplied?: true;
}
