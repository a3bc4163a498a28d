import type { FeedErrors } from '../../feed-session.js';
import { lacks } from '../failures/lacks.js';
import { outageOf, unknownParameter } from '../failures/outage.js';

/** What errors of PostgreSQL mean for its feed. */
export const feedErrors: FeedErrors = {
  outage: outageOf,
  hint: hintFor,
  lacks: (error) => lacks(error) && !isOfRole(error),
};

/** A right is granted without another start of the server. */
const isOfRole = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '42501';

const needsDirect =
  'Set app.changes.url to the address of the database itself: a pooler passes no changes on. The address of app.datasource.url may stay.';

/** The action that helps if the database refuses the role or has no free slot, by SQLSTATE. */
function hintFor(error: unknown): string | undefined {
  switch (error instanceof Error && 'code' in error ? error.code : undefined) {
    case '42501':
      return 'The role of app.changes.url needs the attribute REPLICATION: `npx tablewright changes --sql` prints the SQL.';
    case '53400':
      return 'Raise max_replication_slots of the database server: each server process takes one slot. Or set app.changes.hub.';
    case '08P01':
      return error instanceof Error && unknownParameter.test(error.message) ? needsDirect : undefined;
    case '53300':
      return 'Raise max_wal_senders of the database server: each server process takes one. Or set app.changes.hub.';
    default:
      return lacks(error)
        ? 'The database lacks what this change feed needs, so that there are no subscriptions until the server starts again. docs/scaling.md lists what each feed needs; app.changes.source chooses one.'
        : undefined;
  }
}
