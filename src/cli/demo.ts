import { Command, InvalidArgumentError, Option } from 'commander';
import type { DemoOptions } from '../demo/demo.js';
import { exitCodes } from './exit-codes.js';
import { converse } from './question.js';
import { progressOf, withCommonFlags, type CommonFlags, type Session } from './session.js';

interface DemoFlags extends CommonFlags {
  readonly url?: string;
  readonly folder?: string;
  readonly port?: number;
  readonly reset?: boolean;
  readonly check?: boolean;
  readonly open?: boolean;
}

/** `tablewright demo` */
export function demoCommand(session: Session): Command {
  const command = new Command('demo')
    .description('generate and serve a demo database, with nothing but Node.js installed')
    .option('--url <address>', 'a MariaDB database for the demo; created if it does not exist')
    .option('--folder <folder>', 'where the project and its database go (default: demo-server)')
    .addOption(new Option('--port <number>', 'the port to listen on (default: 4000)').argParser(parsePort))
    .option('--reset', 'begin with a new database')
    .option('--open', 'open the console in a browser without asking')
    .option('--no-open', 'neither open the console nor ask')
    .option('--check', 'run the printed commands, compare their answers, and end')
    .action((flags: DemoFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright demo --open',
      'tablewright demo --port 8080 --reset',
      'tablewright demo --url mysql://root@127.0.0.1/tablewright_demo',
    ],
    ['0    ended by Ctrl-C, or everything checked', '1    error', '130  interrupted before the server was ready'],
  );
}

async function run(session: Session, flags: DemoFlags): Promise<void> {
  // Loaded when it is wanted: it brings a whole database along.
  const { demo } = await import('../demo/demo.js');
  await demo({
    ...flags,
    open: opening(session, flags),
    signal: session.signal,
    reporter: progressOf(session, flags),
    print: session.terminal.print,
  });
  session.exitCode = exitCodes.success;
}

/** Asks on a terminal, unless the flags say. Scripts are not asked. */
function opening(session: Session, { open, json, check }: DemoFlags): DemoOptions['open'] {
  if (open !== undefined) return open ? () => Promise.resolve(true) : undefined;
  if (!session.interactive || json === true || check === true) return undefined;
  return async (over) => {
    const signal = AbortSignal.any([session.signal, over]);
    const answer = await converse({ ...session, signal }, (ask) => ask('Open the console in a browser?', 'Y/n'));
    return /^(y(es)?)?$/i.test(answer);
  };
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError('It has to be a number from 0 to 65535.');
}
