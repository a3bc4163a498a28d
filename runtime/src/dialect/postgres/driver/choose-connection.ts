import type { BoundStatement } from '../../statement.js';
import type { PgConnection } from './connection.js';

/** The inputs of the choice of a connection. */
type Choosable = Pick<PgConnection, 'has' | 'hasRoom' | 'preparedCount'>;

/** Connections, the one used last at the end. */
type Idle = readonly { readonly connection: Choosable }[];

/**
 * The place of the idle connection that is to run statements; -1 if there is none.
 *
 * The connection used last is taken while it has room: the caches of the machine still hold it, and
 * the connections in use come to have every statement that is asked often. When it is full, a
 * connection that has the statements is taken, so that different connections keep different ones. A
 * statement that none has goes to the connection with the fewest, or the oldest.
 */
export function chooseConnection(idle: Idle, statements: readonly BoundStatement[]): number {
  const last = idle.length - 1;
  if (idle[last]?.connection.hasRoom !== false) return last;
  const prepared = idle.findLastIndex(({ connection }) => connection.has(statements));
  return prepared === -1 ? placeOfFewest(idle) : prepared;
}

/** Among equals, the connection that was used longest ago. */
function placeOfFewest(idle: Idle): number {
  let fewest = 0;
  for (const [place, { connection }] of idle.entries())
    if (connection.preparedCount < (idle[fewest]?.connection.preparedCount ?? 0)) fewest = place;
  return fewest;
}
