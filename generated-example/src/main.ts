import 'reflect-metadata';
import { custom } from './custom/index.js';
import { generated } from './generated/index.js';
import { createServer } from './generated/runtime/server/create-server.js';

await createServer({ generated, custom }).listen();
