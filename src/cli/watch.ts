import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { fingerprint } from '../catalog/index.js';
import { TablewrightError } from '../errors.js';
import { readDatabase } from '../generate.js';
import { exitCodes } from './exit-codes.js';
import { reportFailure } from './failure.js';
import { configure, type Session, type SourceFlags } from './session.js';

export interface WatchFlags {
  /** Seconds between two looks at the database. */
  readonly interval?: number;
}

const defaultInterval = 2;

/** Adds `--interval`. */
export function withInterval(command: Command): Command {
  return command.addOption(
    new Option(
      '--interval <seconds>',
      `how often to look for a change (default: ${String(defaultInterval)})`,
    ).argParser((text) => {
      const seconds = Number(text);
      if (seconds > 0 && seconds <= 3600) return seconds;
      throw new InvalidArgumentError('It has to be a number of seconds, 3600 at most.');
    }),
  );
}

/**
 * Does the work now, and again whenever the schema of the database, the configuration or what `also` answers has changed; until the
 * session is interrupted, which is its proper end. Failures after the first success are told, and the work is tried again.
 */
export async function watchSource(
  session: Session,
  flags: SourceFlags & WatchFlags,
  work: () => Promise<void>,
  also: () => Promise<string> = () => Promise.resolve(''),
): Promise<void> {
  const { terminal, signal } = session;
  const pause = (flags.interval ?? defaultInterval) * 1000;
  let known = await currentState(session, flags, also);
  await work();
  terminal.tell(terminal.colors.err.dim('Watching for changes. Ctrl-C ends this.'));
  let told = '';
  while (await paused(pause, signal)) {
    try {
      const state = await currentState(session, flags, also);
      if (state !== known) {
        await work();
        known = state;
      }
      told = '';
    } catch (error) {
      if (signal.aborted) break;
      // The same failure at every look is told once.
      const message = error instanceof Error ? error.message : String(error);
      if (message !== told) reportFailure(error, terminal, { json: false, verbose: flags.verbose === true });
      told = message;
    }
  }
  session.exitCode = exitCodes.success;
}

/** What the output follows from, as text to compare. */
async function currentState(session: Session, flags: SourceFlags, also: () => Promise<string>): Promise<string> {
  const { url, schemas, out, model, settings } = await configure(session, flags);
  if (url?.startsWith('pglite:') === true) {
    throw new TablewrightError(
      'USAGE',
      'A PGlite database cannot be watched: only one process at a time can have it open.',
      'Run `tablewright generate` after each change instead.',
    );
  }
  const catalog = await readDatabase({ url, schemas, signal: session.signal });
  return JSON.stringify([fingerprint(catalog), schemas, out, model, settings, await also()]);
}

/** Waits; answers false when the wait was cut short by an interruption. */
async function paused(milliseconds: number, signal: AbortSignal): Promise<boolean> {
  try {
    await delay(milliseconds, undefined, { signal });
    return true;
  } catch {
    return false;
  }
}
