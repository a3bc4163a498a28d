import '@tablewright/runtime/setup';
import { createServer } from '@tablewright/runtime';
import { custom } from './custom/index.js';
import { generated } from './generated/index.js';

await createServer({ generated, custom }).listen();
