import { LRUCache } from 'lru-cache';
import type { BoundStatement } from '../../statement.js';

/** Statements whose pace is remembered. */
const mostStatements = 10_000;

/** How much of the way the usual time goes to that of a run which took less, and which took more. */
const downwards = 0.3;
const upwards = 0.02;

/** Runs after which a statement that has held up others is trusted again. */
const distrusted = 100;

/**
 * Milliseconds from one answer to the next above which it is not worth sharing a connection: what that saves is little beside them, and
 * databases do better side by side, the more so commits that wait for a disk. Known from so many answers, believed for so many runs.
 */
const worthSharing = 0.5;
const answersToKnow = 20;
const unworthy = 1000;

interface Pace {
  milliseconds: number;
  runsToTrust: number;
  /** The same from one answer to the next on a connection that is shared, and from how many answers that is known. */
  inTurn: number;
  answers: number;
}

/**
 * How many milliseconds of the database's time statements usually take, by their text, as far as that can be seen from here. A run that
 * took little counts for more than one that took long: that one may have waited for a processor, there or here.
 */
export class Paces {
  readonly #usual = new LRUCache<string, Pace>({ max: mostStatements });
  /** What an answer takes that costs the database nothing. */
  #roundTrip = 0;
  #isRoundTripKnown = false;

  /** Undefined for a statement of which that is not known, or cannot be trusted. */
  of(text: string): number | undefined {
    const pace = this.#usual.get(text);
    return pace === undefined || pace.runsToTrust > 0 ? undefined : pace.milliseconds;
  }

  /** A run of a statement; the time is that from the end of another when it followed one on the same connection at once. */
  ran(text: string, milliseconds: number, followed: boolean): void {
    const own = followed ? milliseconds : Math.max(0, milliseconds - this.#roundTrip);
    const pace = this.#usual.get(text);
    if (pace === undefined) {
      this.#usual.set(text, { milliseconds: own, runsToTrust: 0, inTurn: 0, answers: 0 });
      return;
    }
    pace.milliseconds = nearer(pace.milliseconds, own);
    if (pace.runsToTrust > 0) pace.runsToTrust -= 1;
    else if (followed) judge(pace, own);
  }

  /** A run has held up others. */
  heldUp(text: string): void {
    const pace = this.#usual.get(text);
    if (pace !== undefined) pace.runsToTrust = distrusted;
  }

  /** A statement that does nothing was answered. */
  answered(milliseconds: number): void {
    this.#roundTrip = this.#isRoundTripKnown ? nearer(this.#roundTrip, milliseconds) : milliseconds;
    this.#isRoundTripKnown = true;
  }
}

/** However long one answer took: it may have waited for a processor, and one says nothing of the others. */
function judge(pace: Pace, gap: number): void {
  const milliseconds = Math.min(gap, 2 * worthSharing);
  pace.inTurn = pace.answers === 0 ? milliseconds : nearer(pace.inTurn, milliseconds);
  pace.answers += 1;
  if (pace.answers < answersToKnow || pace.inTurn <= worthSharing) return;
  pace.runsToTrust = unworthy;
  pace.answers = 0;
}

const nearer = (usual: number, measured: number): number =>
  usual + (measured - usual) * (measured < usual ? downwards : upwards);

/** The text of the statement that takes the time: what goes before it sets variables. */
export const textOf = (statements: readonly BoundStatement[]): string => statements[statements.length - 1]?.text ?? '';
