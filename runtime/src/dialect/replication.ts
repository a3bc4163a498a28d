import type { Driver } from './driver.js';
import type { BoundStatement } from '../plan/statement.js';
import type { Position } from './position.js';

/** What a database server says about itself. */
export interface ServerState {
  /** Servers of different systems are not copies of each other. */
  readonly system: string;
  /** `peer`: takes writes, and receives those of the other servers. */
  readonly role: 'primary' | 'replica' | 'peer';
  /** A promotion raises it. A server with a lower number no longer is the primary. */
  readonly term: number;
  /** All changes up to here are visible there. */
  readonly position: Position;
  /** For a primary: the position that it may have sent to its replicas. */
  readonly sent: Position;
  /** The position of a commit, as a driver has reported it: see `RunOptions.committed`. */
  readonly positionOf: (committed: string) => Position | undefined;
  /** Returns that position after a commit. Absent: the driver knows a statement for it. */
  readonly committed?: BoundStatement;
  /** The server receives changes but does not keep up, so it answers no reads. */
  readonly isCatchingUp?: boolean;
}

/** How servers of one database follow each other. */
export interface Replication {
  /** Asks a server. Rejects with errors of the driver. */
  readonly state: (server: Driver) => Promise<ServerState>;
  /**
   * Rejects with ServerError `misconfigured` if requests could harm the replication. Called before
   * the first of them.
   */
  readonly check?: (server: Driver, state: ServerState) => Promise<void>;
  /**
   * Resolves when a peer has all changes that any other peer acknowledged before. Absent: servers
   * are no peers.
   */
  readonly catchUp?: (server: Driver) => Promise<void>;
  /** A position as the text that clients get and send. */
  readonly format: (position: Position) => string;
  /** Undefined for a text that is no position. */
  readonly parse: (text: string) => Position | undefined;
  /**
   * Whether a read that failed at a replica is repeated at the primary, and whether the same read
   * always fails there.
   */
  readonly failsThere: (error: unknown) => 'once' | 'always' | undefined;
  /**
   * Whether the error means that a server takes no writes, so that nothing was written. Absent:
   * errors of the driver say so themselves.
   */
  readonly refusesWrites?: (error: unknown) => boolean;
}
