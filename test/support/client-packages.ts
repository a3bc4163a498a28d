import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describeWhere } from './describe-where.js';
import { repository } from './transpile.js';

/** Where clients and their tools are, with packages of their own. */
export const clients = join(repository, 'test/clients');

/** Describes what needs those packages. */
export const describeClients = describeWhere(
  existsSync(join(clients, 'node_modules')),
  'packages of its own: npm --prefix test/clients ci',
);
