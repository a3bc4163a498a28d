import type { MediaHandler } from '../catalog/catalog.js';
import type {
  CompositeDescriptor,
  EnumDescriptor,
  FunctionDescriptor,
  ProcedureDescriptor,
  TableDescriptor,
} from './descriptor.js';
import type { Descriptors } from './registry.js';
import type { Naming } from './naming.js';
import type { RowRules } from './row-rules.js';
import type { Settings } from '../settings/settings.js';

/**
 * The format of generated code that this runtime serves: the members of a descriptor, a resolver
 * and a route. A change that code of before does not fit takes the next number.
 */
export const generatedFormat = 2;

/**
 * The format of code with `rules`, which is otherwise the same. A runtime that is older than rules
 * would ignore them and show all rows, so it has to refuse the code. The next `generatedFormat`
 * replaces both.
 */
export const ruledFormat = 3;

export const formatOf = ({ rules }: { readonly rules?: RowRules | undefined }): number =>
  rules === undefined ? generatedFormat : ruledFormat;

/**
 * What `src/generated/index.ts` exports as `generated`, and `createServer({ generated, custom })`
 * takes.
 */
export interface GeneratedServer {
  /** The form that the code was generated in. A runtime of another form refuses it. */
  readonly format: number;
  /** Every table, enum, composite and procedure: what `createRegistry` indexes. */
  readonly descriptors: Descriptors;
  /**
   * Classes with the root fields of each table as methods, for guards and code of the user's around
   * them; empty when no table has a column.
   */
  readonly resolvers: readonly ResolverClass[];
  /** What each table answers over REST. */
  readonly routes: readonly TableRoutes[];
  /** The settings of tablewright.config.*, without secrets. The environment overrides them. */
  readonly settings: Partial<Settings>;
  /** openapi.json, to be read when it is first asked for. */
  readonly openapi: URL;
  /**
   * The catalogue's fingerprint at generation, in code of an older generator. In other code it
   * follows from `catalog.json`, beside openapi.json: branches with different migrations merge.
   */
  readonly fingerprint?: string;
  /**
   * How a changed database is read and named. Absent in code of an older generator: its server
   * reports a change, and does not follow.
   */
  readonly naming?: Naming;
  /** `rules` of the configuration. Absent: there are none. */
  readonly rules?: RowRules;
}

/** One database schema's part of it: what `src/generated/<schema>/index.ts` exports. */
export interface GeneratedSchema {
  readonly tables: readonly TableDescriptor[];
  readonly resolvers: readonly ResolverClass[];
  readonly routes: readonly TableRoutes[];
  readonly enums?: readonly EnumDescriptor[];
  readonly composites?: readonly CompositeDescriptor[];
  readonly procedures?: readonly ProcedureDescriptor[];
  readonly functions?: readonly FunctionDescriptor[];
  /** Empty: PostgREST's form calls no function of the schema. Absent: another schema may say so. */
  readonly callable?: readonly FunctionDescriptor[];
  /** The aggregates that write any rows in a media type, in PostgREST's form. */
  readonly mediaHandlers?: readonly MediaHandler[];
}

export type ResolverClass = abstract new (...args: never[]) => object;

/**
 * The routes of a table, as its `<table>.table.ts` states them. A method that is absent is answered
 * 405.
 */
export interface TableRoutes {
  readonly table: TableDescriptor;
  /** GET and HEAD /api/v1/{table} */
  readonly list: RestHandler;
  /** GET and HEAD /api/v1/{table}/{id}; absent where the primary key is not one column. */
  readonly row?: RestHandler;
  /** POST /api/v1/{table} */
  readonly insert?: RestHandler;
  /** PATCH /api/v1/{table} */
  readonly update?: RestHandler;
  /** PUT /api/v1/{table} */
  readonly replace?: RestHandler;
  /** DELETE /api/v1/{table} */
  readonly remove?: RestHandler;
}

export type RestHandler = (exchange: RestExchange) => Promise<void>;

/** A request to a known table, and its answer: the operations that a route can call. */
export interface RestExchange {
  /** Answers the read envelope (decision 006). */
  list(table: TableDescriptor): Promise<void>;
  /** Answers the bare row, or 404. */
  row(table: TableDescriptor): Promise<void>;
  /** Inserts the rows of the body, or merges them with existing rows. */
  insert(table: TableDescriptor): Promise<void>;
  /** Updates the rows that match the filters. */
  update(table: TableDescriptor): Promise<void>;
  /** Replaces the row of a key, or inserts it. */
  replace(table: TableDescriptor): Promise<void>;
  /** Deletes the rows that match the filters. */
  remove(table: TableDescriptor): Promise<void>;
}

/** Puts the schemas together. */
export function mergeSchemas(
  schemas: readonly GeneratedSchema[],
): Pick<GeneratedServer, 'descriptors' | 'resolvers' | 'routes'> {
  const mediaHandlers = schemas.flatMap((schema) => schema.mediaHandlers ?? []);
  const callable = schemas.flatMap((schema) => (schema.callable === undefined ? [] : [schema.callable]));
  return {
    descriptors: {
      tables: schemas.flatMap((schema) => schema.tables),
      enums: schemas.flatMap((schema) => schema.enums ?? []),
      composites: schemas.flatMap((schema) => schema.composites ?? []),
      procedures: schemas.flatMap((schema) => schema.procedures ?? []),
      functions: schemas.flatMap((schema) => schema.functions ?? []),
      ...(callable.length === 0 ? {} : { callable: callable.flat() }),
      ...(mediaHandlers.length === 0 ? {} : { mediaHandlers }),
    },
    resolvers: schemas.flatMap((schema) => schema.resolvers),
    routes: schemas.flatMap((schema) => schema.routes),
  };
}
