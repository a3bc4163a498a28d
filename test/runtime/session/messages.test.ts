import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { BatchConnection } from '../../../runtime/src/dialect/postgres/driver/batch-connection.js';

/** A message of the server: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(kind: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(kind, 'latin1');
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

const text = (value: string): Buffer => Buffer.from(`${value}\0`);

function row(fields: readonly (string | null)[]): Buffer {
  const parts = fields.flatMap((field) =>
    field === null ? [int32(-1)] : [int32(Buffer.byteLength(field)), Buffer.from(field)],
  );
  return message('D', Buffer.concat([int16(fields.length), ...parts]));
}

/** What is sent, and what it is received as. */
interface Sent {
  readonly bytes: Buffer;
  readonly seen: readonly unknown[];
}

/** Longer fields are bytes. */
const LONG = 4096;

const characters = fc.constantFrom('a', '"', 'ä', '€', '🐘');
const long = fc
  .tuple(characters, fc.constantFrom(LONG - 1, LONG, LONG + 1, 65_535, 65_536, 300_000))
  .map(([character, length]) => character.repeat(Math.ceil(length / Buffer.byteLength(character))));
const field = fc.oneof(
  { arbitrary: fc.string({ unit: characters, maxLength: 20 }), weight: 8 },
  { arbitrary: fc.constant(null), weight: 2 },
  { arbitrary: long, weight: 1 },
);

const sent: fc.Arbitrary<Sent> = fc.oneof(
  fc.array(field, { maxLength: 4 }).map((fields) => ({ bytes: row(fields), seen: ['row', ...fields] })),
  fc.constant({ bytes: message('1', Buffer.alloc(0)), seen: ['parsed'] }),
  fc.constant({ bytes: message('2', Buffer.alloc(0)), seen: ['bound'] }),
  fc.constant({ bytes: message('3', Buffer.alloc(0)), seen: ['closed'] }),
  fc.constantFrom('COMMIT', 'INSERT 0 1').map((tag) => ({ bytes: message('C', text(tag)), seen: ['completed', tag] })),
  fc
    .constantFrom('I', 'T', 'E')
    .map((status) => ({ bytes: message('Z', Buffer.from(status)), seen: ['ready', status] })),
  fc.oneof(fc.string(), long).map((said) => {
    const known = said.replaceAll('\0', '');
    const fields = Buffer.concat([text('SERROR'), text('C23505'), text(`M${known}`), Buffer.from([0])]);
    return { bytes: message('E', fields), seen: ['error', '23505', known] };
  }),
);

interface Message {
  readonly status?: string;
  readonly code?: string;
  readonly message?: string;
}

/** A connection, its stream, and what it has received. */
function connected(): { readonly stream: EventEmitter; readonly seen: unknown[][] } {
  const seen: unknown[][] = [];
  const connection = new BatchConnection({ ssl: false, sslNegotiation: 'postgres' });
  const stream = new EventEmitter();
  connection.attachListeners(stream);
  connection.receiver = {
    parsed: () => seen.push(['parsed']),
    bound: () => seen.push(['bound']),
    closed: () => seen.push(['closed']),
    row: (fields) => seen.push(['row', ...fields]),
    completed: (tag) => seen.push(['completed', tag()]),
  };
  const others = connection as unknown as EventEmitter;
  others.on('readyForQuery', ({ status }: Message) => seen.push(['ready', status]));
  others.on('errorMessage', ({ code, message: said }: Message) => seen.push(['error', code, said]));
  return { stream, seen };
}

test('messages arrive whole and in their order, however the network cuts them', () => {
  fc.assert(
    fc.property(
      fc.array(sent, { maxLength: 30 }),
      fc.array(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 70_000 })), { minLength: 1 }),
      (messages, lengths) => {
        const { stream, seen } = connected();
        const bytes = Buffer.concat(messages.map((each) => each.bytes));
        for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
          const length = lengths[piece % lengths.length] ?? 1;
          // Node.js may use the memory of a piece again, as TLS does.
          stream.emit('data', Buffer.from(bytes.subarray(at, at + length)));
          at += length;
        }
        const texts = seen.map((each) => each.map((value) => (Buffer.isBuffer(value) ? value.toString() : value)));
        expect(texts).toEqual(messages.map((each) => each.seen));
        for (const [kind, ...fields] of seen)
          if (kind === 'row')
            for (const each of fields)
              if (each !== null) expect(Buffer.isBuffer(each)).toBe(Buffer.byteLength(each as string | Buffer) > LONG);
      },
    ),
    { numRuns: 300 },
  );
});

test('until the log-in is done, node-postgres reads everything', () => {
  const connection = new BatchConnection({ ssl: false, sslNegotiation: 'postgres' });
  const stream = new EventEmitter();
  connection.attachListeners(stream);
  const rows: unknown[] = [];
  (connection as unknown as EventEmitter).on('dataRow', ({ fields }: { fields: unknown }) => rows.push(fields));
  stream.emit('data', row(['a', null]));
  expect(rows).toEqual([['a', null]]);
});

test('what several calls send is one piece, also where one of them throws', () => {
  const pieces: Buffer[] = [];
  const connection = new BatchConnection({ ssl: false, sslNegotiation: 'postgres' });
  Object.assign(connection.stream, { writable: true, write: (bytes: Buffer) => pieces.push(Buffer.from(bytes)) > 0 });
  connection.inOnePiece(() => {
    connection.parse({ name: 'a', text: 'select 1' });
    connection.sync();
  });
  connection.sync();
  expect(pieces.map(({ length }) => length)).toEqual([23, 5]);
  const value = 'x'.repeat(100_000);
  Object.assign(connection.stream, { cork: () => pieces.push(Buffer.from('cork')), uncork: () => undefined });
  connection.inOnePiece(() => {
    connection.bind({ statement: 'a', values: [value] });
    connection.sync();
  });
  expect(pieces.slice(2).map(({ length }) => length)).toEqual([4, 100_022, 5]);
  pieces.length = 2;
  expect(() => {
    connection.inOnePiece(() => {
      throw new Error('no');
    });
  }).toThrow('no');
  connection.sync();
  expect(pieces).toHaveLength(3);
});
