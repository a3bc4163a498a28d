import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identity } from '../../../dialect/driver.js';
import type { RequestContext } from '../../../http/request-context.js';
import { formatError } from '../../../response/graphql-error.js';
import type { GraphqlParams } from '../documents.js';
import { onExpiry } from './connection-identity.js';
import type { KeyWatch } from './key-watch.js';
import { observeFailures } from './observe-failures.js';
import { startOperation, type StreamEndpoint } from './operation.js';
import type { Streams } from './sockets.js';

/**
 * Milliseconds between two comments, which keep proxies from closing a stream on which nothing
 * happens.
 */
const COMMENT_MS = 12_000;

/** Whether a client wants its answer as a stream of events. */
export const wantsEventStream = ({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean =>
  method === 'POST' && headers.accept?.toLowerCase().includes('text/event-stream') === true;

/**
 * Answers a request as a stream of events: a connection for each operation. Resolves when it is
 * over. Throws ServerError when there are too many connections.
 * Source: https://github.com/enisdenjo/graphql-sse/blob/master/PROTOCOL.md, "Distinct connections
 * mode"
 */
export async function answerAsEvents(
  response: ServerResponse,
  { id, signal }: Pick<RequestContext, 'id' | 'signal'>,
  endpoint: () => StreamEndpoint,
  streams: Streams,
  request: GraphqlParams,
  identity: Identity,
  keys: KeyWatch,
): Promise<void> {
  const { settings, observe } = endpoint().services;
  // Without the last event a client connects again.
  const cut = (): void => {
    response.destroy();
  };
  const leave = streams.enter(() => {
    response.end();
  });
  const over = new Promise<void>((resolve) => response.once('close', resolve));
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': id,
  });
  response.write(':\n\n');
  const commenting = setInterval(() => {
    response.write(':\n\n');
  }, COMMENT_MS).unref();
  const endExpiry = onExpiry(identity, () => {
    response.end();
  });
  keys.onRevoked(() => {
    response.end();
  });
  const finish = (): void => {
    response.end('event: complete\ndata:\n\n');
  };
  const operation = startOperation(endpoint, request, identity, {
    next: (payload, isEvent, sent) => {
      if (isEvent && response.writableLength > settings['app.websocket.pending-bytes']) {
        observe({ kind: 'socket-closed', code: 4408, reason: 'Too slow' });
        cut();
        sent?.();
      } else
        response.write(eventOf(payload), () => {
          sent?.();
        });
    },
    failed: (errors) => {
      observeFailures(errors, observe, id);
      response.write(eventOf(JSON.stringify({ errors: errors.map(formatError) })));
      finish();
    },
    complete: finish,
  });
  signal.addEventListener('abort', operation.cancel, { once: true });
  await over;
  operation.cancel();
  clearInterval(commenting);
  endExpiry();
  leave();
}

/** JSON of the database may have line breaks between its values, which would end the data. */
const eventOf = (payload: string): string => `event: next\ndata: ${payload.replace(/\r?\n|\r/g, ' ')}\n\n`;
