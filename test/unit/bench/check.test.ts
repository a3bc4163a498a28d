import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { smallSizes } from '../../../bench/data/schema.js';
import { canonical } from '../../../bench/harness/canonical.js';
import { checkAnswers, type Reference } from '../../../bench/harness/check.js';
import type { Data, Exchanges } from '../../../bench/harness/target.js';
import { workload } from '../../../bench/workloads/workloads.js';

const data: Data = {
  url: '',
  adminUrl: '',
  sizes: smallSizes,
  token: '',
  publicKey: '',
  claims: { sub: 'user7', projectId: 'p1', exp: 4_000_000_000 },
};

const get = (path: string): { method: 'GET'; path: string; headers: object } => ({ method: 'GET', path, headers: {} });
const exchanges = {
  W1: { request: ({ id }: { id: number }) => get(`/${id}`), rows: (body: unknown) => body },
  W5: { request: () => get('/'), rows: (body: unknown) => body },
} as Exchanges;

/** The same expected answer for every input. */
const database = (expected: unknown): Reference => ({
  expected: () => Promise.resolve(canonical(expected)),
  payments: () => Promise.resolve(0),
  reset: () => Promise.resolve(),
});

let server: Server | undefined;
afterEach(() => server?.close());

async function answering(status: number, body: unknown): Promise<string> {
  server = createServer((_, response) => response.writeHead(status).end(JSON.stringify(body)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('an answer that is what the database says passes, in any notation', async () => {
  const base = await answering(200, { id: 7, createdAt: '2024-01-01T00:00:00.000Z', credit: '12.50' });
  const reference = database({ id: 7, created_at: '2024-01-01T00:00:00+00:00', credit: 12.5 });
  await expect(checkAnswers(base, workload('W1'), exchanges, data, reference)).resolves.toBeUndefined();
});

it.each([
  ['another value', { id: 7, credit: '12.51' }],
  ['a column too few', { id: 7 }],
  ['a column too many', { id: 7, credit: '12.50', name: null }],
  ['nothing', null],
])('%s does not', async (_, body) => {
  const base = await answering(200, body);
  await expect(checkAnswers(base, workload('W1'), exchanges, data, database({ id: 7, credit: 12.5 }))).rejects.toThrow(
    'W1',
  );
});

it('neither does an error, whether the status says so or the body', async () => {
  const refused = await answering(503, { code: 'busy' });
  await expect(checkAnswers(refused, workload('W1'), exchanges, data, database({ id: 7 }))).rejects.toThrow('503');
  server?.close();
  const failed = await answering(200, { id: 7, errors: [{ message: 'no' }] });
  await expect(checkAnswers(failed, workload('W1'), exchanges, data, database({ id: 7 }))).rejects.toThrow('errors');
});

it('what is optional may be missing, but not be wrong', async () => {
  const reference = database({ count: 5, sum: 10 });
  const counted = await answering(200, { count: 5 });
  await expect(checkAnswers(counted, workload('W5'), exchanges, data, reference)).resolves.toBeUndefined();
  server?.close();
  const wrong = await answering(200, { count: 5, sum: 11 });
  await expect(checkAnswers(wrong, workload('W5'), exchanges, data, reference)).rejects.toThrow('W5');
});

it('a database that has nothing to answer proves nothing', async () => {
  const base = await answering(200, null);
  await expect(checkAnswers(base, workload('W1'), exchanges, data, database(null))).rejects.toThrow('nothing');
});
