import type { HeldSession, WriteSession } from './write-session.js';

/**
 * A transaction that its holder ends, where everything else ends with the function it was given.
 * @param together runs work in a transaction, which is kept when that resolves and undone when it
 * rejects
 */
export function hold(
  together: (work: (session: WriteSession) => Promise<void>) => Promise<void>,
): Promise<HeldSession> {
  return new Promise((resolve, reject) => {
    let commit = (): void => undefined;
    let rollback: (error: unknown) => void = () => undefined;
    const settled = new Promise<void>((done, failed) => {
      commit = done;
      rollback = failed;
    });
    // It may be rolled back before anybody waits for it.
    settled.catch(() => undefined);
    const ended = together((session) => {
      resolve({
        session,
        commit: () => {
          commit();
          return ended;
        },
        rollback: (error) => {
          rollback(error);
          return ended.catch(() => undefined);
        },
      });
      return settled;
    });
    // Where it cannot begin.
    ended.catch(reject);
  });
}
