import fc from 'fast-check';
import { operatorCases } from './conformance/operators.cases.js';
import { readCases } from './conformance/reads.cases.js';
import { representationCases } from './conformance/representation.cases.js';
import { errorOf } from './support/client.js';
import { startServer, type TestServer } from './support/server.js';
import { volume } from '../../support/volume.js';

/** PostgreSQL raises these instead of 22007 for an unknown time zone. */
const timeZoneErrors = ['22009', '22023'];

/** A value that does not fit the column's type is the database's error: decision 006. */
const conversionErrors = ['22P02', '22003', '22007', '22008', ...timeZoneErrors];

const corpus = [...readCases, ...operatorCases, ...representationCases]
  .filter(({ server, path }) => server === undefined && !path.startsWith('/'))
  .map(({ path }) => path);

/** The default seed always gives the same requests; another seed gives others. */
fc.configureGlobal({ seed: Number(process.env['FAST_CHECK_SEED'] ?? 20) });

let server: TestServer;

beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

/**
 * Expects no 5xx except those of the contract, and no other request that fails only in the
 * database.
 */
async function expectMannered(path: string): Promise<void> {
  const before = server.observed.length;
  const reply = await server.get(`/api/v1/${path}`);
  expect(reply.status).toBeGreaterThanOrEqual(200);
  if (reply.status >= 500) expect(conversionErrors).toContain(errorOf(reply).code);
  if (reply.status >= 400) expect(Object.keys(errorOf(reply))).toEqual(['code', 'message', 'details', 'hint']);
  // The contract answers 500 to a value that does not fit its column, and the log treats it as the
  // client's mistake.
  const told = server.observed.slice(before).filter(({ kind }) => kind === 'failure' || kind === 'refusal');
  expect(told.map(({ kind }) => kind)).toEqual(reply.status >= 400 ? ['refusal'] : []);
}

/**
 * Encodes characters that Node's client and HTTP parser reject, so that every request reaches the
 * query parser.
 */
const sendable = (path: string): string =>
  path.replace(/[^\x21-\x7e]/g, (character) => encodeURIComponent(character)).replaceAll('#', '%23');

const piece = fc.constantFrom(
  ...Array.from('().,:*"\\!=&%+-_?/|'),
  '->',
  '->>',
  '::',
  '::text',
  'not.',
  'is.',
  'in.(',
  'or=(',
  'and(',
  'eq.',
  '%22',
  '%5C',
  '%00',
  '%25',
  '%C3%28',
  '%7B',
  '%7D',
  '%5B',
  '...',
  'select=',
  'order=',
  'limit=',
  'inner',
  'null',
  '0',
  '-1',
  '99999999999999999999',
  'a',
  'id',
  'metadata',
  'comments',
  '%ED%A0%80',
);

const mutation = fc.record({
  kind: fc.constantFrom('insert', 'delete', 'double', 'swap'),
  at: fc.nat(),
  length: fc.nat({ max: 6 }),
  piece,
});
type Mutation = typeof mutation extends fc.Arbitrary<infer T> ? T : never;

function mutate(path: string, { kind, at, length, piece: inserted }: Mutation): string {
  const start = at % (path.length + 1);
  const [before, taken, after] = [path.slice(0, start), path.slice(start, start + length), path.slice(start + length)];
  if (kind === 'insert') return `${before}${inserted}${taken}${after}`;
  if (kind === 'delete') return `${before}${after}`;
  if (kind === 'double') return `${before}${taken}${taken}${after}`;
  return `${before}${inserted}${after}`;
}

test('mutated queries are answered with manners', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...corpus),
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      (path, mutations) => {
        const [table = '', ...rest] = path.split('?');
        return expectMannered(sendable(`${table}?${mutations.reduce(mutate, rest.join('?'))}`));
      },
    ),
    { numRuns: volume(300, 1_500) },
  );
});

test('queries made of pieces of the grammar are answered with manners', async () => {
  const columns = fc.constantFrom(
    'id',
    'title',
    'labels',
    'metadata',
    'raw',
    'slot',
    'search',
    'done',
    'or',
    'and',
    'select',
    'order',
    'comments.id',
  );
  await fc.assert(
    fc.asyncProperty(columns, fc.array(piece, { maxLength: 8 }), (column, pieces) =>
      expectMannered(sendable(`issues?${column}=${pieces.join('')}`)),
    ),
    { numRuns: volume(200, 1_000) },
  );
});

test('random text after each operator is answered with manners', async () => {
  const operators = fc.constantFrom(
    'eq',
    'like',
    'match',
    'in',
    'cs',
    'cd',
    'ov',
    'fts',
    'wfts',
    'plfts',
    'phfts',
    'jsonpath',
    'haskey',
    'haskeys',
    'arraylength',
    'sl',
    'isdistinct',
    'vector',
  );
  const columns = fc.constantFrom(
    'id',
    'title',
    'labels',
    'scores',
    'metadata',
    'raw',
    'slot',
    'search',
    'done',
    'created_at',
    'uid',
    'cost',
  );
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.json({ maxDepth: 2 }),
    fc.string({ maxLength: 20 }),
  );
  await fc.assert(
    fc.asyncProperty(columns, operators, value, (column, operator, operand) =>
      expectMannered(`issues?${column}=${operator}.${encodeURIComponent(operand)}`),
    ),
    { numRuns: volume(300, 1_500) },
  );
});
