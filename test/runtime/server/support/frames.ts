import { once } from 'node:events';
import fc from 'fast-check';
import { WebSocket } from 'ws';
import type { ServedServer } from '../../../support/served-as-role.js';

/** A WebSocket at /graphql that sends whatever it is given: frames, other JSON, text and bytes. */
export interface RawSocket {
  readonly send: (message: unknown) => void;
  readonly next: () => Promise<unknown>;
  readonly close: () => void;
}

export async function openRaw(server: Pick<ServedServer, 'base'>): Promise<RawSocket> {
  const socket = new WebSocket(`${server.base.replace('http', 'ws')}/graphql`, 'graphql-transport-ws');
  const messages: unknown[] = [];
  socket.on('message', (data: Buffer) => {
    messages.push(JSON.parse(data.toString()));
    socket.emit('parsed');
  });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  return {
    send: (message) => {
      socket.send(typeof message === 'string' || Buffer.isBuffer(message) ? message : JSON.stringify(message));
    },
    next: async () => {
      while (messages.length === 0) await Promise.race([once(socket, 'parsed'), once(socket, 'close')]);
      return messages.shift();
    },
    close: () => {
      socket.terminate();
    },
  };
}

/** The same, and acknowledged. */
export async function openInit(server: Pick<ServedServer, 'base'>): Promise<RawSocket> {
  const socket = await openRaw(server);
  socket.send({ type: 'connection_init' });
  await socket.next();
  return socket;
}

/** Messages by chance: frames of the protocol with parts exchanged, other JSON, text and bytes. */
const word = fc.constantFrom('subscribe', 'complete', 'ping', 'pong', 'connection_init', 'next', 'error', '', 'x');
const operations = [
  'subscription { x }',
  'subscription S { a: x { y } b: z }',
  'subscription { __typename }',
  'subscription { liveIssuesChanges { operation key data { id } } }',
  'subscription ($n: Int) { liveIssuesChanges(where: { id: { gt: $n } }) { operation } }',
  'mutation { x }',
  'mutation { __typename }',
  '{ silentNumbers { id } }',
  '{ liveIssues { id } }',
];
const document = fc.oneof(
  fc.constantFrom(...operations),
  fc.constantFrom('query A { __schema { types { name } } } query B { __typename }', '{'),
  fc.string(),
);
const payload = fc.oneof(
  fc.record(
    { query: document, variables: fc.jsonValue(), operationName: fc.jsonValue(), extensions: fc.jsonValue() },
    { requiredKeys: [] },
  ),
  fc.jsonValue(),
);
const frame = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ id: fc.constantFrom('1', '2', '', 3, null), type: word, payload }, { requiredKeys: [] }),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
);

/** Sends frames by chance, and asserts after each connection that the server is there. */
export const sendFrames = (server: Pick<ServedServer, 'base' | 'send'>, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 6 }), fc.boolean(), async (frames, init) => {
      const socket = init ? await openInit(server) : await openRaw(server);
      for (const each of frames)
        socket.send(Buffer.isBuffer(each) || typeof each === 'string' ? each : JSON.stringify(each));
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.close();
      expect((await server.send('GET', '/health/live')).status).toBe(200);
    }),
    { numRuns },
  );

/** Posts documents by chance, as one answer and as events. */
export const sendDocuments = (server: Pick<ServedServer, 'send'>, numRuns: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(payload, fc.constantFrom('application/json', 'text/event-stream'), async (body, accept) => {
      const asked = server.send(
        'POST',
        '/graphql',
        { 'content-type': 'application/json', accept },
        JSON.stringify(body),
      );
      await Promise.race([asked.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, 100))]);
      expect((await server.send('GET', '/health/live')).status).toBe(200);
    }),
    { numRuns },
  );
