import type { GraphQLSchema } from 'graphql';

/** A field that introspection answers, with the fields below it. */
export interface IntrospectedField {
  /** The response key as JSON, with the colon after it. */
  readonly key: string;
  readonly name: string;
  /** Equal for fields that are answered alike, however their documents are written. */
  readonly id: string;
  readonly isList: boolean;
  /** Whether this field or one below it is a list. */
  readonly hasLists: boolean;
  /** The field's value of an object: graphql-js's. */
  readonly read: (source: unknown, schema: GraphQLSchema) => unknown;
  /**
   * The fields of an object, or of the objects of a list; absent for names and other plain values.
   */
  readonly fields?: readonly IntrospectedField[];
  /** Of `__type`: the name it is asked for. */
  readonly type?: string;
}
