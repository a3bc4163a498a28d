import { exitCodes } from './exit-codes.js';
import { run } from './run.js';
import { createSpinner } from './spinner.js';
import { createTerminal, mayMove } from './terminal.js';

/**
 * Runs one command line of this process, without the program’s name, and returns the exit code.
 * Never throws.
 */
export async function main(argv: readonly string[]): Promise<number> {
  const interruption = new AbortController();
  const spinner = mayMove(process.stderr, process.env)
    ? createSpinner((text) => process.stderr.write(text), process.stderr.fd)
    : undefined;
  const terminal = createTerminal(process.stdout, process.stderr, process.env, spinner);
  const finish = onInterruption(
    () => {
      interruption.abort();
    },
    () => {
      terminal.note('Ended immediately. If files were being replaced, the next run restores them.');
    },
  );
  process.stdout.on('error', endQuietly);
  try {
    return await run(argv, {
      folder: process.cwd(),
      environment: { ...process.env },
      terminal,
      signal: interruption.signal,
      interactive: process.stdin.isTTY && process.stderr.isTTY,
    });
  } finally {
    finish();
    if (interruption.signal.aborted) endSoon();
  }
}

/**
 * The first Ctrl-C asks the run to end and tidy up; the second ends the process. What that leaves,
 * the next run tidies up. Once the function it answers is called the run is over: a Ctrl-C ends the
 * process with the run's own exit code, since what was done stands.
 */
function onInterruption(interrupt: () => void, beforeTheEnd: () => void): () => void {
  let asked = false;
  let over = false;
  const listener = (): void => {
    if (over) process.exit();
    if (asked) {
      beforeTheEnd();
      process.exit(exitCodes.interrupted);
    }
    asked = true;
    interrupt();
  };
  process.on('SIGINT', listener).on('SIGTERM', listener);
  return () => {
    over = true;
  };
}

/** An interrupted wait for a database may keep the process alive: it has nothing left to say. */
function endSoon(): void {
  setTimeout(() => process.exit(), 500).unref();
}

/** The reader has closed the pipe: `tablewright diff | head`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(exitCodes.success);
  throw error;
}
