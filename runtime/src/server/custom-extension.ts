import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CancelSignal } from '../cancel-signal.js';
import type { Driver, Identity } from '../dialect/driver.js';
import type { Use } from '../execute/admission.js';
import type { ActingIdentity } from '../execute/custom/acting-identity.js';
import type { Caller } from '../execute/custom/caller.js';
import type { IdentityRequest } from '../execute/custom/identity-request.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { CreateSeries } from '../observe/metrics/metrics.js';
import type { Observer } from '../observe/observation.js';

/**
 * An extension of your own: `custom.extensions`. Those that wrap are asked in the order of the
 * list: the last one is the outermost.
 * @experimental It may change in a minor version.
 */
export interface ServerExtension {
  /** For messages about it. */
  readonly name: string;
  /** Receives observations, beside the log. The log has the errors that it throws. */
  readonly observe?: Observer;
  /** Called once, at the start. The server does not start where it rejects. */
  readonly open?: (host: ServerExtensionHost) => OpenServerExtension | Promise<OpenServerExtension>;
}

/** @experimental */
export interface ServerExtensionHost {
  /** Reports to the log and to other observers. */
  readonly observe: Observer;
  /**
   * The database as an identity, whose claims are trusted. Throws TypeError until the server is
   * complete: not while it opens.
   */
  readonly as: <Database = AnyDatabase>(identity: ActingIdentity) => Caller<Database>;
}

/**
 * Every member is asked once, at the start.
 * @experimental
 */
export interface OpenServerExtension {
  /** Paths of its own, before Express. */
  readonly mounts?: readonly OwnMount[];
  /**
   * Asked for each request of both protocols, and for each operation of a WebSocket, before it
   * runs. It refuses by throwing, best with `refuse(message, status)`.
   */
  readonly admit?: (asked: RequestedUse) => void | Promise<void>;
  /** Wraps how a sender is identified, after `custom.authenticate` and tokens. */
  readonly authenticate?: (next: IdentifySender) => IdentifySender;
  /** Wraps what runs the statements of requests: reads, writes, and rows read for subscribers. */
  readonly driver?: (next: Driver) => Driver;
  /** Adds to the answers of `/health`. */
  readonly health?: () => Readonly<Record<string, unknown>>;
  /** Makes metrics of its own; their names begin with `tablewright_`. */
  readonly metrics?: CreateSeries;
  /** @param grace milliseconds that it has */
  readonly close?: (grace: number) => void | Promise<void>;
}

/** @experimental */
export type IdentifySender = (request: IdentityRequest) => Promise<Identity> | Identity;

/**
 * What a request asks for.
 * @experimental
 */
export interface RequestedUse extends Use {
  readonly identity: Identity;
  /** The client's address, as rates count it: of IPv6 the first 64 bits. */
  readonly address: string;
}

/** @experimental */
export interface OwnMount {
  /** The first segments of the path, as `/audit`. */
  readonly prefix: string;
  /** Answers a request. The server answers its errors in the usual form. */
  readonly handler: (request: IncomingMessage, response: ServerResponse, asked: MountedRequest) => Promise<void>;
}

/** @experimental */
export interface MountedRequest {
  /** In the log, and in the header `X-Request-Id` of answers. */
  readonly id: string;
  /** Aborted when the client goes away. */
  readonly signal: CancelSignal;
  /** The database as the sender of the request. */
  readonly caller: Caller;
}
