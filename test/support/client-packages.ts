import { join } from 'node:path';
import { describeWhere } from './describe-where.js';
import { repository } from './transpile.js';

/** The folder of clients and their tools, with packages of its own. */
export const clients = join(repository, 'test/clients');

/** `describe` for suites that need those packages. */
export const describeClients = describeWhere('clients');
