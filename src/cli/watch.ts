import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { fingerprint } from '@tablewright/runtime/model';
import { TablewrightError } from '../errors.js';
import { readDatabase } from '../generate.js';
import { exitCodes } from './exit-codes.js';
import { reportFailure } from './failure.js';
import { configure, type Session, type SourceFlags } from './session.js';
import type { Terminal } from './terminal.js';

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
      throw new InvalidArgumentError('Write a number of seconds, at most 3600.');
    }),
  );
}

/** Something that is cheap to look at, and has a work of its own. */
export interface QuickWatch {
  /** Whether the work has to be done. It is tried once: the same code fails the same way. */
  readonly isDue: () => Promise<boolean>;
  readonly work: () => Promise<void>;
}

/** Time between two cheap checks. */
const quickMilliseconds = 150;

/**
 * Does the work now, and again whenever the schema of the database or the configuration has
 * changed; and the work of `quick` when that has. Until the session is interrupted, which is its
 * proper end. Failures after the first success are reported, and the work is tried again.
 */
export async function watchSource(
  session: Session,
  flags: SourceFlags & WatchFlags,
  work: () => Promise<void>,
  quick?: QuickWatch,
): Promise<void> {
  const { terminal, signal } = session;
  const pause = (flags.interval ?? defaultInterval) * 1000;
  const reportOnce = failureReporter(terminal, flags);
  let known = await currentState(session, flags);
  await work();
  terminal.note(terminal.colors.err.dim('Watching for changes. Ctrl-C ends this.'));
  let looked = performance.now();
  while (await paused(quick === undefined ? pause : Math.min(pause, quickMilliseconds), signal)) {
    try {
      if (quick !== undefined && (await quick.isDue())) {
        await quick.work();
        reportOnce.succeeded();
      }
      if (performance.now() - looked < pause) continue;
      looked = performance.now();
      const state = await currentState(session, flags);
      if (state !== known) {
        await work();
        known = state;
      }
      reportOnce.succeeded();
    } catch (error) {
      if (signal.aborted) break;
      reportOnce.failed(error);
    }
  }
  session.exitCode = exitCodes.success;
}

/** A failure that repeats is reported once. */
function failureReporter(
  terminal: Terminal,
  { verbose = false }: WatchFlags & SourceFlags,
): { readonly succeeded: () => void; readonly failed: (error: unknown) => void } {
  let reported = '';
  return {
    succeeded: () => {
      reported = '';
    },
    failed: (error) => {
      const hint = error instanceof TablewrightError ? error.hint : '';
      const message = `${error instanceof Error ? error.message : String(error)} ${hint}`;
      if (message !== reported) reportFailure(error, terminal, { json: false, verbose });
      reported = message;
    },
  };
}

/** All inputs of the output, as text to compare. */
async function currentState(session: Session, flags: SourceFlags): Promise<string> {
  const config = await configure(session, flags);
  const { url, schemas, out, model, settings, environment } = config;
  if (url?.startsWith('pglite:') === true) {
    throw new TablewrightError(
      'USAGE',
      'A PGlite database cannot be watched: only one process at a time can have it open.',
      'Run `tablewright generate` after each change instead.',
    );
  }
  const catalog = await readDatabase({ ...config, signal: session.signal });
  return JSON.stringify([fingerprint(catalog), schemas, out, model, settings, environment]);
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
