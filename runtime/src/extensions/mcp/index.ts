import { createMcp, mcpPath, metadataPath, type Mcp } from './handler.js';
import { loadSdk } from './sdk.js';
import type { DataHandler } from '../../http/request-context.js';
import type { Extension } from '../../server/extension.js';
import { hasConsole } from '../../settings/has-console.js';

/** Tools of agents, by the Model Context Protocol: `app.mcp`. */
export const mcp: Extension = {
  name: 'mcp',
  open: async () => {
    const sdk = await loadSdk();
    const served = new WeakMap<DataHandler, Mcp>();
    return {
      mounts: (services, { routes, openapi, schema, resolve, streams, isWhole, catalog, successor }) => {
        const made = createMcp(services, {
          ...{ sdk, routes, openapi, schema, resolve, streams },
          resources: { showsPolicies: isWhole && hasConsole(services.settings), catalog },
          successor: async (error) => {
            const next = await successor(error, mcpPath);
            return next && served.get(next);
          },
        });
        served.set(made.handler, made);
        return [
          { prefix: mcpPath, handler: made.handler },
          { prefix: metadataPath, handler: made.metadata, isPublic: true },
        ];
      },
    };
  },
};
