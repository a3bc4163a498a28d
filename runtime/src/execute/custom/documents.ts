import { print, type DocumentNode } from 'graphql';
import { onceForEach } from '../../once-for-each.js';

/**
 * A document with the types of its data and variables, as GraphQL Code Generator and gql.tada make
 * them: `TypedDocumentNode`, or the `TypedDocumentString` of `documentMode: 'string'`.
 */
export type TypedDocument<Data, Variables> = (DocumentNode | { toString(): string }) & {
  readonly __apiType?: (variables: Variables) => Data;
};

/** Variables may be omitted if none is required. */
export type VariablesOf<Variables> =
  Record<string, never> extends Variables ? [variables?: Variables] : [variables: Variables];

const printed = onceForEach((document: DocumentNode) => print(document));

/** The text of a document. A node is printed once. */
export function textOfDocument(document: DocumentNode | { toString(): string }): string {
  if (typeof document !== 'object' || !('kind' in document)) return document.toString();
  return printed(document);
}
