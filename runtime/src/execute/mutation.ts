import { copyWith } from '../copy-with.js';
import type { Identity } from '../dialect/driver.js';
import type { WriteOptions } from './run-writes.js';
import type { BoundWrite, PreparedWrite, WriteRunner } from './write-runner.js';

/** A mutation that is ready to run, for every request of its shape. */
export interface PreparedMutation {
  readonly fields: readonly (
    | { readonly kind: 'write'; readonly as: string; readonly prepared: PreparedWrite }
    | { readonly kind: 'typename'; readonly as: string; readonly type: string }
  )[];
}

/**
 * `data`: the JSON text of the whole answer. Failed: nothing of any field was kept, and `path` is
 * the failed field, if a single field failed.
 */
export type MutationOutcome =
  | { readonly kind: 'written'; readonly data: string }
  | { readonly kind: 'failed'; readonly path: readonly string[]; readonly error: unknown };

/**
 * Runs the fields serially, in their order, in one transaction: each field sees the writes of
 * earlier fields, and an error undoes all of them. Decision 005.
 */
export async function runMutation(
  runner: WriteRunner,
  { fields }: PreparedMutation,
  given: Omit<BoundWrite, 'prepared'>,
  identity: Identity,
  options: WriteOptions = {},
): Promise<MutationOutcome> {
  const writes = fields.filter((field) => field.kind === 'write');
  const requests = writes.map(({ prepared }) => copyWith(given, { prepared }));
  const outcome = await runner.run(requests, identity, options);
  if (outcome.kind === 'failed') {
    const field = outcome.at === undefined ? undefined : writes[outcome.at];
    return { kind: 'failed', path: field === undefined ? [] : [field.as], error: outcome.error };
  }
  const answers = outcome.written.values();
  const members = fields.map((field) => {
    const value =
      field.kind === 'typename' ? JSON.stringify(field.type) : callText(field.prepared, answers.next().value?.text);
    return `${JSON.stringify(field.as)}:${value}`;
  });
  return { kind: 'written', data: `{${members.join(',')}}` };
}

/** The answer of a procedure is a text, rows are JSON. */
export function callText({ intent }: PreparedWrite, text: string | null | undefined): string {
  if (text === null || text === undefined) return 'null';
  return intent.kind === 'call' ? JSON.stringify(text) : text;
}
