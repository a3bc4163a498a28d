import type { Commit, FeedListener } from './change-feed.js';

/** A commit in the database's log. A read may not see it yet. */
export interface LoggedCommit {
  /** The number of listed rows in all tables. */
  readonly size: number;
}

/** Resolves when every new read sees all of these commits; returns the commits to report. */
export type UntilVisible<T extends LoggedCommit> = (commits: readonly T[]) => Promise<readonly Commit[]>;

/**
 * Largest number of rows in commits that wait to become visible. Beyond it commits lose their rows,
 * and the feed reports the loss.
 */
const MAX_WAITING = 200_000;

/**
 * Reports commits in their order, once new reads see them. While one visibility check runs, later
 * commits collect for the next check.
 */
export class Pump<T extends LoggedCommit> {
  /** Rejects when a visibility check fails. */
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
    if (this.#size > MAX_WAITING) {
      // The last commit is kept: when it is visible, a reader that has received the loss sees all
      // of them.
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
      if (overflowed) this.listener.gap('Changes arrived faster than the server could report them.');
      this.listener.commits(commits);
    }
  }
}
