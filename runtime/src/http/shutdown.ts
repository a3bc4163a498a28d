import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ServerError, codes } from '../errors.js';
import type { Unanswered } from '../observe/observation.js';
import type { Connections } from './connections.js';
import { rawAnswer } from './raw-answer.js';

/**
 * Time in ms for the headers of a request that had begun to arrive when the server stopped
 * listening.
 */
const HEADERS_MS = 1_000;

/**
 * Milliseconds from the beginning of a shutdown until the server stops listening. Its answers tell
 * clients to come back on another connection: a closed one would fail their next request.
 */
export const DRAINING_MS = 300;

/**
 * Stops a server: it accepts no new connections, and has `grace` milliseconds to answer the
 * requests that it has accepted. Ends as soon as all requests are answered. Returns the requests
 * that it had to cut off.
 */
export async function closeGracefully(
  server: Server,
  connections: Connections,
  grace: number,
): Promise<readonly Unanswered[]> {
  // A server that does not listen is given its connections by another process.
  const closed = server.listening ? stopListening(server) : connections.empty();
  const ended = new AbortController();
  const late = sleep(grace, 'late', { signal: ended.signal }).catch(() => 'ended');
  void closeWithoutRequest(connections, ended.signal);
  const isLate = (await Promise.race([closed, late])) === 'late';
  ended.abort();
  const unanswered = isLate ? connections.unanswered() : [];
  server.closeAllConnections();
  await closed;
  return unanswered;
}

/**
 * Does what `http.Server.close` does, but does not close the connections that Node.js regards as
 * idle: an answer may still be on its way to the client. The time limits of arriving requests hold
 * until the end, too. In Bun, where an `http.Server` is no `net.Server`, its own `close` does that.
 */
function stopListening(server: Server): Promise<void> {
  const closing = server instanceof NetServer ? NetServer.prototype : server;
  return new Promise((resolve) => {
    closing.close.call(server, () => {
      resolve();
    });
  });
}

async function closeWithoutRequest(connections: Connections, ended: AbortSignal): Promise<void> {
  // Node.js reads arrived bytes between two turns of the event loop.
  await turn();
  await turn();
  connections.closeIdle();
  const isOver = await sleep(HEADERS_MS, false, { signal: ended }).catch(() => true);
  if (!isOver) connections.refuseArriving(rawAnswer(shuttingDown()));
}

const shuttingDown = (): ServerError =>
  new ServerError(503, codes.unavailable, 'The server is shutting down.', {
    hint: 'Send the request again: another server answers it.',
    headers: { 'retry-after': '1' },
  });
