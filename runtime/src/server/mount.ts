import type { IncomingMessage } from 'node:http';
import type { StreamEndpoint } from '../endpoint/graphql/stream/operation.js';
import type { Streams } from '../endpoint/graphql/stream/sockets.js';
import type { CancelSignal } from '../cancel-signal.js';
import type { Identity } from '../dialect/driver.js';
import type { AskingServices, Caller } from '../execute/custom/caller.js';
import type { IdentityRequest } from '../execute/custom/identity-request.js';
import type { DataHandler } from '../http/request-context.js';
import type { ApiSource } from './api-source.js';

/** What a path that an extension serves is made from. */
export interface MountSource extends ApiSource, Pick<StreamEndpoint, 'resolve'> {
  readonly streams: Streams;
  /** What GraphQL serves; undefined where it has nothing to show. */
  readonly schema: ApiSource['graphql'];
  /** The database as an identity, for the user's code. */
  readonly callerOf: (identity: Identity, signal?: CancelSignal) => Caller;
  /** Whether the API has everything: that of a role may have less. */
  readonly isWhole: boolean;
  /**
   * Finds what serves the path in the API that takes the place of this one; undefined if `error`
   * does not say that the database has changed.
   */
  readonly successor: (error: unknown, prefix: string) => Promise<DataHandler | undefined>;
}

/** A path that an extension serves. */
export interface Mount {
  /** The first segments of the path, as `/rest/v1`. */
  readonly prefix: string;
  readonly handler: DataHandler;
  /** Whether all identities get the same answers. Default: they do not. */
  readonly isPublic?: boolean;
  /** The part of a request that says who sends it. Default: the whole request. */
  readonly senderOf?: (request: IncomingMessage) => IdentityRequest;
}

/** Makes the paths that an extension serves for one API. */
export type MakeMounts = (services: AskingServices, source: MountSource) => readonly Mount[];
