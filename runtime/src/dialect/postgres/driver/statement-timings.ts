import { LRUCache } from 'lru-cache';
import type { BoundStatement } from '../../statement.js';

/** Statements whose timings are remembered. */
const MOST_STATEMENTS = 10_000;

/**
 * Longest time between two answers on a shared connection for which sharing pays, in ms. Beyond it
 * sharing saves little, and the database runs such statements faster side by side.
 */
const WORTH_SHARING = 0.5;

/**
 * A statement is tried on a shared connection once a run of it alone took this long at most, the
 * way to the database included, in ms.
 */
const WORTH_TRYING = 5;

/** Answers on a shared connection before the time between them is believed. */
const ANSWERS_TO_KNOW = 20;

/** Runs for which a statement has a connection to itself after it took too long on a shared one. */
const RUNS_ALONE = 500;

/**
 * How far the estimate moves to a shorter and to a longer measurement. The longer one may have
 * waited for a processor, there or here.
 */
const DOWNWARDS = 0.3;
const UPWARDS = 0.02;

interface Timing {
  /** Whether a run alone was short enough for it to be shared. */
  isShort: boolean;
  /** Runs that are yet to be made alone. */
  runsAlone: number;
  /**
   * Milliseconds from one answer to the next on a shared connection: the only estimate of a run's
   * duration at the database.
   */
  gap: number;
  answers: number;
}

/**
 * Which statements may share a connection, and how many milliseconds of it each takes, by their
 * text.
 */
export class StatementTimings {
  readonly #timings = new LRUCache<string, Timing>({ max: MOST_STATEMENTS });

  /**
   * Milliseconds that a run is expected to take; undefined for a statement that is to have a
   * connection to itself.
   */
  expected(text: string): number | undefined {
    const timing = this.#timings.get(text);
    return timing === undefined || !timing.isShort || timing.runsAlone > 0 ? undefined : timing.gap;
  }

  /**
   * A run of a statement that followed no other on its connection: the time has the way to the
   * database in it.
   */
  ranAlone(text: string, milliseconds: number): void {
    const timing = this.#timings.get(text);
    const isShort = milliseconds <= WORTH_TRYING;
    // The duration of a run is at most this: a read that is always the first never follows another
    // read.
    const gap = Math.min(milliseconds, WORTH_SHARING);
    if (timing === undefined) {
      this.#timings.set(text, { isShort, runsAlone: 0, gap, answers: 0 });
      return;
    }
    if (timing.runsAlone > 0) timing.runsAlone -= 1;
    else if (gap < timing.gap) timing.gap = nearer(timing.gap, gap);
    timing.isShort ||= isShort;
  }

  /**
   * A statement was answered so many milliseconds after the one before it on the same connection.
   */
  followed(text: string, milliseconds: number): void {
    const timing = this.#timings.get(text);
    if (timing === undefined) return;
    // However long it was: one answer says nothing of the others.
    const gap = Math.min(milliseconds, 2 * WORTH_SHARING);
    timing.gap = timing.answers === 0 ? gap : nearer(timing.gap, gap);
    timing.answers += 1;
    if (timing.answers >= ANSWERS_TO_KNOW && timing.gap > WORTH_SHARING) runAlone(timing);
  }

  /** A run has kept others waiting. */
  markSlow(text: string): void {
    const timing = this.#timings.get(text);
    if (timing !== undefined) runAlone(timing);
  }
}

/** For a while: then it may be another statement for the database, or have been the machine. */
function runAlone(timing: Timing): void {
  timing.runsAlone = RUNS_ALONE;
  timing.isShort = false;
  timing.answers = 0;
  timing.gap = WORTH_SHARING;
}

const nearer = (estimate: number, measured: number): number =>
  estimate + (measured - estimate) * (measured < estimate ? DOWNWARDS : UPWARDS);

/** The text of the main statement: the statements before it set variables. */
export const textOf = (statements: readonly BoundStatement[]): string => statements[statements.length - 1]?.text ?? '';
