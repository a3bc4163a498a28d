import { print, type DocumentNode } from 'graphql';

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

const printed = new WeakMap<DocumentNode, string>();

/** The text of a document. A node is printed once. */
export function textOfDocument(document: DocumentNode | { toString(): string }): string {
  if (typeof document !== 'object' || !('kind' in document)) return document.toString();
  const known = printed.get(document);
  if (known !== undefined) return known;
  const text = print(document);
  printed.set(document, text);
  return text;
}
