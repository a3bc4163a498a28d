import type { Model } from '../model/model.js';
import type { DerivedModel, Guarded } from './derive.js';

/** The lists of a model: everything in it that grows with the database. */
const lists = [
  'schemas',
  'tables',
  'enums',
  'composites',
  'procedures',
  'functions',
  'ranges',
  'filters',
  'warnings',
] as const satisfies readonly (keyof Model)[];

/** Items of one part: a thread receives a part in about a millisecond. */
const ITEMS = 10;

/**
 * A part of the derived API. Another thread receives each message in one piece: parts are small, so
 * that the receiver can do other work in between. The first part, `head`, is the model without the
 * items of its lists.
 */
export type Part =
  | {
      readonly kind: 'head';
      readonly fingerprint: string;
      readonly served: string | undefined;
      readonly model: Model | undefined;
      readonly guarded?: Guarded | undefined;
    }
  | { readonly kind: 'items'; readonly list: (typeof lists)[number]; readonly items: readonly unknown[] }
  | { readonly kind: 'names'; readonly names: readonly (readonly [table: string, names: readonly string[]])[] };

/** The derived API, without openapi.json. */
export interface Joined {
  readonly fingerprint: string;
  readonly served: string | undefined;
  readonly changed: Required<Omit<DerivedModel, 'openapi' | 'catalog'>> | undefined;
  readonly guarded?: Guarded | undefined;
}

/** The parts of the derived API. */
export function* partsOf({ fingerprint, served, changed, guarded }: Joined): Generator<Part, void> {
  if (changed === undefined) {
    yield { kind: 'head', fingerprint, served, model: undefined, guarded };
    return;
  }
  const { model, names } = changed;
  yield {
    kind: 'head',
    fingerprint,
    served,
    guarded,
    model: { ...model, ...Object.fromEntries(lists.map((list) => [list, []])) },
  };
  for (const list of lists) {
    const items: readonly unknown[] = model[list];
    for (let from = 0; from < items.length; from += ITEMS)
      yield { kind: 'items', list, items: items.slice(from, from + ITEMS) };
  }
  const all = [...names];
  for (let from = 0; from < all.length; from += ITEMS) yield { kind: 'names', names: all.slice(from, from + ITEMS) };
}

/** Joins the parts of `partsOf` to the derived API. Yields after each part. */
export function* joinParts(next: () => Part | undefined): Generator<undefined, Joined> {
  const head = next();
  if (head?.kind !== 'head') throw new TypeError('The first part is not the head.');
  const { fingerprint, served, model, guarded } = head;
  if (model === undefined) return { fingerprint, served, changed: undefined, guarded };
  const whole = new Map<string, unknown[]>(lists.map((list) => [list, []]));
  const names = new Map<string, readonly string[]>();
  for (let part = next(); part !== undefined; part = next()) {
    if (part.kind === 'items') whole.get(part.list)?.push(...part.items);
    if (part.kind === 'names') for (const [table, all] of part.names) names.set(table, all);
    yield;
  }
  return { fingerprint, served, changed: { model: { ...model, ...Object.fromEntries(whole) }, names }, guarded };
}
