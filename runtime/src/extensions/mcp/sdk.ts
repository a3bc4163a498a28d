import { misconfigured } from '../../errors.js';
import { optionalPackage } from '../../optional-package.js';

/** A request or answer of the protocol. Its schema is the key of a handler, and checks it. */
interface Handled {
  readonly params: { readonly name: string; readonly arguments?: unknown; readonly uri: string };
}

/** The parts of `@modelcontextprotocol/sdk` used here: most servers do not have the package. */
export interface Sdk {
  readonly McpServer: new (
    info: { readonly name: string; readonly version: string },
    options: {
      readonly capabilities: { readonly tools: object; readonly resources: object };
      readonly instructions: string;
      readonly jsonSchemaValidator: { readonly getValidator: () => never };
    },
  ) => {
    readonly server: McpServer;
  };
  readonly Transport: new (options: { readonly enableJsonResponse: boolean }) => Transport;
  readonly types: {
    readonly ListToolsRequestSchema: unknown;
    readonly ListResourcesRequestSchema: unknown;
    readonly ListResourceTemplatesRequestSchema: unknown;
    readonly CallToolRequestSchema: unknown;
    readonly ReadResourceRequestSchema: unknown;
    readonly McpError: new (code: number, message: string, data?: unknown) => Error;
    readonly ErrorCode: { readonly InvalidParams: number };
  };
}

export interface McpServer {
  setRequestHandler(schema: unknown, handler: (request: Handled) => object | Promise<object>): void;
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

export interface Transport {
  handleRequest(request: Request, options: { readonly parsedBody: unknown }): Promise<Response>;
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
    ...(server as Pick<Sdk, 'McpServer'>),
    Transport: (transport as { readonly WebStandardStreamableHTTPServerTransport: Sdk['Transport'] })
      .WebStandardStreamableHTTPServerTransport,
    types: types as Sdk['types'],
  };
}
