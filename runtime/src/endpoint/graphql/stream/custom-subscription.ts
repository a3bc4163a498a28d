import { GraphQLError } from 'graphql';
import type { Dialect } from '../../../dialect/dialect.js';
import type { Identity } from '../../../dialect/driver.js';
import { toServerError } from '../../../response/server-error.js';
import type { CustomSubscription } from '../engine.js';
import type { Operation, OperationSink } from './sink.js';

/**
 * Sends the events of a subscription of the user's code, one after the other, until either side
 * ends it.
 */
export function startCustomSubscription(
  first: CustomSubscription,
  current: () => CustomSubscription | undefined,
  identity: Identity,
  dialect: Dialect,
  sink: OperationSink,
): Operation {
  const state: { isOver: boolean; events?: AsyncIterator<unknown> } = { isOver: false };
  const end = (): void => {
    state.isOver = true;
    // The user's iterator may throw at once, or reject.
    void (async () => state.events?.return?.())().catch(() => undefined);
  };
  const run = async (): Promise<void> => {
    const events = (state.events = (await first.subscribe(identity))[Symbol.asyncIterator]());
    if (state.isOver) end();
    while (!isOver()) {
      const next: IteratorResult<unknown, unknown> = await events.next();
      if (isOver()) return;
      if (next.done === true) {
        sink.complete();
        return;
      }
      const now = current();
      if (now === undefined) {
        end();
        return;
      }
      const text = await now.answer(next.value, identity);
      if (!isOver()) sink.next(text, true);
    }
  };
  const isOver = (): boolean => state.isOver;
  run().catch((error: unknown) => {
    if (isOver()) return;
    end();
    sink.failed([error instanceof GraphQLError ? error : toServerError(error, dialect)]);
  });
  return { cancel: end };
}
