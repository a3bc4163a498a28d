import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { TablewrightError } from '../errors.js';
import { exitCodes } from './exit-codes.js';
import { bridge, loadTransports, type Bridge } from './mcp-bridge.js';
import { configure, withCommonFlags, withSourceFlags, type Session, type SourceFlags } from './session.js';

interface McpFlags extends SourceFlags {
  readonly server?: string;
}

/** Holds the token of the agent: an argument would be seen by every user of the machine. */
const tokenVariable = 'TABLEWRIGHT_TOKEN';

/** `tablewright mcp` */
export function mcpCommand(session: Session): Command {
  const command = new Command('mcp').description('serve agents over standard input and output');
  withSourceFlags(command)
    .option('--server <address>', 'a server that runs with app.mcp (default: starts the built server of the project)')
    .action((flags: McpFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright mcp --out server', `${tokenVariable}=… tablewright mcp --server https://api.example.com`],
    ['0  ended by the client', '1  error'],
  );
}

async function run(session: Session, flags: McpFlags): Promise<void> {
  const transports = await loadTransports();
  const token = session.environment[tokenVariable];
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const server = flags.server === undefined ? await startServer(session, flags) : undefined;
  const address = server?.address ?? flags.server ?? '';
  if (!URL.canParse('/mcp', address))
    throw new TablewrightError('USAGE', `"${address}" is not an address.`, 'Write it as in http://127.0.0.1:4000.');
  try {
    const connected = await bridge(transports, new URL('/mcp', address), headers);
    server?.onSwap(connected.changed);
    await ended(session, connected, server?.ended);
  } finally {
    server?.stop();
  }
  session.exitCode = exitCodes.success;
}

/** Until the client closes its end, the user interrupts, or the server has ended by itself. */
function ended({ signal }: Session, connected: Bridge, serverEnded = new Promise<void>(() => undefined)) {
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => {
      resolve();
    });
  });
  const failed = serverEnded.then(() => {
    throw new TablewrightError('OUTPUT_FAILED', 'The server of the project has ended.', 'Its log says why.');
  });
  return Promise.race([connected.closed, interrupted, failed]);
}

interface StartedServer {
  readonly address: string;
  /** Calls the listener when the server serves another state of its database. */
  readonly onSwap: (listener: () => void) => void;
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** Starts the project's server on a free port of this machine. Its log goes to standard error. */
async function startServer(session: Session, flags: McpFlags): Promise<StartedServer> {
  const { out, url, environment } = await configure(session, flags);
  if (!existsSync(join(out, 'dist', 'main.js')))
    throw new TablewrightError(
      'USAGE',
      'There is no built server in this folder.',
      'Run `npm run build` in the project, name its folder with --out, or name a running server with --server.',
    );
  const own = { TABLEWRIGHT_DEV: '1', APP_MCP: 'true', PORT: '0', HOST: '127.0.0.1' };
  const child = spawn(process.execPath, [join('dist', 'main.js')], {
    cwd: out,
    env: { ...environment, ...(url === undefined ? {} : { DATABASE_URL: url }), ...own },
    // Standard output is for the messages of the protocol.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  let served: string | undefined;
  let swapped = (): void => undefined;
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  const address = await new Promise<string>((resolve, reject) => {
    child.on('message', (message) => {
      const listening = memberOf(message, 'address');
      if (listening !== undefined) resolve(listening);
      const fingerprint = memberOf(message, 'fingerprint');
      if (fingerprint === undefined) return;
      if (served !== undefined && served !== fingerprint) swapped();
      served = fingerprint;
    });
    child.once('error', reject);
    void exited.then(() => {
      reject(new TablewrightError('OUTPUT_FAILED', 'The server of the project does not start.', 'Its log says why.'));
    });
  });
  return {
    address,
    onSwap: (listener) => {
      swapped = listener;
    },
    ended: exited,
    stop: () => {
      child.kill();
    },
  };
}

function memberOf(message: unknown, name: 'address' | 'fingerprint'): string | undefined {
  if (typeof message !== 'object' || message === null || !(name in message)) return undefined;
  const value: unknown = Reflect.get(message, name);
  return typeof value === 'string' ? value : undefined;
}
