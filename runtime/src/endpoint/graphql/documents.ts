import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GraphqlRequest } from '../../request/graphql/compile.js';
import { codes } from '../../errors.js';
import type { Settings } from '../../settings/settings.js';
import { readTrusted } from './trusted-documents.js';

/** A request as it was sent: its document by text, by identifier, or by both. */
export interface GraphqlParams extends Omit<GraphqlRequest, 'query'> {
  readonly query?: string | undefined;
  /**
   * What identifies the document: `documentId`, or the SHA-256 of `extensions.persistedQuery`, as
   * lower-case hex.
   */
  readonly documentId?: string | undefined;
}

/** Why a request has no document. */
export interface Unresolved {
  readonly errors: readonly GraphQLError[];
}

/** Finds the document of a request. */
export type ResolveDocument = (params: GraphqlParams) => GraphqlRequest | Unresolved;

/** Characters of documents that clients have registered by hash, at most: some 8 MB. */
const KEPT_CHARACTERS = 4_000_000;
const KEPT_DOCUMENTS = 5000;

/**
 * Documents as `app.graphql.documents` has it: `any` takes texts; `persisted` (default) also keeps
 * them by their hash for clients that send it, as Apollo's persisted query link does; `trusted`
 * takes those of a manifest alone.
 * Source: https://www.apollographql.com/docs/apollo-server/performance/apq and
 * https://github.com/graphql/graphql-over-http/blob/main/spec/Appendix%20A%20--%20Persisted%20Documents.md
 * Throws ServerError `misconfigured` where the manifest is missing or malformed.
 */
export function createDocumentResolver(
  settings: Pick<Settings, 'app.graphql.documents' | 'app.graphql.documents-file'>,
): ResolveDocument {
  switch (settings['app.graphql.documents']) {
    case 'any':
      return textsAlone;
    case 'persisted':
      return registering();
    case 'trusted':
      return trustedAlone(readTrusted(settings['app.graphql.documents-file']));
  }
}

const textsAlone: ResolveDocument = (params) => {
  if (hasText(params)) return params;
  return params.documentId === undefined ? noDocument : notSupported;
};

/** Whether it is a request as it stands: most are, and are not copied. */
const hasText = (params: GraphqlParams): params is GraphqlParams & GraphqlRequest => params.query !== undefined;

function registering(): ResolveDocument {
  const kept = new LRUCache<string, string>({
    max: KEPT_DOCUMENTS,
    maxSize: KEPT_CHARACTERS,
    sizeCalculation: (text, hash) => text.length + hash.length,
  });
  return (params) => {
    const { documentId } = params;
    if (documentId === undefined) return hasText(params) ? params : noDocument;
    const known = kept.get(documentId);
    if (!hasText(params)) return known === undefined ? notFound : { ...params, query: known };
    const { query } = params;
    if (known !== query) {
      if (sha256(query) !== documentId) return otherHash;
      kept.set(documentId, query);
    }
    return params;
  };
}

function trustedAlone(byId: ReadonlyMap<string, string>): ResolveDocument {
  const texts = new Set(byId.values());
  return (params) => {
    if (hasText(params)) return texts.has(params.query) ? params : notTrusted;
    if (params.documentId === undefined) return noDocument;
    const known = byId.get(params.documentId);
    return known === undefined ? notFound : { ...params, query: known };
  };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const refused = (message: string, code: string, hint?: string): Unresolved => ({
  errors: [new GraphQLError(message, { extensions: { code, ...(hint === undefined ? {} : { hint }) } })],
});

/**
 * Apollo's link looks for these two messages, or for their codes: it sends the text next, or no
 * hash any more.
 */
const notFound = refused('PersistedQueryNotFound', 'PERSISTED_QUERY_NOT_FOUND');
const notSupported = refused('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');

const otherHash = refused(
  'The hash is not that of the document.',
  codes.malformedBody,
  'It is the SHA-256 of the text, as hex.',
);
const noDocument = refused(
  '`query` has to be a string.',
  codes.malformedBody,
  'Send {"query": "…", "variables": {…}} as JSON.',
);
const notTrusted = refused('This server answers only the documents of its manifest.', codes.refused);
