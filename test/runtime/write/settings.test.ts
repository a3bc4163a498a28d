import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeDatabase } from '../../support/describe-database.js';
import { writePgliteData } from '../../support/pglite-data.js';
import { createKey, sign } from '../auth/support.js';
import { createWriteDatabase, startWriteServer } from './support/server.js';

const json = { 'content-type': 'application/json' };

test('behind a pooler: nothing of the session is needed, with claims and without', async () => {
  const db = await createWriteDatabase();
  const key = await createKey();
  const server = await startWriteServer(db, {
    environment: {
      APP_DATASOURCE_POOLER: 'transaction',
      APP_SECURITY_JWT_ENABLED: 'true',
      APP_SECURITY_AUTH_PUBLIC_KEY: key.pem,
    },
  });
  const authorization = `Bearer ${await sign(key, { sub: 'ada' })}`;
  const note = (id: number) => JSON.stringify({ id, owner: 'ada', body: 'x' });
  try {
    const post = (path: string, body: string, headers = {}) =>
      server.send('POST', `/api/v1/${path}`, { ...json, ...headers }, body);
    expect((await post('teams', '{"name":"A"}')).status).toBe(201);
    expect((await post('notes', note(30), { authorization })).status).toBe(201);
    expect((await post('notes', note(31), { authorization, prefer: 'tx=rollback' })).status).toBe(201);
    expect((await post('notes', note(32))).status).toBe(403);
    expect((await post('people?select=name,teams(name)', '{"name":"K","email":"k","team_id":1}')).text).toBe(
      '{"name":"K","teams":{"name":"Red"}}',
    );
  } finally {
    await server.stop();
    await db.drop();
  }
});

test('PGlite: writes, dry runs, and vectors', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'write-vector-'));
  await writePgliteData(directory, [
    'create extension vector; create schema ops; create table ops.points (id int primary key, at vector(2), note text);',
  ]);
  const url = `pglite:${directory}`;
  const { descriptors } = await describeDatabase(url, { schemas: ['ops'] });
  const server = await startWriteServer({ descriptors, roleUrl: url });
  const send = async (method: string, path: string, body: unknown, prefer = '') => {
    const reply = await server.send(method, `/api/v1/${path}`, { ...json, prefer }, JSON.stringify(body));
    return [reply.status, JSON.parse(reply.text) as unknown];
  };
  try {
    expect(
      await send('POST', 'points?select=id,at', [
        { id: 1, at: [1, 2.5] },
        { id: 2, at: '[3,4]' },
      ]),
    ).toEqual([
      201,
      [
        { id: 1, at: [1, 2.5] },
        { id: 2, at: [3, 4] },
      ],
    ]);
    expect(await send('PATCH', 'points?id=eq.1&select=at', { at: [5, 6] })).toEqual([200, [{ at: [5, 6] }]]);
    expect(await send('POST', 'points', { id: 3, at: [1, 2, 3] })).toMatchObject([
      400,
      { code: 'TW006', message: 'Column "at": The vector has 3 numbers; the column takes 2.' },
    ]);
    expect(await send('POST', 'points', { id: 3, at: [1, 'x'] })).toMatchObject([400, { code: 'TW006' }]);
    expect(await send('POST', 'points', { id: 3 }, 'tx=rollback')).toMatchObject([201, { id: 3 }]);
    expect(await send('POST', 'points', { id: 1 })).toMatchObject([409, { code: '23505' }]);
    expect(await send('POST', 'points?select=note', { id: 1, note: 'n' }, 'resolution=merge-duplicates')).toEqual([
      200,
      { note: 'n' },
    ]);
    expect(JSON.parse((await server.get('/api/v1/points?select=id&order=id')).text)).toMatchObject({
      data: [{ id: 1 }, { id: 2 }],
    });
  } finally {
    await server.stop();
    await rm(directory, { recursive: true });
  }
});
