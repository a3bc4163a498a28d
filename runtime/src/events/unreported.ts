import type { FeedState } from '../dialect/change-feed.js';
import { codes, ServerError } from '../errors.js';
import type { Observation } from '../observe/observation.js';
import type { ChangeSource } from './source.js';

/** The change feed, for operators. */
export interface FeedHealth {
  readonly state: FeedState['state'];
  /** Tables whose changes the database does not report. */
  readonly unreported?: readonly string[];
}

/** `schema.name` of a `tableKey`. */
export const nameOf = (key: string): string => (JSON.parse(key) as readonly string[]).join('.');

/** The error of a subscription to a table whose changes the database does not report. */
export const notReported = ({ table }: ChangeSource): ServerError =>
  new ServerError(503, codes.unavailable, `The database does not report changes of ${table.schema}.${table.name}.`, {
    hint: 'Run the SQL that `npx tablewright changes --sql` prints, and restart the server.',
  });

/** What the log says of tables whose changes the database does not report. */
export function unreportedWarning(missing: readonly string[]): Observation {
  const names = missing.map(nameOf);
  const more = names.length > 5 ? ` and ${String(names.length - 5)} more` : '';
  return {
    kind: 'warning',
    message: `The database does not report changes of ${names.slice(0, 5).join(', ')}${more}: clients cannot subscribe to them.`,
    hint: 'Run the SQL that `npx tablewright changes --sql` prints.',
  };
}
