import type { GraphQLField, GraphQLNamedType } from 'graphql';
import type { CustomPart } from './part.js';

export type Field = GraphQLField<unknown, unknown>;
export type Resolve = NonNullable<Field['resolve']>;

/** A field that runs the user's code. */
export interface CustomField {
  /** The name of the type that has the field. */
  readonly owner: string;
  readonly field: Field;
  /** `own`: a field that the user's code defines; otherwise a generated field. */
  readonly part: CustomPart | 'own';
}

/** The parts of a schema that the user's code adds. Every schema of the server needs them. */
export interface CustomParts {
  readonly types: readonly GraphQLNamedType[];
  readonly fields: readonly CustomField[];
  /** Resolvers of root fields with the global middleware, if there is one. */
  readonly middleware: { readonly read: Resolve; readonly write: Resolve } | undefined;
  /**
   * Generated types with a guard on the whole class, each with the fields that the guard covers.
   */
  readonly guarded: ReadonlyMap<string, ReadonlySet<string>>;
  /**
   * The root fields at the time of generation, if a resolver class is guarded as a whole; otherwise
   * undefined.
   */
  readonly guardedRoots: ReadonlySet<string> | undefined;
}
