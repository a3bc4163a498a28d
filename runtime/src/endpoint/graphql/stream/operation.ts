import type { Receiver } from '../../../events/group.js';
import type { Changes } from '../../../events/hub.js';
import type { ChangeSource } from '../../../events/source.js';
import type { Identity } from '../../../dialect/driver.js';
import { answerTooLong } from '../../../dialect/answer-too-long.js';
import { codes, ServerError } from '../../../errors.js';
import { ClientDisconnect } from '../../../http/client-disconnect.js';
import { joined } from '../../../joined.js';
import { beforeData } from '../../../response/graphql-answer.js';
import { toServerError } from '../../../response/server-error.js';
import type { Use } from '../../../execute/admission.js';
import type { GraphqlRequest } from '../../../request/graphql/compile.js';
import type { Services } from '../../../execute/services.js';
import type { GraphqlParams, ResolveDocument } from '../documents.js';
import type { GraphqlEngine, CustomSubscription } from '../engine.js';
import type { Exchange, Outcome } from '../exchange.js';
import { startCustomSubscription } from './custom-subscription.js';
import type { Operation, OperationSink } from './sink.js';

/** What answers the requests of connections that take events. */
export interface StreamEndpoint {
  readonly engine: GraphqlEngine;
  readonly services: Services;
  /** Absent: no change feed is configured. */
  readonly hub: Changes | undefined;
  readonly resolve: ResolveDocument;
  /** What serves an identity: it may change. Absent: this, or what takes its place. */
  readonly of?: ((identity: Identity) => Promise<() => StreamEndpoint>) | undefined;
}

/**
 * Begins an operation. A subscription has begun when this returns, unless it has to be admitted.
 * @param endpoint answers what serves now: a subscription is opened again when that changes
 * @param admit rejects with ServerError for an operation that may not run
 */
export function startOperation(
  endpoint: () => StreamEndpoint,
  params: GraphqlParams,
  identity: Identity,
  sink: OperationSink,
  admit?: (use: Use) => Promise<void>,
): Operation {
  const { engine, resolve } = endpoint();
  const request = resolve(params);
  if ('errors' in request) {
    sink.failed(request.errors);
    return over;
  }
  if (admit === undefined) return begin(endpoint, request, identity, sink);
  let running: Operation | undefined;
  let isCancelled = false;
  admit(engine.use(request))
    .then(() => {
      if (!isCancelled) running = begin(endpoint, request, identity, sink);
    })
    .catch((thrown: unknown) => {
      if (!isCancelled) sink.failed([toServerError(thrown, endpoint().services.dialect)]);
    });
  return {
    cancel: () => {
      isCancelled = true;
      running?.cancel();
    },
  };
}

function begin(
  endpoint: () => StreamEndpoint,
  request: GraphqlRequest,
  identity: Identity,
  sink: OperationSink,
): Operation {
  const { engine, services, hub } = endpoint();
  const opened = engine.open(request, identity);
  switch (opened.kind) {
    case 'refused':
      sink.failed(opened.errors);
      return over;
    case 'changes': {
      if (hub === undefined) {
        sink.failed([noFeed()]);
        return over;
      }
      const receiver: Receiver = {
        next: (payload, sent) => {
          sink.next(payload, true, sent);
        },
        fail: (error) => {
          sink.failed([error]);
        },
      };
      const reopen = (): ChangeSource | undefined => {
        const again = endpoint().engine.open(request, identity);
        if (again.kind === 'changes') return again.source;
        sink.failed(again.kind === 'refused' ? again.errors : [changed()]);
        return undefined;
      };
      return { cancel: hub.subscribe(opened.source, identity, receiver, reopen) };
    }
    case 'custom': {
      const current = (): CustomSubscription | undefined => {
        const again = endpoint().engine.open(request, identity);
        if (again.kind === 'custom') return again.subscription;
        sink.failed(again.kind === 'refused' ? again.errors : [changed()]);
        return undefined;
      };
      return startCustomSubscription(opened.subscription, current, identity, services.dialect, sink);
    }
    case 'request': {
      const disconnect = new ClientDisconnect();
      void answerInto(opened.answer, { identity, options: { signal: disconnect } }, services, sink, disconnect);
      return {
        cancel: () => {
          disconnect.abort();
        },
      };
    }
  }
}

const over: Operation = { cancel: () => undefined };

async function answerInto(
  answer: (exchange: Exchange) => Promise<Outcome>,
  exchange: Exchange,
  services: Services,
  sink: OperationSink,
  disconnect: ClientDisconnect,
): Promise<void> {
  try {
    const outcome = await answer(exchange);
    if (disconnect.aborted) return;
    if (outcome.kind === 'refused') {
      sink.failed(outcome.errors);
      return;
    }
    sink.next(textOf(outcome, services), false);
    sink.complete();
  } catch (thrown) {
    if (disconnect.aborted) return;
    sink.failed([toServerError(thrown, services.dialect)]);
  }
}

/** Throws ServerError for a read that found too much. */
function textOf(outcome: Exclude<Outcome, { kind: 'refused' }>, { settings, pendingBytes }: Services): string {
  if (outcome.kind === 'introspected') return outcome.answer.body.toString();
  const { errors, isRead } = outcome;
  const data = joined(outcome.data).toString();
  const mostBytes = settings['app.limits.response-bytes'];
  if (isRead === true && data.length * 3 > mostBytes && Buffer.byteLength(data) > mostBytes)
    throw answerTooLong(mostBytes);
  if (isRead === true) pendingBytes.check(data.length);
  return `${beforeData(errors)}${data}}`;
}

const changed = (): ServerError =>
  new ServerError(503, codes.unavailable, 'The API has changed, and this document now has another meaning.', {
    hint: 'Subscribe again.',
  });

const noFeed = (): ServerError =>
  new ServerError(400, codes.unsupported, 'This server has no change feed.', {
    hint: 'Set app.changes.source: see docs/subscriptions.md.',
  });
