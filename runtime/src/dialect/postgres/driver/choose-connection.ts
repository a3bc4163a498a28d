import type { BoundStatement } from '../../../plan/statement.js';
import type { PgConnection } from './connection.js';

/** What the choice of a connection needs to know. */
type Choosable = Pick<PgConnection, 'has' | 'hasRoom' | 'preparedCount'>;

/** Connections, the one used last at the end. */
type Idle = readonly Choosable[];

/**
 * The position of the idle connection that should run statements; -1 if there is none.
 *
 * The connection used last is chosen while it has room for more prepared statements: processor
 * caches still hold it, and the connections in use prepare every frequent statement. When it is
 * full, a connection that has prepared the statements is chosen, so that connections keep different
 * statements. A statement that no connection has prepared goes to the connection with the fewest,
 * or the oldest.
 */
export function chooseConnection(idle: Idle, statements: readonly BoundStatement[]): number {
  const last = idle.length - 1;
  if (idle[last]?.hasRoom !== false) return last;
  const prepared = idle.findLastIndex((connection) => connection.has(statements));
  return prepared === -1 ? placeOfFewest(idle) : prepared;
}

/** Among equals, chooses the connection that was used longest ago. */
function placeOfFewest(idle: Idle): number {
  let fewest = 0;
  for (const [place, { preparedCount }] of idle.entries())
    if (preparedCount < (idle[fewest]?.preparedCount ?? 0)) fewest = place;
  return fewest;
}
