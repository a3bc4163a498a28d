import type { Socket } from 'node:net';
import { ServerError, codes } from '../errors.js';
import type { Settings } from '../settings/settings.js';
import { rawAnswer } from './raw-answer.js';

/** The open connections, of all clients and of each address. */
export interface ConnectionLimit {
  /**
   * Counts a connection until `leave`, also one that is too many, for which it returns the error.
   */
  readonly enter: (address: string) => ServerError | undefined;
  readonly leave: (address: string) => void;
}

/** Undefined where the settings have no limit. */
export function createConnectionLimit(settings: Settings): ConnectionLimit | undefined {
  const most = settings['app.server.max-connections'];
  const mostOfOne = settings['app.server.max-connections-per-address'];
  if (most === 0 && mostOfOne === 0) return undefined;
  const byAddress = new Map<string, number>();
  let open = 0;
  return {
    enter: (address) => {
      const ofAddress = (byAddress.get(address) ?? 0) + 1;
      open += 1;
      byAddress.set(address, ofAddress);
      const isOne = mostOfOne > 0 && ofAddress > mostOfOne;
      return isOne || (most > 0 && open > most) ? tooMany(isOne) : undefined;
    },
    leave: (address) => {
      open -= 1;
      const left = (byAddress.get(address) ?? 1) - 1;
      if (left > 0) byAddress.set(address, left);
      else byAddress.delete(address);
    },
  };
}

/**
 * Answers with the reason and closes the connection, without reading what the client still sends.
 */
export function refuseConnection(socket: Socket, error: ServerError): void {
  socket.on('error', () => undefined);
  socket.write(rawAnswer(error));
  socket.destroySoon();
}

const tooMany = (isOne: boolean): ServerError =>
  new ServerError(
    503,
    codes.unavailable,
    `There are too many connections ${isOne ? 'from this address' : 'to this server'}.`,
    {
      hint: 'Close connections, or use one connection for several requests. app.server.max-connections sets the limit.',
      headers: { 'retry-after': '1' },
    },
  );
