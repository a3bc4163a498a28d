import { LRUCache } from 'lru-cache';
import type { BoundStatement } from '../../../plan/statement.js';

/** Statements whose timings are remembered. */
const MAX_STATEMENTS = 10_000;

/**
 * Longest time between two answers on a shared connection for which sharing pays, in ms. Beyond it
 * sharing saves little, and the database runs such statements faster side by side.
 */
const WORTH_SHARING = 0.5;

/**
 * A statement is tried on a shared connection once a run of it alone took at most this long, in ms,
 * including the network.
 */
const WORTH_TRYING = 5;

/** Answers on a shared connection before the measured gap is trusted. */
const ANSWERS_TO_KNOW = 20;

/**
 * Runs for which a statement gets a connection to itself after it took too long on a shared one.
 */
const RUNS_ALONE = 500;

/**
 * Weights with which the estimate follows shorter and longer measurements. A longer measurement may
 * have waited for a processor, here or at the database.
 */
const DOWNWARDS = 0.3;
const UPWARDS = 0.02;

interface Timing {
  /** Whether a run alone was short enough to share a connection. */
  isShort: boolean;
  /** The number of runs that still have to run alone. */
  runsAlone: number;
  /**
   * Milliseconds from one answer to the next on a shared connection: the only estimate of a run's
   * duration at the database.
   */
  gap: number;
  answers: number;
}

/**
 * Which statements may share a connection, and the expected duration of each in ms, by their text.
 */
export class StatementTimings {
  readonly #timings = new LRUCache<string, Timing>({ max: MAX_STATEMENTS });

  /**
   * The expected duration of a run in ms; undefined for a statement that needs a connection to
   * itself.
   */
  expected(text: string): number | undefined {
    const timing = this.#timings.get(text);
    return timing === undefined || !timing.isShort || timing.runsAlone > 0 ? undefined : timing.gap;
  }

  /** Records a run that followed no other run on its connection: its time includes the network. */
  ranAlone(text: string, milliseconds: number): void {
    const timing = this.#timings.get(text);
    const isShort = milliseconds <= WORTH_TRYING;
    // An upper bound of the duration: a read that is always first never follows another read.
    const gap = Math.min(milliseconds, WORTH_SHARING);
    if (timing === undefined) {
      this.#timings.set(text, { isShort, runsAlone: 0, gap, answers: 0 });
      return;
    }
    if (timing.runsAlone > 0) timing.runsAlone -= 1;
    // At most what lets two reads share: over a network only a read that follows another is
    // measured again.
    else if (gap < timing.gap) timing.gap = Math.min(nearer(timing.gap, gap), WORTH_SHARING);
    timing.isShort ||= isShort;
  }

  /**
   * Records an answer that came this many milliseconds after the answer before it on the same
   * connection.
   */
  followed(text: string, milliseconds: number): void {
    const timing = this.#timings.get(text);
    if (timing === undefined) return;
    // Bounds the measurement: one slow answer says little about the others.
    const gap = Math.min(milliseconds, 2 * WORTH_SHARING);
    timing.gap = timing.answers === 0 ? gap : nearer(timing.gap, gap);
    timing.answers += 1;
    if (timing.answers >= ANSWERS_TO_KNOW && timing.gap > WORTH_SHARING) runAlone(timing);
  }

  /** Records that a run has delayed others. */
  markSlow(text: string): void {
    const timing = this.#timings.get(text);
    if (timing !== undefined) runAlone(timing);
  }
}

/** Only for a while: data may change, or the machine may have been busy. */
function runAlone(timing: Timing): void {
  timing.runsAlone = RUNS_ALONE;
  timing.isShort = false;
  timing.answers = 0;
  timing.gap = WORTH_SHARING;
}

const nearer = (estimate: number, measured: number): number =>
  estimate + (measured - estimate) * (measured < estimate ? DOWNWARDS : UPWARDS);

/** The text of the last statement: the statements before it set variables. */
export const textOf = (statements: readonly BoundStatement[]): string => statements[statements.length - 1]?.text ?? '';
