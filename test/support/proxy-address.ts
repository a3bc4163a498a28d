import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Lets a proxy of a database listen, and returns the database's address through it. */
export async function proxyAddress(server: Server, address: string): Promise<string> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(address);
  [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  return url.href;
}
