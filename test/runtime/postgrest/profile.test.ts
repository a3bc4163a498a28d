import {
  createWriteDatabase,
  startWriteServer,
  type WriteDatabase,
  type WriteServer,
} from '../write/support/server.js';

/** supabase-js names the schema `public` unless its user names another. */
let db: WriteDatabase;
let server: WriteServer;

beforeAll(async () => {
  db = await createWriteDatabase('create schema crm; create table crm.notes (id int primary key, text text);', ['crm']);
  server = await startWriteServer(db, { environment: { APP_REST_POSTGREST: '/rest/v1' } });
});
afterAll(async () => {
  await server.stop();
  await db.drop();
});

const headersOf = (profile: string) => ({ 'accept-profile': profile, 'content-profile': profile });

test.each(['/api/v1', '/rest/v1'])('the only schema is also called public at %s', async (base) => {
  for (const profile of ['public', 'crm']) {
    const headers = { ...headersOf(profile), 'content-type': 'application/json', prefer: 'tx=rollback' };
    expect((await server.get(`${base}/notes`, headers)).status).toBe(200);
    expect((await server.send('POST', `${base}/notes`, headers, '{"id":1}')).status).toBe(201);
  }
  expect((await server.get(`${base}/notes`, headersOf('other'))).status).toBe(base === '/api/v1' ? 404 : 406);
});
