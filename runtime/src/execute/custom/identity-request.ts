import type { IncomingMessage } from 'node:http';

/**
 * The parts of a request from which its sender is identified. For a WebSocket it is the request
 * that opened it, with the `Authorization` of its first message if there is one.
 */
export interface IdentityRequest extends Pick<IncomingMessage, 'method' | 'url' | 'headers' | 'rawHeaders'> {
  /** The payload of `connection_init`, for a WebSocket of GraphQL. */
  readonly connectionParams?: unknown;
}

/**
 * The page that sends a request, as the browser says: of the server's origin (`own`), of an origin
 * that `app.cors.origins` names (`listed`), of another origin (`foreign`), or `none` without a
 * browser. `*` in the setting makes no page `listed`.
 */
export type SendingPage = 'own' | 'listed' | 'foreign' | 'none';
