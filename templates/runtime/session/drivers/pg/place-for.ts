import type { BoundStatement } from '../../statement.js';
import type { SharedAccess } from './access-mode.js';
import type { PgConnection } from './connection.js';

/** What the choice of a connection depends on. */
type Choosable = Pick<PgConnection, 'isFor' | 'has' | 'hasRoom' | 'preparedCount'>;

/** Connections, the one used last at the end. */
type AtHand = readonly { readonly connection: Choosable }[];

/** Of those whose session is set to what is to be done the one used last, or of all. -1 if there is none. */
export function nextFor(atHand: AtHand, access: SharedAccess): number {
  const next = atHand.findLastIndex(({ connection }) => connection.isFor(access));
  return next === -1 ? atHand.length - 1 : next;
}

/**
 * Which of the connections at hand is to run statements; -1 if there is none.
 *
 * While the one that is next has room, it is that: a connection that is in the caches of the machine is worth more than a statement that is
 * parsed once, and those in use come to have all that is asked often. When it is full, it is one that has the statements, so that different
 * connections keep different ones; and what none has goes where the fewest are, or the oldest.
 */
export function placeFor(atHand: AtHand, access: SharedAccess, statements: readonly BoundStatement[]): number {
  const next = nextFor(atHand, access);
  if (atHand[next]?.connection.hasRoom !== false) return next;
  const ready = atHand.findLastIndex(({ connection }) => connection.isFor(access) && connection.has(statements));
  if (ready !== -1) return ready;
  const prepared = atHand.findLastIndex(({ connection }) => connection.has(statements));
  return prepared === -1 ? placeOfFewest(atHand) : prepared;
}

/** Of those with as many, the one that was used longest ago. */
function placeOfFewest(atHand: AtHand): number {
  let fewest = 0;
  for (const [place, { connection }] of atHand.entries())
    if (connection.preparedCount < (atHand[fewest]?.connection.preparedCount ?? 0)) fewest = place;
  return fewest;
}
