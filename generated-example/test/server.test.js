/** The generated server, compiled and started as its owner would, over a PGlite with the demo's rows. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { exportSPKI, generateKeyPair, SignJWT } from 'jose';

const project = join(import.meta.dirname, '..');
let folder, server, base, keys;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'generated-example-'));
  const database = await PGlite.create(join(folder, 'data'), { extensions: { vector } });
  for (const name of ['schema.sql', 'vector.sql', 'seed.sql']) {
    await database.exec(await readFile(join(project, '../demo', name), 'utf8'));
  }
  await database.close();
  keys = await generateKeyPair('ES256', { extractable: true });
  await writeFile(join(folder, 'public-key.pem'), await exportSPKI(keys.publicKey));

  server = spawn(process.execPath, ['dist/main.js'], {
    cwd: project,
    env: {
      ...process.env,
      DATABASE_URL: `pglite:${join(folder, 'data')}`,
      APP_SECURITY_AUTH_PUBLIC_KEY_FILE: join(folder, 'public-key.pem'),
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // Port 0 is a free one: the log's first lines say which.
  let log = '';
  base = await new Promise((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      log += chunk;
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(log)?.[0];
      if (address !== undefined) resolve(address);
    });
    server.once('exit', () => reject(new Error(`The server did not start: ${log}`)));
  });
});

after(async () => {
  server.kill('SIGTERM');
  if (server.exitCode === null) await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
});

const rest = async (path, headers = {}) => {
  const answer = await fetch(`${base}/api/v1${path}`, { headers: { 'Accept-Profile': 'kanban', ...headers } });
  return { status: answer.status, body: await answer.json() };
};

const graphql = async (query, headers = {}) => {
  const answer = await fetch(`${base}/graphql`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify({ query }),
  });
  return answer.json();
};

const bearer = async (claims) => {
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256' })
    .setExpirationTime('1 hour')
    .sign(keys.privateKey);
  return { Authorization: `Bearer ${token}` };
};

test('REST: filter, order, envelope', async () => {
  const { status, body } = await rest('/issues?project_id=eq.1&select=number,title&order=number.asc&limit=2');
  assert.equal(status, 200);
  assert.deepEqual(body, {
    data: [
      { number: 1, title: 'Show a clear error when the checkout form fails' },
      { number: 2, title: 'Image gallery times out on slow connections' },
    ],
    pagination: { limit: 2, offset: 0, total: null },
  });
});

test('GraphQL: nested both ways', async () => {
  const answer = await graphql(
    '{ kanbanProjectsByPk(id: 1) { key kanbanOwnerId { name } kanbanIssues(orderBy: { number: ASC }, limit: 1) { number } } }',
  );
  assert.deepEqual(answer, {
    data: { kanbanProjectsByPk: { key: 'WEB', kanbanOwnerId: { name: 'Ada Okafor' }, kanbanIssues: [{ number: 1 }] } },
  });
});

test('the same issue is nearest to itself, over both protocols', async () => {
  const { body } = await rest('/issues?id=eq.7&select=title,embedding');
  const [{ title, embedding }] = body.data;
  const near = JSON.stringify({ near: embedding, limit: 1 });
  const found = await rest(`/issues?select=title&embedding=${encodeURIComponent(`vector.${near}`)}`);
  assert.deepEqual(found.body.data, [{ title }]);
  const answer = await graphql(
    `{ kanbanIssues(vector: { column: "embedding", near: ${JSON.stringify(embedding)}, limit: 1 }) { title } }`,
  );
  assert.deepEqual(answer, { data: { kanbanIssues: [{ title }] } });
});

test('full text, over both protocols', async () => {
  const found = await rest('/issues?search_vector=wfts.cookie%20banner&select=id&order=id.asc');
  const answer = await graphql(
    '{ kanbanIssues(where: { search_vector: { webSearch: "cookie banner" } }, orderBy: { id: ASC }) { id } }',
  );
  assert.ok(found.body.data.length > 0);
  assert.deepEqual(answer.data.kanbanIssues, found.body.data);
});

test('row level security: nobody sees notifications of others, an invalid token is refused', async () => {
  assert.deepEqual((await rest('/notifications')).body.data, []);
  const own = await rest('/notifications?select=user_id', await bearer({ userId: '4' }));
  assert.ok(own.body.data.length > 0);
  assert.ok(own.body.data.every((row) => row.user_id === 4));
  const project = await rest('/issues?project_id=eq.5&limit=1', await bearer({ sub: 'nobody', projectId: '5' }));
  assert.equal(project.body.data.length, 1);
  assert.equal((await rest('/notifications', { Authorization: 'Bearer forged' })).status, 401);
});

test('writes: over REST, and several over GraphQL in one transaction; a policy refuses those of others', async () => {
  const dalia = await bearer({ userId: '4' });
  const issue = { project_id: 4, number: 901, title: 'Refunds arrive twice', reporter_id: 4 };
  const post = async (headers) => {
    const answer = await fetch(`${base}/api/v1/issues`, {
      method: 'POST',
      headers: { 'Content-Profile': 'kanban', 'Content-Type': 'application/json', Prefer: 'tx=rollback', ...headers },
      body: JSON.stringify(issue),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const { status, body } = await post(dalia);
  assert.equal(status, 201);
  assert.equal(body.title, issue.title);
  assert.equal((await post({})).status, 403);

  const answer = await graphql(
    `
      mutation {
        createKanbanIssues(input: { project_id: 4, number: 902, title: "Refunds arrive late", reporter_id: 4 }) {
          reference
        }
        deleteKanbanIssues(where: { project_id: { eq: 4 }, number: { eq: 902 } }) {
          title
        }
      }
    `,
    dalia,
  );
  assert.deepEqual(answer, {
    data: {
      createKanbanIssues: { reference: 'PAY-902' },
      deleteKanbanIssues: [{ title: 'Refunds arrive late' }],
    },
  });
});

test('a procedure answers its OUT parameters', async () => {
  const { data } = await graphql('mutation { callShopQuote(product_id: 3, quantity: 2, discount_percent: 50) }');
  assert.deepEqual(JSON.parse(data.callShopQuote), { discount_percent: 20, unit_price: 749.9, total: 1199.84 });
});
