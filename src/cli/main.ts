import { CommanderError } from 'commander';
import { exitCodes } from './exit-codes.js';
import { reportFailure } from './failure.js';
import { createProgram } from './program.js';
import type { Session } from './session.js';
import { createTerminal } from './terminal.js';

/** Runs one command line, without the program's name, and answers the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  const terminal = createTerminal(process.stdout, process.stderr, process.env);
  const session: Session = {
    folder: process.cwd(),
    environment: process.env,
    terminal,
    signal: interruption.signal,
    interactive: process.stdin.isTTY && process.stderr.isTTY,
    exitCode: exitCodes.success,
  };
  const release = onInterruption(() => {
    interruption.abort();
  });
  process.stdout.on('error', endQuietly);
  try {
    await createProgram(session).parseAsync([...argv], { from: 'user' });
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.success;
    // Without a command the help was shown: that says enough.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodes.error;
    return reportFailure(error, terminal, {
      json: argv.includes('--json'),
      verbose: argv.includes('--verbose') || (process.env['DEBUG'] ?? '') !== '',
    });
  } finally {
    release();
    if (interruption.signal.aborted) endSoon();
  }
}

/** The first Ctrl-C asks the run to end and tidy up; the second ends the process. What that leaves, the next run tidies up. */
function onInterruption(interrupt: () => void): () => void {
  let asked = false;
  const listener = (): void => {
    if (asked) process.exit(exitCodes.interrupted);
    asked = true;
    interrupt();
  };
  process.on('SIGINT', listener).on('SIGTERM', listener);
  return () => {
    process.off('SIGINT', listener).off('SIGTERM', listener);
  };
}

/** An interrupted wait for a database may keep the process alive: it has nothing left to say. */
function endSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

/** Whoever read our output has seen enough: `tablewright diff | head`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.success);
  throw error;
}
