import { Command } from 'commander';
import { ownPackage } from '../package.js';
import type { Session } from './session.js';

type CreateCommand = (session: Session) => Command;

/** Each command's module, in the order of the help. Some load TypeScript or the doctor's rules. */
const commands: Readonly<Record<string, () => Promise<CreateCommand>>> = {
  init: async () => (await import('./init.js')).initCommand,
  generate: async () => (await import('./generate.js')).generateCommand,
  check: async () => (await import('./check.js')).checkCommand,
  diff: async () => (await import('./diff.js')).diffCommand,
  inspect: async () => (await import('./inspect.js')).inspectCommand,
  diagram: async () => (await import('./diagram.js')).diagramCommand,
  doctor: async () => (await import('./doctor.js')).doctorCommand,
  changes: async () => (await import('./changes.js')).changesCommand,
  dev: async () => (await import('./dev.js')).devCommand,
  mcp: async () => (await import('./mcp.js')).mcpCommand,
  demo: async () => (await import('./demo.js')).demoCommand,
  eject: async () => (await import('./eject.js')).ejectCommand,
};

/**
 * The command line, bound to the session it runs in: the command that the arguments name, or every
 * command where they name none, for the help and for suggestions. Errors are thrown as
 * CommanderError.
 */
export async function createProgram(session: Session, argv: readonly string[]): Promise<Command> {
  const program = new Command('tablewright')
    .description('Turn a SQL database into a typed GraphQL and REST server in readable TypeScript that you own.')
    .version(ownPackage().version, '-v, --version')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('after', '\nExample:\n  tablewright generate --url postgres://me@localhost/shop --out server\n');
  for (const load of wanted(argv)) program.addCommand((await load())(session));
  // Errors of the command line are reported in the same way as all others.
  for (const each of [program, ...program.commands]) {
    each
      .exitOverride()
      .configureOutput({
        outputError: () => undefined,
        writeOut: (text) => {
          session.terminal.print(text.replace(/\n$/, ''));
        },
        writeErr: (text) => {
          session.terminal.note(text.replace(/\n$/, ''));
        },
      })
      .showHelpAfterError(false);
  }
  return program;
}

function wanted([first = '']: readonly string[]): readonly (() => Promise<CreateCommand>)[] {
  if (first === '-v' || first === '--version') return [];
  const named = Object.hasOwn(commands, first) ? commands[first] : undefined;
  return named === undefined ? Object.values(commands) : [named];
}
