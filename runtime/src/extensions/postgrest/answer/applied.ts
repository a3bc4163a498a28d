import type { OutgoingHttpHeaders } from 'node:http';
import type { Preferences } from '../../../response/preferences.js';

/** What a request does: each preference applies to some of these. */
export type RequestKind = 'read' | 'call' | 'insert' | 'update' | 'replace' | 'delete';

const writes: ReadonlySet<RequestKind> = new Set(['insert', 'update', 'replace', 'delete']);
const counted: ReadonlySet<RequestKind> = new Set(['update', 'delete', 'call']);

/**
 * The preferences that were applied, in PostgREST's order.
 * @param merges whether an insert knows a key by which it could merge
 */
export function appliedTo(
  kind: RequestKind,
  preferences: Omit<Partial<Preferences>, 'isReturnImplied'> & { readonly isReturnImplied?: true },
  merges = true,
): readonly string[] {
  const {
    resolution,
    missing,
    return: answer,
    isReturnImplied,
    count,
    tx,
    handling,
    timezone,
    maxAffected,
  } = preferences;
  const isInsert = kind === 'insert';
  const all: readonly (readonly [string, string | undefined])[] = [
    ['resolution', isInsert && merges ? resolution : undefined],
    ['missing', isInsert || kind === 'update' ? missing : undefined],
    ['return', writes.has(kind) && isReturnImplied !== true ? answer : undefined],
    ['count', count === 'none' ? undefined : count],
    ['tx', tx],
    ['handling', handling],
    ['timezone', timezone],
    ['max-affected', counted.has(kind) && maxAffected !== undefined ? String(maxAffected) : undefined],
  ];
  return all.flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
}

export const appliedHeader = (applied: readonly string[]): OutgoingHttpHeaders =>
  applied.length === 0 ? {} : { 'preference-applied': applied.join(', ') };
