/**
 * A server as a user's main.ts starts it, over the tables of descriptors.json and with a slow
 * route. Transpiled, it runs in a process of its own.
 */
import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Router, text } from 'express';
import type { Descriptors } from '../../../../runtime/src/descriptor/registry.js';
import { createServer } from '../../../../runtime/src/extensions/create-server.js';
import { generatedOf } from '../../rest/support/generated.js';

const slow = Router().get('/slow', async (request, response) => {
  await sleep(Number(request.query['milliseconds']));
  response.send('finished');
});
const large = Router().get('/large', (request, response) => {
  response.send('x'.repeat(Number(request.query['bytes'])));
});
const upload = Router().post('/upload', text(), (request, response) => {
  response.json({ received: (request.body as string).length });
});

const descriptors = JSON.parse(await readFile(new URL('descriptors.json', import.meta.url), 'utf8')) as Descriptors;
await createServer({ generated: generatedOf(descriptors), custom: { routes: [slow, large, upload] } }).listen();
