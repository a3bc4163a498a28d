import type { WatchedTable } from '../../dialect/change-feed.js';
import type { Trigger } from '../../drift/occasions.js';
import type { ExportedMetric } from '../../observe/metrics/metrics.js';
import type { Taken } from '../rates/index.js';
import type { Rate } from '../../settings/rates.js';

/** The messages between the parent and its workers that have no answer. */
export interface Tells {
  /** To a worker, with the socket of a new client. */
  readonly connection: GivenNumber;
  /** To a worker: the database may have changed. */
  readonly look: Trigger;
  /** To a worker: the address is about to close. */
  readonly drain: null;
  /** To a worker: another one takes its place. The milliseconds that idle connections may stay. */
  readonly retire: number;
  readonly stop: null;

  readonly ready: null;
  /** Why a worker cannot start, in words. */
  readonly failed: string;
  /** A worker has a connection: no other one may have it. */
  readonly taken: number;
  readonly closed: readonly number[];
  readonly watch: Watch;
  readonly unwatch: string;
  /** Asks the feeds which tables they report. */
  readonly check: null;
  /** `app.drift.on-change` is `exit`, and the database has changed. */
  readonly exit: null;
}

/** The questions between the parent and its workers, and their answers. */
export interface Asks {
  readonly ping: readonly [question: null, answer: null];
  readonly metrics: readonly [question: null, answer: readonly ExportedMetric[]];
  readonly probe: readonly [schemas: readonly string[] | null, answer: string];
  readonly read: readonly [schemas: readonly string[] | null, answer: string];
  readonly otherSchemas: readonly [schemas: readonly string[], answer: readonly string[]];
  readonly take: readonly [question: RateQuestion, answer: Taken];
}

/** A connection that a worker is given. */
export interface GivenNumber {
  readonly number: number;
  /** When, by the clock of `machineTime`. */
  readonly at: number;
}

/** Milliseconds by a clock that all processes of the machine share, and that never goes back. */
export function machineTime(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1_000_000;
}

/**
 * Milliseconds in which a worker takes a connection that it was given, and after which the parent
 * gives the connection to another worker. The second is longer: they must not both have it.
 */
export const TAKE_TIMEOUT_MS = 2_000;
export const WITHDRAWN_AFTER = 4_000;

/** The tables of a feed. Workers of the same code have the same key. */
export interface Watch {
  readonly key: string;
  readonly tables: readonly WatchedTable[];
}

export interface RateQuestion {
  readonly rates: readonly Rate[];
  /** The place of the policy among those of the rates. */
  readonly policy: number;
  readonly key: string;
  readonly points: number;
}
