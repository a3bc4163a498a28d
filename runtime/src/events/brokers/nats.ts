import type { OpenBroker } from './broker.js';
import { loadPackage } from './load-package.js';

/** The part of `@nats-io/transport-node` used here: most servers do not have the package. */
interface NatsModule {
  readonly connect: (options: {
    servers: string;
    reconnect: boolean;
    timeout: number;
    user?: string;
    pass?: string;
  }) => Promise<NatsConnection>;
}

interface NatsConnection {
  publish(subject: string, payload: string): void;
  subscribe(subject: string, options: { callback: (error: Error | null, message: NatsMessage) => void }): unknown;
  flush(): Promise<void>;
  closed(): Promise<Error | undefined>;
  close(): Promise<void>;
}

interface NatsMessage {
  string(): string;
}

/** Milliseconds that connecting may take. */
const CONNECT_MS = 10_000;

/** Core NATS: a disconnected process loses messages, and notices by the sender's numbers. */
export const natsBroker =
  (url: string, subject: string): OpenBroker =>
  async (receive, signal) => {
    const { connect } = (await loadPackage('@nats-io/transport-node')) as NatsModule;
    const { username, password } = new URL(url);
    const credentials =
      username === '' ? {} : { user: decodeURIComponent(username), pass: decodeURIComponent(password) };
    const connection = await connect({ servers: url, reconnect: false, timeout: CONNECT_MS, ...credentials });
    const close = (): void => {
      void connection.close().catch(() => undefined);
    };
    if (signal.aborted) close();
    signal.addEventListener('abort', close);
    connection.subscribe(subject, {
      callback: (error, message) => {
        if (error === null) receive(message.string());
      },
    });
    await connection.flush();
    const ended = connection.closed().then((error): never => {
      throw error ?? new Error('The connection to NATS is closed.');
    });
    ended.catch(() => undefined);
    return {
      ended,
      publish: (text) => {
        connection.publish(subject, text);
      },
      close: () => connection.close(),
    };
  };
