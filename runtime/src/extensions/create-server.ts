import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import { Server, type TablewrightServer } from '../server/server.js';
import type { ServerOptions } from '../server/server-options.js';
import { extensions } from './index.js';

export type { TablewrightServer };

/**
 * Creates a server from generated and custom code: `await createServer({ generated, custom
 * }).listen()`.
 */
export function createServer<Database = AnyDatabase>(options: ServerOptions<Database>): TablewrightServer {
  // The code of the hooks determines the types of tables.
  return new Server(options as unknown as ServerOptions, extensions);
}
