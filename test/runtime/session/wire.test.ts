import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import pg from 'pg';
import { Batch, type BatchEnd, type BatchSender } from '../../../runtime/src/dialect/postgres/driver/batch.js';
import { PreparedStatements } from '../../../runtime/src/dialect/postgres/driver/prepared.js';

/** A connection that records the data to send. */
function recorder(): { readonly connection: BatchSender; readonly sent: string[] } {
  const sent: string[] = [];
  const nothing = (): void => undefined;
  const noStream = (): never => {
    throw new Error('there is no stream');
  };
  return {
    sent,
    connection: {
      stream: { cork: noStream, uncork: noStream, destroy: noStream, bytesRead: 0, prependListener: noStream },
      inOnePiece: (write) => {
        sent.push('cork');
        write();
        sent.push('uncork');
      },
      messagesOf: (write) => {
        write();
        return Buffer.alloc(0);
      },
      _send: () => true,
      attachListeners: noStream,
      parse: ({ name, text }) => sent.push(`parse ${name} ${text}`),
      bind: ({ statement, values }) => sent.push(`bind ${statement} ${values.join()}`),
      describe: ({ name }) => sent.push(`describe ${name}`),
      execute: () => sent.push('execute'),
      close: ({ name }) => sent.push(`close ${name}`),
      sync: () => sent.push('sync'),
      sendCopyFail: nothing,
      once: nothing,
      off: nothing,
    },
  };
}

test('node-postgres is of the version whose private side we know, and still has it', async () => {
  const manifest = createRequire(import.meta.url).resolve('pg/package.json');
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string };
  expect(version).toMatch(/^8\.23\./);
  const client = new pg.Client('postgres://user@host:5433/name') as unknown as { connection: Record<string, unknown> };
  expect(client).toMatchObject({ host: 'host', port: 5433, ssl: false, sslNegotiation: 'postgres' });
  const { connection } = client;
  expect(connection).toBeInstanceOf(pg.Connection);
  for (const method of [
    'parse',
    'bind',
    'execute',
    'close',
    'sync',
    'sendCopyFail',
    'cancel',
    'connect',
    'requestSsl',
    '_send',
    'attachListeners',
  ]) {
    expect(typeof connection[method]).toBe('function');
  }
});

test('several batches are sent in one piece, each under a Sync of its own, and not again when it is their turn', () => {
  const { connection, sent } = recorder();
  const prepared = new PreparedStatements(2);
  const [first, second] = ['a', 'b'].map(
    (value) => new Batch({ statements: [{ text: 'x', values: [value] }] }, prepared, () => undefined),
  );
  if (first === undefined || second === undefined) throw new Error('there are two');
  Batch.sendAll([first, second], connection);
  expect(sent).toEqual([
    'cork',
    'parse s1 x',
    'bind s1 a',
    'execute',
    'sync',
    'bind s1 b',
    'execute',
    'sync',
    'uncork',
  ]);
  first.submit(connection);
  second.submit(connection);
  expect(sent).toHaveLength(9);
});

test('a batch is sent in one piece under one Sync, and parses a statement once', () => {
  const { connection, sent } = recorder();
  const prepared = new PreparedStatements(2);
  const batch = (...texts: string[]) =>
    new Batch({ statements: texts.map((text) => ({ text, values: ['1', null] })) }, prepared, () => undefined);
  batch('a', 'b').submit(connection);
  expect(sent.splice(0)).toEqual([
    'cork',
    'parse s1 a',
    'bind s1 1,',
    'execute',
    'parse s2 b',
    'bind s2 1,',
    'execute',
    'sync',
    'uncork',
  ]);
  prepared.parsed();
  prepared.parsed();
  batch('a').submit(connection);
  expect(sent.splice(0)).toEqual(['cork', 'bind s1 1,', 'execute', 'sync', 'uncork']);
  batch('c').submit(connection);
  expect(sent.splice(0)).toEqual(['cork', 'close s2', 'parse s3 c', 'bind s3 1,', 'execute', 'sync', 'uncork']);
});

test('without prepared statements, nothing has a name', () => {
  const { connection, sent } = recorder();
  new Batch({ statements: [{ text: 'a', values: [] }] }, undefined, () => undefined).submit(connection);
  expect(sent).toEqual(['cork', 'parse  a', 'bind  ', 'execute', 'sync', 'uncork']);
});

test('a statement the server never parsed is not taken for prepared', () => {
  const prepared = new PreparedStatements(10);
  prepared.use('a');
  prepared.use('b');
  prepared.parsed();
  prepared.failed();
  expect(prepared.use('a')).toMatchObject({ name: 's1', parse: false });
  expect(prepared.use('b')).toEqual({ name: 's3', parse: true });
});

test('what the server passed over closing is closed next time', () => {
  const prepared = new PreparedStatements(1);
  prepared.use('a');
  prepared.parsed();
  expect(prepared.use('b')).toEqual({ name: 's2', parse: true, close: ['s1'] });
  prepared.failed();
  expect(prepared.use('c')).toEqual({ name: 's3', parse: true, close: ['s1'] });
  prepared.closed();
  prepared.parsed();
  expect(prepared.use('d')).toEqual({ name: 's4', parse: true, close: ['s3'] });
});

test('what follows code of the database is parsed whether it is prepared or not, and has no name', () => {
  const { connection, sent } = recorder();
  const prepared = new PreparedStatements(10);
  const [begin, write, commit] = ['begin', 'write', 'commit'].map((text) => ({ text, values: [] }));
  if (begin === undefined || write === undefined || commit === undefined) throw new Error('there are three');
  const parts = { statements: [begin, write], closing: [commit], parsedFrom: 2 };
  new Batch(parts, prepared, () => undefined).submit(connection);
  sent.splice(0);
  new Batch(parts, prepared, () => undefined).submit(connection);
  expect(sent.filter((each) => /bind|parse/.test(each))).toEqual(['bind s1 ', 'bind s2 ', 'parse  commit', 'bind  ']);
});

test('what is forgotten is closed, and has another name the next time', () => {
  const prepared = new PreparedStatements(10);
  for (const text of ['a', 'b', 'c']) {
    prepared.use(text);
    prepared.parsed();
  }
  prepared.forget(['b', 'unknown']);
  expect(prepared.use('b')).toEqual({ name: 's4', parse: true, close: ['s2'] });
  prepared.closed();
  prepared.parsed();
  prepared.forgetAll();
  expect(prepared.use('a')).toEqual({ name: 's5', parse: true, close: ['s1', 's3', 's4'] });
  expect(prepared.use('c')).toEqual({ name: 's6', parse: true });
});

test('the answer is that of the last statement before the closing ones', () => {
  const ends: BatchEnd[] = [];
  const parts = { statements: ['a', 'b'].map((text) => ({ text, values: [] })), closing: [{ text: 'c', values: [] }] };
  const batch = new Batch(parts, undefined, (end) => ends.push(end));
  batch.row(['first']);
  batch.complete();
  batch.row(['x']);
  batch.row([null]);
  batch.complete();
  batch.row(['closing']);
  batch.complete();
  batch.handleReadyForQuery();
  expect(ends).toEqual([{ rows: [['x'], [null]], closingRow: ['closing'], completed: 3, isRunning: false }]);
});

test('long fields stay bytes in the answer alone, and only where they are asked for', () => {
  const [statement, after] = ['a', 'b'].map((text) => ({ text, values: [] }));
  if (statement === undefined || after === undefined) throw new Error('there are two');
  const long = Buffer.from('ä'.repeat(3000));
  for (const bytes of [true, undefined]) {
    const ends: BatchEnd[] = [];
    const parts = { statements: [statement], readBack: after, closing: [after], bytes };
    const batch = new Batch(parts, undefined, (end) => ends.push(end));
    for (let times = 0; times < 3; times += 1) {
      batch.row([long, null, 'x']);
      batch.complete();
    }
    batch.handleReadyForQuery();
    const texts = [long.toString(), null, 'x'];
    const rows = [bytes === true ? [long, null, 'x'] : texts];
    expect(ends).toMatchObject([{ rows, readBack: [texts], closingRow: texts }]);
  }
});

test('an error says how far the batch had come', () => {
  const ends: BatchEnd[] = [];
  const parts = { statements: ['a', 'b'].map((text) => ({ text, values: [] })) };
  const error = new Error('no');
  for (const isBound of [false, true]) {
    const batch = new Batch(parts, undefined, (end) => ends.push(end));
    batch.bound();
    batch.complete();
    if (isBound) batch.bound();
    batch.handleError(error);
  }
  expect(ends).toEqual([false, true].map((isRunning) => ({ error, rows: [], completed: 1, isRunning })));
});
