import type { CancelSignal } from '../cancel-signal.js';
import type { Identity } from '../dialect/driver.js';
import type { GraphqlEngine } from '../endpoint/graphql/engine.js';
import { cannotAct } from '../execute/custom/acting-identity.js';
import { createCaller, type Ask, type AskingServices, type Caller } from '../execute/custom/caller.js';
import { WriteRunner } from '../execute/write-runner.js';
import { codes, ServerError } from '../errors.js';

/**
 * Makes callers for the user's code outside of resolvers.
 * @param engine of the API; undefined if GraphQL has nothing to show
 */
export function createCallers(
  services: AskingServices,
  engine: () => GraphqlEngine | undefined,
): (identity: Identity, signal?: CancelSignal) => Caller {
  const runner = new WriteRunner(services);
  const { driver, actAs = cannotAct } = services;
  const ask: Ask = services.ask ?? createAsk(engine);
  return (identity, signal) =>
    createCaller({ runner, driver, options: signal === undefined ? {} : { signal }, actAs, ask }, identity);
}

/** @param engine undefined if GraphQL has nothing to show */
export const createAsk =
  (engine: () => GraphqlEngine | undefined): Ask =>
  async (...question) => {
    const asked = engine();
    if (asked === undefined) throw noGraphql();
    return asked.ask(...question);
  };

const noGraphql = (): ServerError =>
  new ServerError(
    404,
    codes.notFound,
    'This role may use nothing that GraphQL serves, so there are no documents to run.',
  );
