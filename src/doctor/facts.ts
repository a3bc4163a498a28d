import type { QualifiedName } from '@tablewright/runtime/model';

/**
 * Facts that only the doctor needs. They are not in the catalogue, because `catalog.json` is
 * committed: who owns what, how much an index is used and how far a sequence has come differ from
 * one machine to the next.
 */
export interface Facts {
  /** `server_version_num`, e.g. 150004. */
  readonly serverVersion: number;
  /** Days since statistics are counted; null when it is not known. */
  readonly statisticsDays: number | null;
  /** Whether everybody may create objects in the schema `public`; null without such a schema. */
  readonly publicIsOpen: boolean | null;
  readonly roles: readonly RoleFacts[];
  readonly relations: readonly RelationFacts[];
  readonly views: readonly ViewFacts[];
  readonly functions: readonly FunctionFacts[];
  readonly indexes: readonly IndexFacts[];
  readonly sequences: readonly SequenceFacts[];
  readonly integerKeys: readonly IntegerKeyFacts[];
  readonly changes: readonly ChangeFacts[];
  readonly foreignServers: readonly ForeignServerFacts[];
}

/** The foreign servers that have rows of a table, by name. */
export interface ForeignServerFacts extends QualifiedName {
  readonly servers: readonly string[];
}

/** Whether the changes of a table can be reported to subscribers. */
export interface ChangeFacts extends QualifiedName {
  /** It is in the publication that the server reads. */
  readonly published: boolean;
  /** The log has changes to read: wal_level. */
  readonly logged: boolean;
  /** It has the triggers of the source `notify`. */
  readonly triggered: boolean;
}

/** A role that requests are served in, or that the server connects as. */
export interface RoleFacts {
  readonly name: string;
  readonly exists: boolean;
  /** Whether the role that the server connects as may switch to it. */
  readonly reachable: boolean;
  readonly superuser: boolean;
  readonly bypassesPolicies: boolean;
  readonly createsRoles: boolean;
  readonly replicates: boolean;
  /**
   * Superusers, and roles of PostgreSQL's own with rights on everything, that it is a member of.
   */
  readonly powerfulGroups: readonly string[];
}

export interface RelationFacts extends QualifiedName {
  readonly owner: string;
  /** Of the serving roles: those with the rights of the owner, superusers not counted. */
  readonly ownedBy: readonly string[];
  /** Of the serving roles: those that may read or write it. */
  readonly accessibleTo: readonly string[];
  /** Roles, or `public`, that were granted SELECT, without the owner. */
  readonly readers: readonly string[];
}

/** A view or materialised view with a table that has row level security below it, at any depth. */
export interface ViewFacts extends QualifiedName {
  readonly materialized: boolean;
  readonly owner: string;
  readonly securityInvoker: boolean;
  /** The tables with row level security, as `schema.table`. */
  readonly protects: readonly string[];
  /** Whether no policy of one of them applies to the owner of the view. */
  readonly ownerIsExempt: boolean;
  /**
   * The views of the schemas that are looked at which read it, itself included, as `schema.view`.
   */
  readonly readThrough: readonly string[];
}

export interface FunctionFacts extends QualifiedName {
  readonly signature: string;
  readonly kind: 'function' | 'procedure';
  readonly volatility: 'immutable' | 'stable' | 'volatile';
  readonly securityDefiner: boolean;
  readonly searchPath: string | null;
  /** It is in one of the schemas that are looked at, and no extension's. */
  readonly own: boolean;
  /** Called by policies: the text of its body and its definition, else null. */
  readonly source: string | null;
  readonly definition: string | null;
}

export interface IndexFacts extends QualifiedName {
  readonly table: string;
  readonly partitioned: boolean;
  readonly unique: boolean;
  readonly primary: boolean;
  /** The constraint that it belongs to. */
  readonly constraint: string | null;
  /** Chosen for REPLICA IDENTITY or CLUSTER: dropping it changes more than speed. */
  readonly chosen: boolean;
  /**
   * Equal for two indexes that hold the same: method, keys, operator classes, order, expressions,
   * predicate.
   */
  readonly layout: string;
  readonly scans: number;
  readonly tableScans: number;
  readonly bytes: number;
}

export interface SequenceFacts extends QualifiedName {
  readonly type: string;
  /** Decimal digits, because int8 does not fit a JavaScript number. */
  readonly max: string;
  readonly last: string | null;
  readonly cycles: boolean;
  readonly ascends: boolean;
  /** The column it belongs to. */
  readonly column:
    (QualifiedName & { readonly column: string; readonly type: string; readonly identity: boolean }) | null;
}

/**
 * A key of one int2 or int4 column that no sequence fills, and the largest value that ANALYZE saw.
 */
export interface IntegerKeyFacts extends QualifiedName {
  readonly column: string;
  readonly type: 'smallint' | 'integer';
  readonly largest: string;
}
