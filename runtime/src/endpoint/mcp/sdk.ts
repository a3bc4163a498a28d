import type * as ServerModule from '@modelcontextprotocol/sdk/server/mcp.js';
import type * as TransportModule from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type * as TypesModule from '@modelcontextprotocol/sdk/types.js';
import { misconfigured } from '../../errors.js';
import { optionalPackage } from '../../optional-package.js';

/** The parts of the SDK that a server uses. */
export interface Sdk {
  readonly McpServer: typeof ServerModule.McpServer;
  readonly Transport: typeof TransportModule.WebStandardStreamableHTTPServerTransport;
  readonly types: typeof TypesModule;
}

const packageName = '@modelcontextprotocol/sdk';

/** Loads the SDK. Throws ServerError `misconfigured` where it is not installed. */
export async function loadSdk(): Promise<Sdk> {
  const load = async (module: string): Promise<unknown> => {
    const found = await optionalPackage(packageName, `${packageName}/${module}.js`);
    if (found !== undefined) return found;
    throw misconfigured(
      `app.mcp needs the package ${packageName}, which is not installed.`,
      `npm install ${packageName}`,
    );
  };
  const [server, transport, types] = await Promise.all(
    ['server/mcp', 'server/webStandardStreamableHttp', 'types'].map(load),
  );
  return {
    McpServer: (server as typeof ServerModule).McpServer,
    Transport: (transport as typeof TransportModule).WebStandardStreamableHTTPServerTransport,
    types: types as typeof TypesModule,
  };
}
