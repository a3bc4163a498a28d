import { request } from 'node:http';
import fc from 'fast-check';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import { createDriver } from '../../support/create-driver.js';
import { settingsWith } from '../../support/intents.js';
import {
  createWriteDatabase,
  startWriteServer,
  type WriteDatabase,
  type WriteServer,
} from '../write/support/server.js';

/**
 * Long answers are bytes from the database to the client. The twin is the same server whose driver
 * answers texts alone: no answer may differ in a byte or a header.
 */
const schema = `
  create schema shelf;
  create table shelf.books (id int primary key, parent int references shelf.books, body text, data jsonb, raw bytea);
  insert into shelf.books select i, nullif(i / 3, 0), case when i % 7 = 0 then null else repeat(substr('aä€🐘"\\', 1 + i % 6, 1), (array[0, 1, 40, 1300, 4090, 4096, 9000, 70000])[1 + i % 8]) end,
    jsonb_build_object('n', i, 'list', array(select generate_series(1, i * 11))), decode(repeat('0aff', i), 'hex') from generate_series(1, 64) i;
  create function shelf.all_books() returns setof shelf.books stable language sql as 'select * from shelf.books order by id';`;

const BOUND = 300_000;

let db: WriteDatabase;
let servers: readonly [WriteServer, WriteServer];
const drivers: Driver[] = [];

beforeAll(async () => {
  db = await createWriteDatabase(schema, ['shelf']);
  const environment = {
    APP_REST_POSTGREST: '/rest/v1',
    APP_LIMITS_RESPONSE_BYTES: String(BOUND),
    APP_COMPRESSION_ENABLED: 'true',
    NODE_ENV: 'production',
  };
  const settings = settingsWith({ 'app.datasource.url': db.roleUrl, 'app.limits.response-bytes': BOUND });
  const driver = createDriver(settings);
  const texts: Driver = {
    ...driver,
    run: async (...[statements, options]: Parameters<Driver['run']>) => {
      const { bytes, ...others } = options ?? {};
      asked += bytes === true ? 1 : 0;
      return driver.run(statements, others);
    },
  };
  drivers.push(driver);
  servers = [await startWriteServer(db, { environment }), await startWriteServer(db, { environment, driver: texts })];
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  await Promise.all(drivers.map((driver) => driver.close()));
  await db.drop();
});

/** How many reads of the twin could have been answered with bytes. */
let asked = 0;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

/** Headers that two answers never share. */
const own: ReadonlySet<string> = new Set(['date', 'x-request-id']);

/** The answer as it comes: nothing is decompressed. */
const send = ({ base }: WriteServer, { method, path, headers, body }: Sent): Promise<Answered> =>
  new Promise((resolve, reject) => {
    request(new URL(path, base), { method, headers, agent: false }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.once('error', reject);
      response.once('end', () => {
        const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => !own.has(name)));
        resolve({ status: response.statusCode, headers, body: Buffer.concat(pieces) });
      });
    })
      .once('error', reject)
      .end(body);
  });

const id = fc.integer({ min: 1, max: 66 });
const columns = fc.subarray(['id', 'parent', 'body', 'data', 'raw'], { minLength: 1 });
const range = fc.record({ first: id, count: fc.integer({ min: 0, max: 64 }), columns });

const mount = fc.constantFrom('/api/v1', '/rest/v1');
const rest = fc.oneof(
  fc
    .tuple(mount, fc.constantFrom('books', 'rpc/all_books'), range)
    .map(
      ([at, name, { first, count, columns: chosen }]) =>
        `${at}/${name}?select=${chosen.join()}&id=gte.${first}&order=id.asc&limit=${count}`,
    ),
  fc.tuple(mount, id).map(([at, key]) => `${at}/books?id=eq.${key}`),
  id.map((key) => `/api/v1/books/${key}`),
  fc.tuple(id, columns).map(([key, chosen]) => `/api/v1/books/${key}?select=${chosen.join()}`),
  range.map(({ first, count }) => `/api/v1/books?select=id,children:books(id,body)&id=gte.${first}&limit=${count}`),
);

const accepted = fc.constantFrom(
  '*/*',
  'application/json',
  'text/csv',
  'application/vnd.pgrst.object+json',
  'application/vnd.pgrst.array+json;nulls=stripped',
);
const optional = (name: string, values: fc.Arbitrary<string>): fc.Arbitrary<Readonly<Record<string, string>>> =>
  fc.option(values, { nil: undefined }).map((value) => (value === undefined ? {} : { [name]: value }));

const restRequest = fc
  .tuple(
    fc.constantFrom('GET', 'GET', 'HEAD'),
    rest,
    optional('accept', accepted),
    optional('accept-encoding', fc.constantFrom('gzip', 'br', 'identity')),
    optional('prefer', fc.constantFrom('count=exact', 'count=estimated')),
    optional('range', fc.constantFrom('0-2', '60-90')),
  )
  .map(([method, path, ...headers]): Sent => ({
    method,
    path,
    headers: Object.assign({}, ...headers) as Sent['headers'],
  }));

const document = fc.oneof(
  range.map(
    ({ first, count, columns: chosen }) =>
      `{ a: shelfBooks(where: { id: { gte: ${first} } }, orderBy: { id: ASC }, limit: ${count}) { ${chosen.join(' ')} } n: __typename }`,
  ),
  fc
    .tuple(id, id)
    .map(([a, b]) => `{ a: shelfBooksByPk(id: ${a}) { id body data } b: shelfBooksByPk(id: ${b}) { id raw } }`),
);
const graphqlRequest = fc
  .tuple(fc.boolean(), document, optional('accept-encoding', fc.constantFrom('gzip', 'br')))
  .map(([isPost, query, headers]): Sent =>
    isPost
      ? {
          method: 'POST',
          path: '/graphql',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ query }),
        }
      : { method: 'GET', path: `/graphql?query=${encodeURIComponent(query)}`, headers },
  );

/** Status and message of an error in either protocol. */
function refusalOf({ status, body }: Answered): readonly unknown[] {
  const said = JSON.parse(body.toString() || '{}') as { message?: string; errors?: readonly { message: string }[] };
  return [status, said.message ?? said.errors?.map(({ message }) => message)];
}

test('no answer differs in a byte or a header from that of a driver that answers texts', async () => {
  const statuses = new Map<unknown, number>();
  let long = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(restRequest, graphqlRequest), async (sent) => {
      const [answer, twin] = await Promise.all(servers.map((server) => send(server, sent)));
      // Where the driver stops reading a long answer depends on the answers before it: an error of
      // the driver has the field of the document, and one of the delivery has not.
      if (answer?.status === 413) expect(refusalOf(answer)).toEqual(twin && refusalOf(twin));
      else expect(answer).toEqual(twin);
      statuses.set(answer?.status, (statuses.get(answer?.status) ?? 0) + 1);
      if (Number(answer?.body.length) > 4096) long += 1;
      const etag = answer?.headers['etag'];
      if (typeof etag !== 'string') return;
      const again = { ...sent, headers: { ...sent.headers, 'if-none-match': etag } };
      const known = await Promise.all(servers.map((server) => send(server, again)));
      expect(known[0]).toEqual(known[1]);
      expect(known[0]?.status).toBe(304);
    }),
    {
      numRuns: Number(process.env['BYTES_REQUESTS'] ?? 300),
      // One of each kind in any case: a range of long rows, and more than the limit.
      examples: [{ range: '0-5' }, {}].map((headers): [Sent] => [
        { method: 'GET', path: '/api/v1/books?order=id.asc', headers: Object.assign({}, headers) },
      ]),
      ...(process.env['BYTES_SEED'] === undefined ? {} : { seed: Number(process.env['BYTES_SEED']) }),
    },
  );
  // Otherwise nothing was compared.
  expect(asked).toBeGreaterThan(0);
  expect(long).toBeGreaterThan(0);
  for (const status of [206, 413]) expect(statuses.get(status)).toBeGreaterThan(0);
});
