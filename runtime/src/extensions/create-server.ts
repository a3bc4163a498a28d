import type { AnyDatabase } from '../execute/hooks/table-hooks.js';
import { Server, type TablewrightServer as NodeServer } from '../server/server.js';
import type { ServerOptions } from '../server/server-options.js';
import type { FetchOptions } from './fetch/index.js';
import { extensions } from './index.js';

export interface TablewrightServer extends NodeServer {
  /**
   * Answers a request of the Fetch standard, for hosts that have those: route handlers of Next.js,
   * Hono, serverless functions, Bun, Deno. Bodies are streamed both ways. The signal of the request
   * cancels its statements. Rejects with the reason of an abort.
   */
  readonly fetch: (request: Request, options?: FetchOptions) => Promise<Response>;
}

/**
 * Creates a server from generated and custom code: `await createServer({ generated, custom
 * }).listen()`.
 */
export function createServer<Database = AnyDatabase>(options: ServerOptions<Database>): TablewrightServer {
  // The code of the hooks determines the types of tables.
  return new FetchingServer(options as unknown as ServerOptions, extensions);
}

class FetchingServer extends Server implements TablewrightServer {
  /** A server that is never asked this way does not load how it is done. */
  readonly fetch: TablewrightServer['fetch'] = async (request, options) =>
    (await import('./fetch/index.js')).answerFetch(this.handler, request, options);
}
