import { GraphQLError } from 'graphql';
import { ServerError } from '../../errors.js';
import type { DocumentIntent } from '../../plan/intent.js';
import type { Selected } from '../../request/graphql/arguments/scope.js';
import { isPassing } from '../../response/failure-answer.js';

/** Tries a document of one of the fields alone: rejects as that field does. */
export type TryField = (field: DocumentIntent) => Promise<unknown>;

/**
 * The error as one of the field that it is about. One statement answers all fields of a document,
 * and its error does not tell which of them failed: each is tried alone until one fails in the same
 * way. Errors that are independent of the fields are not tried again: an outage, a timeout, a
 * conflict.
 */
export async function inFailingField(
  error: ServerError,
  intent: DocumentIntent | undefined,
  fields: readonly Selected[],
  tryField: TryField | undefined,
): Promise<GraphQLError> {
  // What follows a colon is a part of a field: no client can write it.
  const [as] = (await failingField(error, intent, tryField))?.split(':') ?? [];
  const selected = fields.find((field) => field.as === as);
  const place = selected === undefined ? {} : { nodes: selected.nodes, path: [selected.as] };
  return new GraphQLError(error.message, { ...place, originalError: error });
}

async function failingField(
  error: ServerError,
  intent: DocumentIntent | undefined,
  tryField: TryField | undefined,
): Promise<string | undefined> {
  const fields = (intent?.fields ?? []).filter(({ kind }) => kind !== 'typename');
  const [only, ...more] = fields;
  if (more.length === 0) return only?.as;
  if (tryField === undefined || isPassing(error)) return undefined;
  for (const field of fields) {
    try {
      await tryField({ kind: 'document', fields: [field] });
    } catch (alone) {
      // Anything else that happens now is another story.
      return alone instanceof ServerError && alone.code === error.code ? field.as : undefined;
    }
  }
  return undefined;
}
