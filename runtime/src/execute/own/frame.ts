import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kysely } from 'kysely';
import type { Driver, Identity, Savepoint } from '../../dialect/driver.js';
import type { AnyDatabase } from '../hooks.js';
import type { WriteSession } from '../write-session.js';
import { ended, occupied } from './ended.js';
import { createHandle } from './handle.js';

/**
 * A transaction, or a savepoint in a transaction, in which the user's code runs. Its handle ends
 * with it.
 */
export class Frame {
  #isOver = false;
  #handle: Kysely<AnyDatabase> | undefined;
  /** The last transaction inside this one. */
  #inner: Promise<void> = Promise.resolve();

  constructor(readonly session: WriteSession) {}

  get isOver(): boolean {
    return this.#isOver;
  }

  get db(): Kysely<AnyDatabase> {
    return (this.#handle ??= createHandle(this.session.builder, {
      query: (statement) => (this.#isOver ? Promise.reject(ended()) : this.session.query(statement)),
      enter: () => this.enter(),
    }));
  }

  end(): void {
    this.#isOver = true;
  }

  /**
   * Runs the user's code in a savepoint, which is released if the code resolves and rolled back if
   * it rejects.
   */
  async nested<T>(work: (inner: Frame) => Promise<T>): Promise<T> {
    const savepoint = await this.enter();
    const inner = new Frame(this.session);
    const { failures } = this.session;
    const before = failures.length;
    try {
      const result = await inFrame(inner, () => work(inner));
      inner.end();
      if (failures.length > before) throw failures[before];
      await savepoint.release();
      return result;
    } catch (error) {
      inner.end();
      await savepoint.rollback();
      throw error;
    }
  }

  /** Begins a savepoint. They are a stack: those beside each other wait for each other. */
  async enter(): Promise<Savepoint> {
    const previous = this.#inner;
    let leave = (): void => undefined;
    const left = new Promise<void>((resolve) => (leave = resolve));
    this.#inner = previous.then(() => left);
    try {
      await inTime(previous, this.session.patience);
      if (this.#isOver) throw ended();
      const savepoint = await this.session.savepoint();
      return {
        release: () => savepoint.release().finally(leave),
        rollback: () =>
          savepoint
            .rollback()
            .catch((error: unknown) => {
              // The database has undone everything already, as after a deadlock of MariaDB, or is
              // lost.
              this.session.abandon(error);
            })
            .finally(leave),
      };
    } catch (error) {
      leave();
      throw error;
    }
  }
}

async function inTime(previous: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(occupied());
    }, milliseconds);
  });
  try {
    await Promise.race([previous, late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The frame that code runs in. It slows every promise of the process, so that it is switched off
 * while there is none.
 */
const frames = new AsyncLocalStorage<Frame>();
let running = 0;

/** Runs the user's code, so that functions it calls find its frame. */
export async function inFrame<T>(frame: Frame, work: () => Promise<T>): Promise<T> {
  running += 1;
  try {
    return await frames.run(frame, work);
  } finally {
    running -= 1;
    if (running === 0) frames.disable();
  }
}

/** The frame that the caller runs in, where it is one of this identity on this driver. */
export function currentFrame(on: Driver, identity: Identity): Frame | undefined {
  const frame = running === 0 ? undefined : frames.getStore();
  if (frame === undefined || frame.isOver) return undefined;
  const { session } = frame;
  return session.on === on && session.identity === identity ? frame : undefined;
}
