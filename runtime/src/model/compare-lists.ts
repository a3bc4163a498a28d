import type { ColumnType } from '../descriptor/descriptor.js';
import type { ApiChange, ApiChangeType, ApiSubject, DescribedModel } from './api-change.js';

/** A change whose subject its caller knows. */
export type Found = Omit<ApiChange, 'subject'>;

export const about = (subject: ApiSubject, changes: readonly Found[]): readonly ApiChange[] =>
  changes.map((change) => ({ ...change, subject }));

/**
 * Objects of the database as `schema.name`, by the names of their GraphQL types and the keys of
 * their tables, before and after.
 */
export type Known = readonly [before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>];

export const objectNames = ({ tables, enums, composites }: DescribedModel): ReadonlyMap<string, string> =>
  new Map([
    ...tables.map(({ descriptor }) => [descriptor.field, objectOf(descriptor)] as const),
    ...[...enums, ...composites].map(({ descriptor }) => [descriptor.type, objectOf(descriptor)] as const),
  ]);

export const objectOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  `${schema}.${name}`;

export const breaking = (type: ApiChangeType, description: string): Found => ({ type, breaking: true, description });
export const harmless = (type: ApiChangeType, description: string): Found => ({ type, breaking: false, description });

/** Items of two lists by key: those of the first in its order, then the new ones of the second. */
export function paired<T>(
  before: readonly T[],
  after: readonly T[],
  key: (item: T) => string,
): readonly (readonly [string, T | undefined, T | undefined])[] {
  const old = new Map(before.map((item) => [key(item), item]));
  const now = new Map(after.map((item) => [key(item), item]));
  return [...new Set([...old.keys(), ...now.keys()])].map((name) => [name, old.get(name), now.get(name)]);
}

/** What `comparePairs` reports of an item of one list alone. */
interface Alone<T> {
  readonly subject: (name: string) => ApiSubject;
  readonly removed: (name: string) => Found;
  readonly added: (name: string, item: T) => Found;
}

/** The changes between two lists: removed entries, added entries, and entries that differ. */
export const comparePairs = <T>(
  before: readonly T[],
  after: readonly T[],
  key: (item: T) => string,
  { subject, removed, added }: Alone<T>,
  differences: (name: string, was: T, is: T) => readonly Found[] = () => [],
): readonly ApiChange[] =>
  paired(before, after, key).flatMap(([name, was, is]) => {
    if (is === undefined) return about(subject(name), [removed(name)]);
    return about(subject(name), was === undefined ? [added(name, is)] : differences(name, was, is));
  });

export const sameType = (a: ColumnType, b: ColumnType, [before, after]: Known): boolean =>
  typeShape(a, before) === typeShape(b, after);

/** The type as a client sees it: varchar for text is no change, int8 for int4 is one. */
export function typeShape(type: ColumnType, known: ReadonlyMap<string, string>): string {
  const element = type.element === undefined ? '' : `(${typeShape(type.element, known)})`;
  const named = [type.enum, type.composite].map((name = '') => known.get(name) ?? name);
  return [type.kind, ...named, String(type.dimension ?? ''), element].join(' ');
}
