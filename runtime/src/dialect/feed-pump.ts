import type { Commit, FeedListener } from './change-feed.js';

/** A commit in the database's log. A read may not see it yet. */
export interface LoggedCommit {
  /** The rows that are listed, all tables together. */
  readonly size: number;
}

/** Resolves when every new read sees all of these commits; returns the commits to report. */
export type UntilVisible<T extends LoggedCommit> = (commits: readonly T[]) => Promise<readonly Commit[]>;

/**
 * Rows of commits that wait to become visible. Beyond it they are dropped, and their loss is
 * reported.
 */
const MOST_WAITING = 200_000;

/**
 * Passes commits on when new reads see them, in their order: one look for all that came during the
 * one before.
 */
export class Pump<T extends LoggedCommit> {
  /** Rejects when a look does. */
  readonly failed: Promise<never>;
  #waiting: T[] = [];
  #size = 0;
  #overflowed = false;
  #isRunning = false;
  #fail: (error: unknown) => void = () => undefined;

  /** @param emptied the commit without its rows */
  constructor(
    private readonly untilVisible: UntilVisible<T>,
    private readonly emptied: (commit: T) => T,
    private readonly listener: Pick<FeedListener, 'commits' | 'gap'>,
  ) {
    this.failed = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    this.failed.catch(() => undefined);
  }

  add(commit: T): void {
    this.#waiting.push(commit);
    this.#size += commit.size + 1;
    if (this.#size > MOST_WAITING) {
      // The last one is kept: when it is visible, a reader that has received the loss sees all of
      // them.
      this.#waiting = [this.emptied(commit)];
      this.#size = 1;
      this.#overflowed = true;
    }
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#run().then(
      () => {
        this.#isRunning = false;
      },
      (error: unknown) => {
        this.#fail(error);
      },
    );
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const [batch, overflowed] = [this.#waiting, this.#overflowed];
      [this.#waiting, this.#size, this.#overflowed] = [[], 0, false];
      const commits = await this.untilVisible(batch);
      if (overflowed) this.listener.gap('More changes came than could be kept.');
      this.listener.commits(commits);
    }
  }
}
