import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** Gives out a number of places to other processes: see `place.ts`. */
export interface Places {
  /** Ends all waits. */
  close(): void;
}

/**
 * A connection asks for a place, and has one as soon as it reads anything. It gives the place back
 * by its end, so a process that is killed keeps none. The first to ask is the first served.
 * @param path of a Unix socket that does not exist
 */
export async function openPlaces(path: string, count: number): Promise<Places> {
  const holding = new Set<Socket>();
  const waiting: Socket[] = [];
  const serve = (): void => {
    while (holding.size < count) {
      const next = waiting.shift();
      if (next === undefined) return;
      holding.add(next);
      next.write('yours');
    }
  };
  const server = createServer((socket) => {
    waiting.push(socket);
    socket.on('error', () => undefined);
    // The other end only ends the connection, which is noticed by reading.
    socket.resume();
    socket.once('close', () => {
      holding.delete(socket);
      const at = waiting.indexOf(socket);
      if (at >= 0) waiting.splice(at, 1);
      serve();
    });
    serve();
  });
  server.listen(path);
  await once(server, 'listening');
  server.unref();
  return {
    close: () => {
      server.close();
      for (const socket of [...holding, ...waiting]) socket.destroy();
    },
  };
}
