import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { TablewrightError } from '../errors.js';
import { exitCodes } from './exit-codes.js';
import { bridge, loadTransports } from './mcp-bridge.js';
import { ServerProcess } from './server-process.js';
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
  const started = flags.server === undefined ? await startServer(session, flags) : undefined;
  const address = started?.address ?? flags.server ?? '';
  if (!URL.canParse('/mcp', address))
    throw new TablewrightError('USAGE', `"${address}" is not an address.`, 'Write it as in http://127.0.0.1:4000.');
  try {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const { closed, changed } = await bridge(transports, new URL('/mcp', address), headers);
    started?.onSwap(changed);
    const interrupted = new Promise((resolve) => {
      session.signal.addEventListener('abort', resolve);
    });
    await Promise.race([closed, interrupted, ...(started === undefined ? [] : [started.failed])]);
  } finally {
    await started?.stop();
  }
  session.exitCode = exitCodes.success;
}

interface StartedServer {
  readonly address: string;
  /** Rejects when the server ends by itself. */
  readonly failed: Promise<never>;
  /** Calls the listener when the server serves another state of its database. */
  readonly onSwap: (listener: () => void) => void;
  readonly stop: () => Promise<void>;
}

/** Starts the project's server on a free port of this machine. */
async function startServer(session: Session, flags: McpFlags): Promise<StartedServer> {
  const { out, url, environment } = await configure(session, flags);
  if (!existsSync(join(out, 'dist', 'main.js')))
    throw new TablewrightError(
      'USAGE',
      'There is no built server in this folder.',
      'Run `npm run build` in the project, name its folder with --out, or name a running server with --server.',
    );
  const news = new EventEmitter();
  const failed = once(news, 'ended').then((): never => {
    throw new TablewrightError('OUTPUT_FAILED', 'The server of the project has ended.', 'Its log says why.');
  });
  const listening = once(news, 'listening') as Promise<[string]>;
  const server = new ServerProcess(out, () => news.emit('ended'), {
    stdout: 'stderr',
    listening: (address) => news.emit('listening', address),
    swapped: () => news.emit('swapped'),
  });
  await server.restart({
    ...environment,
    ...(url === undefined ? {} : { DATABASE_URL: url }),
    ...{ APP_MCP: 'true', PORT: '0', HOST: '127.0.0.1' },
  });
  return {
    address: (await Promise.race([listening, failed]))[0],
    failed,
    onSwap: (listener) => news.on('swapped', listener),
    stop: () => server.stop(),
  };
}
