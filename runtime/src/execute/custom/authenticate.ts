import type { AnyDatabase } from '../hooks/table-hooks.js';
import type { ActingIdentity } from './acting-identity.js';
import type { Caller } from './caller.js';
import type { IdentityRequest, SendingPage } from './identity-request.js';

export type { IdentityRequest, SendingPage } from './identity-request.js';

export interface AuthenticateContext<Database = AnyDatabase> {
  /** The database as an identity, for a look-up. The identity is trusted without verification. */
  readonly as: (identity: ActingIdentity) => Caller<Database>;
  readonly pageOf: (request: IdentityRequest) => SendingPage;
}

/**
 * Identifies the sender of a request, for everything that serves data: REST in both forms, GraphQL
 * with its WebSockets and event streams, the routes of `src/custom`, and `server.contextOf`. The
 * returned claims are trusted like those of a verified token. Undefined: the request is identified
 * by its token if tokens are verified, and is anonymous otherwise. An error refuses the request: a
 * ServerError with its status, any other error with 500.
 */
export interface Authenticate<Database = AnyDatabase> {
  (
    request: IdentityRequest,
    context: AuthenticateContext<Database>,
  ): ActingIdentity | undefined | Promise<ActingIdentity | undefined>;
  /** Names of the request headers that it reads, for the header `Vary` of answers. */
  readonly reads?: readonly string[];
}

/** The same for code that needs only the request. */
export interface AuthenticateRequest {
  (request: IdentityRequest): ActingIdentity | undefined | Promise<ActingIdentity | undefined>;
  readonly reads?: readonly string[];
}
