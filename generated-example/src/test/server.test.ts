import '@tablewright/runtime/setup';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServer } from '@tablewright/runtime';
import { buildGraphqlSchema } from '@tablewright/runtime/testing';
import { custom } from '../custom/index.js';
import { generated } from '../generated/index.js';

const hasDatabase = (process.env['DATABASE_URL'] ?? '') !== '';

await test('the generated resolvers and yours make one valid GraphQL schema', async () => {
  const schema = await buildGraphqlSchema(generated, custom);
  assert.ok(schema?.getQueryType(), 'The schema has no query.');
});

await test('the server answers', { skip: hasDatabase ? false : 'DATABASE_URL is not set' }, async () => {
  const environment = { ...process.env, APP_SERVER_PORT: '0', APP_LOG_LEVEL: 'error' };
  const server = await createServer({ generated, custom, environment }).listen({ ownsProcess: false });
  try {
    const ready = await fetch(`${server.address ?? ''}/health/ready`);
    assert.equal(ready.status, 200);
    const answer = await fetch(`${server.address ?? ''}/graphql`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    assert.deepEqual(await answer.json(), { data: { __typename: 'Query' } });
  } finally {
    await server.close();
  }
});
