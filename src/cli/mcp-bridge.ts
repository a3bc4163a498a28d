import type * as HttpModule from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type * as StdioModule from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { TablewrightError } from '../errors.js';

export interface Transports {
  readonly Stdio: typeof StdioModule.StdioServerTransport;
  readonly Http: typeof HttpModule.StreamableHTTPClientTransport;
}

/** Loads the transports of the SDK, which is an optional package. Throws USAGE without it. */
export async function loadTransports(): Promise<Transports> {
  try {
    const [http, stdio] = await Promise.all([
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
    ]);
    return { Http: http.StreamableHTTPClientTransport, Stdio: stdio.StdioServerTransport };
  } catch (cause) {
    throw new TablewrightError(
      'USAGE',
      'Agents need the package @modelcontextprotocol/sdk, which is not installed.',
      'npm install @modelcontextprotocol/sdk',
      { cause },
    );
  }
}

export interface Bridge {
  /** Resolves when the client has closed its end. */
  readonly closed: Promise<void>;
  /** Tells the client that the server shows other tables now. */
  readonly changed: () => void;
}

/**
 * Passes messages between standard input and output and a server over HTTP, which answers each of
 * them: policies, limits and identities are the server's own.
 */
export async function bridge(
  { Stdio, Http }: Transports,
  url: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Bridge> {
  const stdio = new Stdio();
  const http = new Http(url, { requestInit: { headers } });
  const answer = (message: JSONRPCMessage): void => {
    // The client has gone: its end of the pipe ends the bridge, too.
    stdio.send(message).catch(() => undefined);
  };
  http.onmessage = (message) => {
    answer(withVersion(http, message));
  };
  stdio.onmessage = (message) => {
    http.send(message).catch((error: unknown) => {
      const text = error instanceof Error ? error.message : String(error);
      if ('id' in message && 'method' in message)
        answer({ jsonrpc: '2.0', id: message.id, error: { code: -32000, message: text } });
    });
  };
  await http.start();
  await stdio.start();
  const closed = new Promise<void>((resolve) => {
    for (const event of ['end', 'close'] as const)
      process.stdin.once(event, () => {
        resolve();
      });
  });
  return {
    closed,
    changed: () => {
      for (const what of ['tools', 'resources'])
        answer({ jsonrpc: '2.0', method: `notifications/${what}/list_changed` });
    },
  };
}

/**
 * The answer to `initialize` tells the transport which version of the protocol to name, and the
 * client that lists may change: over HTTP without sessions, servers cannot tell that.
 */
function withVersion(http: InstanceType<Transports['Http']>, message: JSONRPCMessage): JSONRPCMessage {
  if (!('result' in message)) return message;
  const { protocolVersion, capabilities } = message.result;
  if (typeof protocolVersion !== 'string') return message;
  http.setProtocolVersion(protocolVersion);
  const listChanged = { tools: { listChanged: true }, resources: { listChanged: true } };
  const merged = typeof capabilities === 'object' ? { ...capabilities, ...listChanged } : listChanged;
  return { ...message, result: { ...message.result, capabilities: merged } };
}
