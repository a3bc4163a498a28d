import type { CommitEvent, Hooks } from '../../../runtime/src/execute/hooks/table-hooks.js';
import { createWriteDatabase, startWriteServer, type WriteDatabase, type WriteServer } from './support/server.js';

/** The types that `kysely-codegen` writes for the tables. */
interface Database {
  'ops.teams': { id: number; name: string; size: number };
  'ops.people': { id: number; raw: { readonly tags: string[] } };
  'ops.tasks': { id: number; person_id: number; title: string; points: number };
}

let committed: CommitEvent[];
let told: () => void;

const hooks: Hooks<Database> = {
  'ops.teams': {
    beforeInsert: ({ rows, refuse }) => {
      if (rows.some(({ name }) => name === 'forbidden')) return refuse('That name is taken by the house.', 409);
      return rows.map((row) => ({ ...row, name: row.name.trim(), size: row.size * 2 || 42 }));
    },
    beforeUpdate: async ({ set, table }) => {
      await Promise.resolve();
      if (set.name === 'broken') throw new Error(`a defect in the hook of ${table}`);
      return set.size === undefined ? undefined : { ...set, size: set.size + 1 };
    },
    beforeDelete: ({ identity, refuse }) => {
      if (identity.userId === undefined) refuse('Who are you?');
    },
    afterCommit: (event) => {
      committed.push(event);
      told();
    },
  },
  'ops.people': {
    beforeInsert: ({ rows }) => {
      for (const { raw } of rows) raw.tags.push('hooked');
      return rows;
    },
  },
};

let db: WriteDatabase;
let server: WriteServer;
beforeAll(async () => {
  db = await createWriteDatabase();
  server = await startWriteServer(db, { custom: { hooks } });
});
beforeEach(async () => {
  committed = [];
  told = () => undefined;
  await db.restore();
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

test('a change inside JSON is written', async () => {
  for (const rows of [[{}], [{}, { big: 1 }]]) {
    const given = rows.map((row, at) => ({
      email: `${String(rows.length)}${String(at)}`,
      name: 'N',
      raw: { tags: ['a'] },
      ...row,
    }));
    const { status, body } = await send('POST', 'people?select=raw', given, 'return=representation');
    expect({ status, body }).toEqual({ status: 201, body: given.map(() => ({ raw: { tags: ['a', 'hooked'] } })) });
  }
});

const send = async (method: string, path: string, body?: unknown, prefer?: string) => {
  const headers = { 'content-type': 'application/json', ...(prefer === undefined ? {} : { prefer }) };
  const reply = await server.send(
    method,
    `/api/v1/${path}`,
    headers,
    body === undefined ? undefined : JSON.stringify(body),
  );
  return { status: reply.status, body: reply.text === '' ? '' : (JSON.parse(reply.text) as unknown) };
};

test('beforeInsert changes rows, with columns that the request did not have', async () => {
  expect(await send('POST', 'teams', [{ name: ' A ' }, { name: 'B', size: 4 }])).toEqual({
    status: 201,
    body: [
      { id: 3, name: 'A', size: 42 },
      { id: 4, name: 'B', size: 8 },
    ],
  });
});

test('beforeInsert refuses with its message and status, and nothing is written', async () => {
  expect(await send('POST', 'teams', [{ name: 'A' }, { name: 'forbidden' }])).toEqual({
    status: 409,
    body: { code: 'TW016', message: 'That name is taken by the house.', details: null, hint: null },
  });
  expect(await db.query('select count(*)::int as n from ops.teams')).toEqual([{ n: 2 }]);
});

test('beforeUpdate changes what is set, or leaves it', async () => {
  expect(await send('PATCH', 'teams?id=eq.1&select=name,size', { size: 5 })).toEqual({
    status: 200,
    body: [{ name: 'Red', size: 6 }],
  });
  expect(await send('PATCH', 'teams?id=eq.1&select=name,size', { name: 'R' })).toEqual({
    status: 200,
    body: [{ name: 'R', size: 6 }],
  });
});

test('PUT goes through both', async () => {
  expect(await send('PUT', 'teams?id=eq.1', { name: 'R', size: 5 })).toEqual({
    status: 200,
    body: [{ id: 1, name: 'R', size: 6 }],
  });
  expect(await send('PUT', 'teams?id=eq.9', { name: ' N ', size: 5 })).toEqual({
    status: 201,
    body: [{ id: 9, name: 'N', size: 10 }],
  });
});

test('beforeDelete refuses', async () => {
  expect(await send('DELETE', 'teams?id=eq.1')).toMatchObject({
    status: 422,
    body: { code: 'TW016', message: 'Who are you?' },
  });
});

test('a defect in a hook says nothing to the client', async () => {
  expect(await send('PATCH', 'teams?id=eq.1', { name: 'broken' })).toMatchObject({
    status: 500,
    body: { code: 'TW500' },
  });
  expect(server.observed.some(({ kind }) => kind === 'failure')).toBe(true);
});

test('afterCommit is told what was written, not of dry runs and failures', async () => {
  await send('POST', 'teams', { name: 'dry' }, 'tx=rollback');
  await send('POST', 'teams', { name: 'Red' });
  const next = new Promise<void>((resolve) => {
    told = resolve;
  });
  await send('POST', 'teams', [{ name: 'A' }, { name: 'B' }], 'return=minimal');
  await next;
  expect(committed).toEqual([
    { table: 'ops.teams', identity: {}, operation: 'insert', affected: 2, keys: [{ id: '5' }, { id: '6' }] },
  ]);
});

test('tables without hooks are as they were', async () => {
  expect(await send('POST', 'tasks?select=title', { person_id: 1, title: ' t ' })).toEqual({
    status: 201,
    body: { title: ' t ' },
  });
});
