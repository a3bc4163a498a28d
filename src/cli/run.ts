import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.js';
import { reportFailure } from './failure.js';
import { createProgram } from './program.js';
import type { Session } from './session.js';

/**
 * Runs one command line, without the program's name, in a session, and returns the exit code. Never
 * throws. It reads and writes nothing of the process but the variables of node-postgres
 * (`configure`), so that tests run commands without a process for each.
 */
export async function run(argv: readonly string[], given: Omit<Session, 'exitCode'>): Promise<number> {
  const session: Session = { ...given, exitCode: exitCodes.success };
  try {
    const program = await createProgram(session, argv);
    await program.parseAsync([...argv], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.success;
    // Without a command the help was shown: that says enough.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.error;
    return reportFailure(error, session.terminal, {
      json: argv.includes('--json'),
      verbose: argv.includes('--verbose') || (session.environment['DEBUG'] ?? '') !== '',
    });
  }
}
