import type { ApiChange } from '../model/api-change.js';

/**
 * What happened, as data: the logger and the metrics decide what to do with it; tests assert on it.
 */
export type Observation =
  /**
   * `of: 'metrics'`: for those who read metrics. `workers`: the processes that serve the address.
   */
  | { readonly kind: 'listening'; readonly address: string; readonly of?: 'metrics'; readonly workers?: number }
  /** What happened to a process of `app.server.workers`, or to all of them. */
  | {
      readonly kind: 'worker';
      readonly state: 'ready' | 'ended' | 'hung' | 'reloaded' | 'not reloaded';
      readonly worker?: number;
      readonly pid?: number | undefined;
      readonly reason?: string;
    }
  | {
      readonly kind: 'warning';
      readonly message: string;
      readonly hint?: string;
      readonly tenant?: string;
      /** SQL that fixes it, for the log at level `debug`. */
      readonly sql?: readonly string[];
    }
  /** At start, the database does not answer. Reported once for each reason, and once a minute. */
  | {
      readonly kind: 'database';
      readonly state: 'unavailable';
      readonly reason: string;
      readonly attempts: number;
      readonly error: unknown;
    }
  | {
      readonly kind: 'database';
      readonly state: 'available';
      readonly attempts: number;
      readonly milliseconds: number;
    }
  /** The use of a database server has changed: 0 is `app.datasource.url`, others are replicas. */
  | {
      readonly kind: 'server';
      readonly server: number;
      readonly state: 'primary' | 'in' | 'behind' | 'diverged' | 'fenced' | 'away';
      readonly lagMilliseconds: number;
      readonly error: unknown;
    }
  /** The database of a tenant cannot be used. Reported once for each reason. */
  | { readonly kind: 'tenant'; readonly state: 'unavailable'; readonly tenant: string; readonly reason: string }
  | { readonly kind: 'tenant'; readonly state: 'available'; readonly tenant: string }
  | {
      readonly kind: 'request';
      readonly id: string;
      readonly method: string;
      /** `/graphql` or `/api/v1`. */
      readonly route: string;
      /** The form of the path: `/api/v1/{table}/{key}`. */
      readonly template: string;
      /** The status of the answer, or `clientClosedRequest`. */
      readonly status: number;
      readonly milliseconds: number;
    }
  /**
   * A client's mistake. `path` and `field` name what was asked, and hold no value of the request.
   */
  | {
      readonly kind: 'refusal';
      /** Absent for a WebSocket, whose status is the code of its close. */
      readonly requestId?: string;
      readonly method: string;
      readonly path: string;
      readonly field?: string;
      /** The status that was sent. */
      readonly status: number;
      readonly code: string;
      /** Why a token was refused. */
      readonly reason?: string;
    }
  /**
   * A failure that an operator has to look at. `status` is the one that was sent, if it is the
   * failure of a request.
   */
  | {
      readonly kind: 'failure';
      readonly requestId?: string;
      readonly path?: string;
      readonly status?: number;
      readonly tenant?: string;
      readonly error: unknown;
    }
  /** A request was refused by a rate of `app.limits.rates`. */
  | { readonly kind: 'rate-exceeded'; readonly rate: string }
  /** A client that took nothing of its answer for as long as it may, and was cut off. */
  | { readonly kind: 'slow-reader'; readonly bytes: number }
  /** A request has got a connection after so long a wait: there was no free one. */
  | { readonly kind: 'waited'; readonly milliseconds: number }
  /**
   * A run at the database that took longer than `app.log.slow-statement-ms`. `rows` is undefined
   * where it failed; `plan` is for any values.
   */
  | {
      readonly kind: 'slow-statement';
      readonly statement: string;
      readonly milliseconds: number;
      readonly rows: number | undefined;
      readonly plan?: readonly string[];
    }
  /** The reads of several requests were sent together over one connection. */
  | { readonly kind: 'shared'; readonly runs: number }
  /** One of them took so long that those behind it were run elsewhere. */
  | { readonly kind: 'stalled'; readonly milliseconds: number }
  /** The API follows a change of the database; `changes` are what clients see of it. */
  | {
      readonly kind: 'schema';
      readonly state: 'followed';
      readonly trigger: string;
      readonly milliseconds: number;
      readonly fingerprint: string;
      readonly changes: readonly ApiChange[];
    }
  /** The database has changed, and the API is still the old one. Reported once for each reason. */
  | {
      readonly kind: 'schema';
      readonly state: 'stale';
      readonly reason: string;
      readonly hint: string | undefined;
      readonly error: unknown;
    }
  /** The served API matches the database again. */
  | { readonly kind: 'schema'; readonly state: 'current' }
  /** The state of the change feed: `hint` names the necessary action, if waiting does not help. */
  | { readonly kind: 'feed'; readonly state: 'off' | 'connecting' | 'live'; readonly tenant?: string }
  | {
      readonly kind: 'feed';
      readonly state: 'interrupted';
      readonly reason: string;
      readonly hint?: string;
      readonly tenant?: string;
    }
  /**
   * Committed changes that came from the feed, so long after their commit by this machine's clock.
   */
  | {
      readonly kind: 'changes';
      readonly changes: number;
      readonly lagMilliseconds: number;
      readonly subscribers: number;
      readonly groups: number;
    }
  /** An event was sent to subscribers. */
  | { readonly kind: 'event'; readonly operation: string; readonly subscribers: number }
  /** Every subscriber was informed that changes may be missing. */
  | {
      readonly kind: 'resync';
      readonly reason: string;
      readonly subscribers: number;
      readonly groups: number;
      readonly tenant?: string;
    }
  /** A WebSocket or an event stream was closed by the server. */
  | { readonly kind: 'socket-closed'; readonly code: number; readonly reason: string }
  | { readonly kind: 'shutdown'; readonly phase: 'draining' | 'closed' }
  /** Requests that were not answered in the grace period, and cut off. */
  | { readonly kind: 'shutdown'; readonly phase: 'forced'; readonly unanswered: readonly Unanswered[] };

/** A request whose answer is not complete. */
export interface Unanswered {
  readonly method: string;
  /** Without the query string, whose values do not belong in a log. */
  readonly path: string;
  /**
   * Whether its body is still arriving, its answer is being made, or its client is still reading
   * that.
   */
  readonly state: 'receiving' | 'answering' | 'sending';
}

/**
 * The status of a request whose client left before it was answered: none is sent, and this is
 * nginx's number for it.
 */
export const clientClosedRequest = 499;

export type Observer = (observation: Observation) => void;
