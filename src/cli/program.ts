import { Command } from 'commander';
import { ownPackage } from '../package.js';
import { changesCommand } from './changes.js';
import { checkCommand } from './check.js';
import { demoCommand } from './demo.js';
import { devCommand } from './dev.js';
import { diffCommand } from './diff.js';
import { ejectCommand } from './eject.js';
import { generateCommand } from './generate.js';
import { doctorCommand } from './doctor.js';
import { initCommand } from './init.js';
import { inspectCommand } from './inspect.js';
import type { Session } from './session.js';

/** The command line: every command, bound to the session it runs in. Errors are thrown as CommanderError. */
export function createProgram(session: Session): Command {
  const program = new Command('tablewright')
    .description('Turn a SQL database into a typed GraphQL and REST server in readable TypeScript that you own.')
    .version(ownPackage().version, '-v, --version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', '\nExample:\n  tablewright generate --url postgres://me@localhost/shop --out server\n');
  const commands = [
    initCommand,
    generateCommand,
    checkCommand,
    diffCommand,
    inspectCommand,
    doctorCommand,
    changesCommand,
    devCommand,
    demoCommand,
    ejectCommand,
  ];
  for (const create of commands) program.addCommand(create(session));
  // Errors of the command line are told the same way as all others.
  for (const each of [program, ...program.commands]) {
    each
      .exitOverride()
      .configureOutput({ outputError: () => undefined })
      .showHelpAfterError(false);
  }
  return program;
}
