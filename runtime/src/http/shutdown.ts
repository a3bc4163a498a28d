import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { ServerError, codes } from '../errors.js';
import type { Unanswered } from '../observe/observation.js';
import type { Connections } from './connections.js';
import { rawAnswer } from './raw-answer.js';

/** Milliseconds that the headers of a request have to arrive, when they had begun to as the server stopped listening. */
const HEADERS_MILLISECONDS = 1_000;

/**
 * Stops a server: no new connections, then every request that was accepted has `grace` milliseconds to be answered. Ends as soon as nothing
 * is left to answer. Tells what was not: that is cut off.
 */
export async function closeGracefully(
  server: Server,
  connections: Connections,
  grace: number,
): Promise<readonly Unanswered[]> {
  if (!server.listening) return [];
  const closed = stopListening(server);
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
 * What `http.Server.close` does without closing the connections that Node.js takes for idle: an answer may still be on its way to the client. So
 * the time limits of arriving requests hold until the end, too.
 */
function stopListening(server: Server): Promise<void> {
  return new Promise((resolve) => {
    NetServer.prototype.close.call(server, () => {
      resolve();
    });
  });
}

async function closeWithoutRequest(connections: Connections, ended: AbortSignal): Promise<void> {
  // Between two turns Node.js reads what has arrived by now.
  await turn();
  await turn();
  connections.closeIdle();
  const isOver = await sleep(HEADERS_MILLISECONDS, false, { signal: ended }).catch(() => true);
  if (!isOver) connections.refuseArriving(rawAnswer(shuttingDown()));
}

const shuttingDown = (): ServerError =>
  new ServerError(503, codes.unavailable, 'The server is shutting down.', {
    hint: 'Send the request again: another server answers it.',
    headers: { 'retry-after': '1' },
  });
