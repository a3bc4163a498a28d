import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy to a database whose connections can be cut. */
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
  close(): Promise<void>;
}

export async function wireTo(address: string): Promise<Wire> {
  let target = new URL(address);
  /** For each connection, the function that cuts it, and its client's last message. */
  const lines = new Map<() => void, Buffer>();
  const server = createServer((client) => {
    const upstream = connect(Number(target.port === '' ? 5432 : target.port), target.hostname);
    const cut = (): void => {
      lines.delete(cut);
      client.resetAndDestroy();
      upstream.destroy();
    };
    lines.set(cut, Buffer.alloc(0));
    carry(client, upstream);
    carry(upstream, client);
    function carry(from: Socket, to: Socket): void {
      from.on('data', (data: Buffer) => {
        if (from === client) lines.set(cut, data);
        to.write(data);
      });
      from.on('error', cut);
      from.on('close', cut);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(address);
  [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  return {
    url: url.href,
    cut: (text) => {
      const found = [...lines].filter(([, sent]) => sent.includes(text));
      for (const [cut] of found) cut();
      return found.length > 0;
    },
    redirect: (other) => {
      target = new URL(other);
      for (const cut of lines.keys()) cut();
    },
    close: async () => {
      for (const cut of lines.keys()) cut();
      server.close();
      await once(server, 'close');
    },
  };
}
