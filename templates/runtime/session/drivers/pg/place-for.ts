import type { PgConnection } from './connection.js';

/** What the choice of a connection depends on. */
type Choosable = Pick<PgConnection, 'hasRoom' | 'preparedCount'>;

/**
 * Which of the connections at hand is used next, the one used last being at the end; -1 if there is none.
 *
 * While that one has room, it is: a connection that is in the caches of the machine is worth more than a statement that is parsed once, and
 * those in use come to have all that is asked often. When it is full, one that `fits` is used, so that different connections keep
 * different statements; and what fits none goes where the fewest are, or the oldest.
 */
export function placeFor<T extends Choosable>(
  atHand: readonly { readonly connection: T }[],
  fits: (connection: T) => boolean,
): number {
  const last = atHand.length - 1;
  if (atHand[last]?.connection.hasRoom !== false) return last;
  const fitting = atHand.findLastIndex(({ connection }) => fits(connection));
  return fitting === -1 ? placeOfFewest(atHand) : fitting;
}

/** Of those with as many, the one that was used longest ago. */
function placeOfFewest(atHand: readonly { readonly connection: Choosable }[]): number {
  let fewest = 0;
  for (const [place, { connection }] of atHand.entries())
    if (connection.preparedCount < (atHand[fewest]?.connection.preparedCount ?? 0)) fewest = place;
  return fewest;
}
