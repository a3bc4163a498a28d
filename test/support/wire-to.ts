import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { proxyAddress } from './proxy-address.js';

/** A TCP proxy to a database whose connections can be cut, or fall silent. */
export interface Wire {
  /** The database's address through the proxy. */
  readonly url: string;
  /**
   * Cuts the connection whose client's last message contains this text: both ends lose it without a
   * notice. Returns whether there was such a connection.
   */
  cut(text: string): boolean;
  /** Cuts every connection and redirects new ones to another database, as a failover does. */
  redirect(address: string): void;
  /**
   * Open connections forward nothing more, and neither end is told. Connections that come are
   * forwarded, unless `andNew`.
   */
  silence(andNew?: 'and new'): void;
  /** Connections that come are forwarded again. */
  mend(): void;
  /** Connections that come forward what the database sends after so many milliseconds. */
  slow(milliseconds: number): void;
  /** The number of open connections. */
  size(): number;
  close(): Promise<void>;
}

export async function wireTo(address: string): Promise<Wire> {
  let target = new URL(address);
  /** For each connection, the function that cuts it, and its client's last message. */
  const lines = new Map<() => void, Buffer>();
  /** Connections that no longer forward. */
  const silent = new Set<() => void>();
  let isSilent = false;
  let delay = 0;
  const server = createServer((client) => {
    const upstream = connect(Number(target.port === '' ? portOf(target) : target.port), target.hostname);
    const cut = (): void => {
      silent.delete(cut);
      lines.delete(cut);
      client.resetAndDestroy();
      upstream.destroy();
    };
    lines.set(cut, Buffer.alloc(0));
    if (isSilent) silent.add(cut);
    carry(client, upstream, 0);
    carry(upstream, client, delay);
    function carry(from: Socket, to: Socket, after: number): void {
      const forward = (data: Buffer): void => {
        if (!silent.has(cut)) to.write(data);
      };
      from.on('data', (data: Buffer) => {
        if (from === client) lines.set(cut, data);
        if (after === 0) forward(data);
        else setTimeout(forward, after, data);
      });
      from.on('error', cut);
      from.on('close', cut);
    }
  });
  const url = await proxyAddress(server, address);
  return {
    url,
    cut: (text) => {
      const found = [...lines].filter(([, sent]) => sent.includes(text));
      for (const [cut] of found) cut();
      return found.length > 0;
    },
    redirect: (other) => {
      target = new URL(other);
      for (const cut of lines.keys()) cut();
    },
    silence: (andNew) => {
      isSilent = andNew !== undefined;
      for (const cut of lines.keys()) silent.add(cut);
    },
    mend: () => {
      isSilent = false;
    },
    size: () => lines.size,
    slow: (milliseconds) => {
      delay = milliseconds;
    },
    close: async () => {
      for (const cut of lines.keys()) cut();
      server.close();
      await once(server, 'close');
    },
  };
}

const portOf = ({ protocol }: URL): number => (/^(mysql|mariadb):/.test(protocol) ? 3306 : 5432);
