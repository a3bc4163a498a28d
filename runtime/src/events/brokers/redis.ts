import type { OpenBroker } from './broker.js';
import { loadPackage } from './load-package.js';

/** The part of `@redis/client` used here: most servers do not have the package. */
interface RedisModule {
  readonly createClient: (options: { url: string; socket: { reconnectStrategy: false } }) => RedisClient;
}

interface RedisClient {
  connect(): Promise<unknown>;
  duplicate(): RedisClient;
  subscribe(channel: string, receive: (text: string) => void): Promise<unknown>;
  publish(channel: string, text: string): Promise<unknown>;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  readonly isOpen: boolean;
  destroy(): void;
}

/** Publish and subscribe of Redis: a connection for each. */
export const redisBroker =
  (url: string, channel: string): OpenBroker =>
  async (receive, signal) => {
    const { createClient } = (await loadPackage('@redis/client')) as RedisModule;
    const sender = createClient({ url, socket: { reconnectStrategy: false } });
    const receiver = sender.duplicate();
    const clients = [sender, receiver];
    let fail: (error: Error) => void = () => undefined;
    const ended = new Promise<never>((_, reject) => {
      fail = reject;
      for (const client of clients) {
        client.on('error', (error) => {
          reject(error ?? new Error('Redis failed.'));
        });
        client.on('end', () => {
          reject(new Error('The connection to Redis is closed.'));
        });
      }
    });
    ended.catch(() => undefined);
    const destroy = (): void => {
      for (const client of clients) if (client.isOpen) client.destroy();
    };
    signal.addEventListener('abort', destroy);
    await Promise.all(clients.map((client) => client.connect()));
    await receiver.subscribe(channel, receive);
    return {
      ended,
      publish: (text) => {
        sender.publish(channel, text).catch((error: unknown) => {
          fail(error instanceof Error ? error : new Error('Redis took no message.'));
        });
      },
      close: () => {
        destroy();
        return Promise.resolve();
      },
    };
  };
