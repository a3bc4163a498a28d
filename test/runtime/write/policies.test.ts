import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { createPrepare } from '../../../runtime/src/server/prepare.js';
import type { WriteIntent } from '../../../runtime/src/plan/write/write-intent.js';
import { PendingBytes } from '../../../runtime/src/response/pending-bytes.js';
import { toServerError } from '../../../runtime/src/response/server-error.js';
import { runMutation } from '../../../runtime/src/execute/mutation.js';
import { WriteRunner } from '../../../runtime/src/execute/write-runner.js';
import { columns, compare, json, settingsWith } from '../../support/intents.js';
import { createKey, sign, type TestKey } from '../auth/support.js';
import { hers, policyCases } from './support/policy-cases.js';
import { createWriteDatabase, driverOf, tableIn, type WriteDatabase, type WriteServer } from './support/server.js';
import { startWriteServer } from './support/server.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';

/**
 * Decision 007: a write that a policy rejects is 403 in every form. Ada may write her own notes.
 * Note 3 belongs to Grace and is shared: Ada sees it (USING of SELECT and UPDATE), and may not
 * change its owner to herself or to nobody (WITH CHECK). Ada does not see note 2.
 */
let db: WriteDatabase;
let server: WriteServer;
let key: TestKey;

beforeAll(async () => {
  key = await createKey();
  db = await createWriteDatabase();
  server = await startWriteServer(db, {
    environment: { APP_SECURITY_JWT_ENABLED: 'true', APP_SECURITY_AUTH_PUBLIC_KEY: key.pem },
  });
});
beforeEach(() => db.restore());
afterAll(async () => {
  await server.stop();
  await db.drop();
});

const others = "select id, owner, body from ops.notes where owner <> 'ada' order by id";

test.each(policyCases)('REST: $how', async ({ method, path, prefer, body, status, answer }) => {
  const before = await db.query(others);
  const headers = {
    authorization: `Bearer ${await sign(key, { sub: 'ada' })}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(prefer === undefined ? {} : { prefer }),
  };
  const reply = await server.send(
    method,
    `/api/v1/${path}`,
    headers,
    body === undefined ? undefined : JSON.stringify(body),
  );
  expect({ status: reply.status, text: reply.status === status ? '' : reply.text }).toEqual({ status, text: '' });
  if (status === 403) expect(JSON.parse(reply.text)).toMatchObject({ code: '42501', message: 'Permission denied.' });
  if (answer !== undefined) expect(JSON.parse(reply.text)).toEqual(answer);
  expect(await db.query(others)).toEqual(before);
});

test('REST: nobody in particular may write nothing', async () => {
  const reply = await server.send(
    'POST',
    '/api/v1/notes',
    { 'content-type': 'application/json' },
    '{"id":9,"owner":"ada","body":"x"}',
  );
  expect(reply.status).toBe(403);
});

test('the identity of one write is not there for the next on the same connection', async () => {
  const single = await startWriteServer(db, {
    environment: {
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
      APP_DATASOURCE_POOL_SIZE: '1',
    },
  });
  const post = (id: number, headers: Readonly<Record<string, string>>) =>
    single.send(
      'POST',
      '/api/v1/notes',
      { 'content-type': 'application/json', ...headers },
      JSON.stringify({ id, owner: 'ada', body: 'x' }),
    );
  try {
    const authorization = `Bearer ${await sign(key, { sub: 'ada' })}`;
    expect((await post(20, { authorization })).status).toBe(201);
    expect((await post(21, {})).status).toBe(403);
    expect((await post(21, { authorization, prefer: 'tx=rollback' })).status).toBe(201);
    expect((await post(22, {})).status).toBe(403);
    expect((await single.send('GET', '/api/v1/notes?id=in.(20,21,22)')).text).toContain('"data":[]');
  } finally {
    await single.stop();
  }
});

describe('mutations', () => {
  const returning = { select: columns('id'), as: 'list', format: 'json' } as const;
  const written = (...names: string[]) => names.map((column) => ({ column, key: column }));
  const notes = () => tableIn(db.registry, 'opsNotes');
  const insert = (rows: unknown): WriteIntent => ({
    kind: 'insert',
    table: notes(),
    rows: json(rows),
    columns: written('id', 'owner', 'body'),
    returning,
    form: graphqlForm,
  });
  const update = (id: number, set: Readonly<Record<string, unknown>>): WriteIntent => ({
    kind: 'update',
    table: notes(),
    where: compare('id', 'eq', json(id)),
    set: json(set),
    columns: written(...Object.keys(set)),
    returning,
    form: graphqlForm,
  });

  test.each<[string, () => readonly WriteIntent[]]>([
    ['create', () => [insert({ id: 10, ...hers })]],
    [
      'createMany',
      () => [
        insert([
          { id: 10, owner: 'ada', body: 'x' },
          { id: 11, ...hers },
        ]),
      ],
    ],
    ['update that gives away', () => [update(1, { owner: 'grace' })]],
    ['update of what may not be kept', () => [update(3, { body: 'x' })]],
    ['the second field', () => [insert({ id: 10, owner: 'ada', body: 'x' }), update(1, { owner: 'grace' })]],
  ])('%s that a policy rejects', async (_, intents) => {
    const driver = driverOf(db.roleUrl);
    const settings = settingsWith();
    const { registry } = db;
    const runner = new WriteRunner({
      registry,
      settings,
      driver,
      dialect: postgres,
      prepare: createPrepare({ registry, settings, dialect: postgres }),
      authenticate: () => ({}),
      observe: () => undefined,
      pendingBytes: new PendingBytes(Infinity),
    });
    const fields = intents().map((write, at) => ({
      kind: 'write' as const,
      as: `f${at}`,
      prepared: runner.prepare(write),
    }));
    try {
      const outcome = await runMutation(runner, { fields }, { inputs: {} }, { userId: 'ada' });
      expect(outcome).toMatchObject({ kind: 'failed', path: [`f${fields.length - 1}`] });
      if (outcome.kind === 'failed') expect(toServerError(outcome.error)).toMatchObject({ status: 403, code: '42501' });
      expect(await db.query('select id from ops.notes order by id')).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
    } finally {
      await driver.close();
    }
  });
});
