import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The answer of a tool: its JSON, and whether it is an error. */
export interface ToolReply {
  readonly isError: boolean;
  readonly value: unknown;
  readonly text: string;
}

/** The SDK's own client. */
export interface Agent {
  readonly client: Client;
  readonly call: (name: string, given?: Readonly<Record<string, unknown>>) => Promise<ToolReply>;
  readonly close: () => Promise<void>;
}

/** Connects over HTTP to the server at this address. */
export function connectAgent(base: string, headers: Readonly<Record<string, string>> = {}): Promise<Agent> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } });
  return connectBy(transport);
}

export async function connectBy(transport: Transport): Promise<Agent> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return {
    client,
    call: async (name, given = {}) => {
      const { content, isError } = await client.callTool({ name, arguments: { ...given } });
      const [first] = content as readonly { readonly type: string; readonly text: string }[];
      const text = first?.text ?? '';
      return { isError: isError === true, value: text === '' ? undefined : (JSON.parse(text) as unknown), text };
    },
    close: () => client.close(),
  };
}
