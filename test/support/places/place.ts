import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/**
 * Suites that start processes of their own (servers of databases, browsers, compilers, generated
 * servers, commands) run in as many places as the machine has processors. The other workers run
 * suites that compute in the worker meanwhile.
 */

/** The connection that holds this suite's place, or waits for it. */
let connection: Promise<Socket> | undefined;

/**
 * Waits for a place before the suite's first process. A suite has one place, which it keeps until
 * its end, so a suite never waits for itself. Outside a run of Jest there are places for all.
 */
export async function takePlace(): Promise<void> {
  const path = process.env['TEST_PLACES'];
  if (path === undefined) return;
  await (connection ??= ask(path));
}

/** Gives the suite's place back. Jest's environment calls it at the end of each suite. */
export async function leavePlace(): Promise<void> {
  const held = connection;
  connection = undefined;
  (await held)?.destroy();
}

/** The end of the run ends a wait, too: then there is nothing to wait for. */
async function ask(path: string): Promise<Socket> {
  const socket = connect(path);
  socket.on('error', () => undefined);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]).catch(() => undefined);
  socket.unref();
  return socket;
}
