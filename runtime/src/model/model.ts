import type {
  ArgumentDescriptor,
  ColumnDescriptor,
  CompositeDescriptor,
  EnumDescriptor,
  FunctionDescriptor,
  ProcedureDescriptor,
  RelationDescriptor,
  TableDescriptor,
} from '../descriptor/descriptor.js';
import type { Dialect, MediaHandler } from '../catalog/catalog.js';
import type { GraphQLTypeUse } from '../schema/graphql-type.js';
import type { FilterModel, RangeModel } from '../schema/shared-types.js';
import type { Operation } from '../descriptor/names.js';
import type { ModelOptions } from '../descriptor/options.js';

/**
 * The model: every decision about names and types, made once. The emitters render it and decide
 * nothing. Lists of tables, types and routines are sorted by schema, then name, by code point;
 * columns, values and arguments keep the database's order.
 */
export interface Model {
  /** Which kind of database it is of. */
  readonly dialect: Dialect;
  readonly schemas: readonly SchemaModel[];
  readonly tables: readonly TableModel[];
  readonly enums: readonly EnumModel[];
  readonly composites: readonly CompositeModel[];
  readonly procedures: readonly ProcedureModel[];
  /** The functions that the configuration lists. */
  readonly functions: readonly FunctionModel[];
  /** Every function that PostgREST's form calls; undefined where the configuration names some. */
  readonly callable?: readonly FunctionDescriptor[] | undefined;
  /** The aggregates that write any rows in a media type; undefined without any. */
  readonly mediaHandlers?: readonly MediaHandler[] | undefined;
  readonly ranges: readonly RangeModel[];
  readonly filters: readonly FilterModel[];
  /** Whether pgvector is installed: without it nothing of vectors is emitted. */
  readonly vector: boolean;
  readonly options: ModelOptions;
  /** The objects that `options.exclude` names. */
  readonly excluded: readonly string[];
  readonly warnings: readonly Warning[];
}

/** A warning for the person who runs the generator. Generation continues. */
export interface Warning {
  readonly code:
    | 'NAME_CHANGED'
    | 'NOT_IN_GRAPHQL'
    | 'LEFT_OUT'
    | 'OPTION_UNUSED'
    | 'EXCLUDE_UNMATCHED'
    | 'TYPE_UNMATCHED'
    | 'WAITS'
    | 'NO_TRANSACTIONS'
    | 'VIEW_BROKEN';
  readonly message: string;
  readonly hint: string;
  /**
   * For warnings that come in hundreds: the thing this one is about, and what several say together.
   */
  readonly group?: { readonly name: string; readonly message: string };
}

export interface SchemaModel {
  readonly name: string;
  /** Folder below src/generated. */
  readonly folder: string;
  /** JavaScript name of the folder's export. */
  readonly identifier: string;
  readonly comment: string | null;
}

export interface TableModel {
  /** The descriptor for the runtime. */
  readonly descriptor: TableDescriptor;
  readonly folder: string;
  /** File name without extension. */
  readonly file: string;
  readonly comment: string | null;
  /** False for a table without columns: GraphQL has no empty types. REST serves it all the same. */
  readonly graphql: boolean;
  readonly fields: Readonly<Record<Operation, string>>;
  readonly columns: readonly ColumnModel[];
  /** Those of `descriptor.writeOnly`. */
  readonly writeOnly?: readonly ColumnModel[];
  readonly relations: readonly RelationModel[];
  readonly computed: readonly ComputedModel[];
  /** Whether `orderBy` has anything to order by. */
  readonly orderable: boolean;
}

export interface ColumnModel {
  readonly descriptor: ColumnDescriptor;
  readonly field: string;
  readonly graphql: GraphQLTypeUse;
  readonly nullable: boolean;
  /** Its filter input's name. */
  readonly filter: string;
  readonly orderable: boolean;
  /** As one would write the type in SQL. */
  readonly databaseType: string;
  readonly comment: string | null;
  /** A rule hides it from some roles. */
  readonly mayBeHidden?: boolean;
}

export interface RelationModel {
  readonly descriptor: RelationDescriptor;
  /** The name before any `rename`. */
  readonly derived: string;
}

export interface ComputedModel {
  readonly field: string;
  readonly graphql: GraphQLTypeUse;
  readonly orderable: boolean;
  readonly arguments: readonly ArgumentDescriptor[];
  readonly comment: string | null;
}

export interface EnumModel {
  readonly descriptor: EnumDescriptor;
  readonly folder: string;
  /** GraphQL values, in the enum's order. */
  readonly values: readonly string[];
  readonly comment: string | null;
}

export interface CompositeModel {
  readonly descriptor: CompositeDescriptor;
  readonly folder: string;
  readonly attributes: readonly {
    readonly field: string;
    readonly graphql: GraphQLTypeUse;
    readonly input: GraphQLTypeUse;
    readonly comment: string | null;
  }[];
  readonly comment: string | null;
}

export interface FunctionModel {
  readonly descriptor: FunctionDescriptor;
  readonly folder: string;
  readonly comment: string | null;
}

export interface ProcedureModel {
  readonly descriptor: ProcedureDescriptor;
  readonly folder: string;
  readonly comment: string | null;
}
