import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestHandler } from 'express';
import type { CancelSignal } from '../cancel-signal.js';
import type { Identity } from '../dialect/driver.js';
import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import type { Caller } from '../execute/custom/caller.js';
import type { Services } from '../execute/services.js';
import { ClientDisconnect } from './client-disconnect.js';

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace -- how types of Express are extended
  namespace Express {
    interface Request {
      /**
       * The verified claims of the request's token; empty for an anonymous request. For routes in
       * `src/custom`. Reading it throws ServerError 401 if the token is not valid, so that a route
       * that does not read it accepts any header.
       */
      readonly identity: Identity;
    }
  }
}

/** Makes the caller of an identity, whose statements are cancelled by the signal. */
export type CallerOf = (identity: Identity, signal: CancelSignal) => Caller;

const callers = new WeakMap<IncomingMessage, () => Caller>();

/**
 * Gives a route of `src/custom` access to the database with the identity of the request:
 * `contextOf<Database>(request).transaction(…)`.
 * @throws ServerError 401 for a token that is not valid
 */
export function contextOf<Database = AnyDatabase>(request: IncomingMessage): Caller<Database> {
  const caller = callers.get(request);
  if (caller === undefined)
    throw new TypeError('contextOf is for requests to routes of src/custom; elsewhere, use server.contextOf(request).');
  return caller() as unknown as Caller<Database>;
}

/** Middleware that sets `request.identity`, and lets `contextOf` find the caller. */
export const identifies =
  ({ authenticate }: Pick<Services, 'authenticate'>, callerOf: CallerOf): RequestHandler =>
  async (request, response, next) => {
    const who = await identityOf(() => authenticate(request));
    Object.defineProperty(request, 'identity', { get: who, configurable: true, enumerable: true });
    let caller: Caller | undefined;
    callers.set(request, () => (caller ??= callerOf(who(), disconnectOf(response))));
    next();
  };

/** Resolves with a function that returns the identity, or throws the error of authentication. */
async function identityOf(authenticate: () => Promise<Identity> | Identity): Promise<() => Identity> {
  try {
    const identity = await authenticate();
    return () => identity;
  } catch (error) {
    return () => {
      throw error;
    };
  }
}

/** A signal that aborts when the client disconnects before the answer is complete. */
export function disconnectOf(response: ServerResponse): CancelSignal {
  const disconnect = new ClientDisconnect();
  const check = (): void => {
    if (!response.writableFinished) disconnect.abort();
  };
  if (response.closed) check();
  else response.once('close', check);
  return disconnect;
}
