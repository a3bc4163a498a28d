import type { Driver, Identity } from '../dialect/driver.js';
import { codes, ServerError } from '../errors.js';
import { MAX_SENT } from './sent-keys.js';

/**
 * Reads the keys of the rows that a subscription begins with, as an identity, in their order.
 * Throws ServerError.
 */
export type ListKeys = (driver: Pick<Driver, 'run'>, identity: Identity) => Promise<readonly (readonly string[])[]>;

/** Most rows that a subscription begins with: a group has to remember all of them. */
export const MAX_SNAPSHOT = MAX_SENT;

/** Rows that are read by one statement, so that one page is in memory. */
export const SNAPSHOT_PAGE = 100;

/** Also for rows that other subscriptions have pushed out of the memory. */
export const tooManyRows = (): ServerError =>
  new ServerError(
    400,
    codes.limitExceeded,
    `A subscription with snapshot: true can have ${String(MAX_SNAPSHOT)} rows at most.`,
    { hint: 'Select fewer rows by where, or raise app.changes.remembered-bytes if the server has many subscriptions.' },
  );
