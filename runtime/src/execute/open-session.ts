import type { Driver, Identity } from '../dialect/driver.js';
import { Frame } from './own/frame.js';
import type { SharedSession } from './own/shared-session.js';
import type { Services } from './services.js';
import type { DoneWrite, WriteSession } from './write-session.js';

/**
 * A transaction as generated writes, hooks and handles share it.
 * @param done takes the writes to report after the commit
 */
export function openSession(
  { driver, dialect, settings }: Pick<Services, 'driver' | 'dialect' | 'settings'>,
  shared: SharedSession,
  identity: Identity,
  done: DoneWrite[],
  write: WriteSession['write'],
): WriteSession {
  const { run, failures } = shared;
  const within: Driver = { ...driver, run, transaction: (inside) => inside(run, shared) };
  const session: WriteSession = {
    on: driver,
    identity,
    builder: dialect.queryBuilder,
    patience: settings['app.datasource.acquire-timeout-ms'],
    failures,
    query: (statement) => shared.query(statement),
    savepoint: async () => {
      const savepoint = await shared.savepoint();
      const before = done.length;
      return {
        release: savepoint.release,
        rollback: async () => {
          await savepoint.rollback();
          done.length = before;
        },
      };
    },
    abandon: (error) => failures.push(error),
    driver: within,
    write,
    record: (each) => done.push(each),
    get frame() {
      return frame;
    },
  };
  const frame = new Frame(session);
  return session;
}
