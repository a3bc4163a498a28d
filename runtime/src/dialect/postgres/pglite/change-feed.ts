import { tableKey, type ChangeFeed, type WatchedTable } from '../../change-feed.js';
import type { Driver } from '../../driver.js';
import { missingFrom, readSourceFacts, type Ask } from '../changes/facts.js';
import { createFeed } from '../../feed-session.js';
import { feedErrors } from '../changes/errors.js';
import { receiveNotification } from '../changes/notify-feed.js';
import { publication } from '../changes/publication.js';
import { notifyChannel } from '../changes/sql.js';

/** A driver of a database in this process, which can also listen on its only session. */
export interface ListeningDriver extends Driver {
  /** Returns a function that ends listening. */
  readonly listen: (channel: string, receive: (payload: string) => void) => Promise<() => Promise<void>>;
}

const canListen = (driver: Driver): driver is ListeningDriver => 'listen' in driver;

/**
 * The feed of a database in this process: it has no log that can be read, so triggers report the
 * changes.
 */
export function createPgliteFeed(driver: Driver, watched: readonly WatchedTable[]): ChangeFeed | undefined {
  if (!canListen(driver)) return undefined;
  const known = new Map(watched.map((table) => [tableKey(table), table]));
  return createFeed(async (listener) => {
    const check = async (): Promise<void> => {
      const { secured, triggered } = await readSourceFacts(askDriver(driver), publication);
      listener.secured(secured);
      listener.unreported(missingFrom(watched, triggered));
    };
    await check();
    const stop = await driver.listen(notifyChannel, (payload) => {
      receiveNotification(payload, known, listener);
    });
    let end: (reason: Error) => void = () => undefined;
    const ended = new Promise<never>((_, reject) => {
      end = reject;
    });
    ended.catch(() => undefined);
    return {
      ended,
      check,
      close: () => {
        end(new Error('The feed is closed.'));
        void stop().catch(() => undefined);
      },
    };
  }, feedErrors);
}

/** Drivers return texts, so rows are queried as JSON. */
const askDriver =
  (driver: Driver): Ask =>
  async (text, values) => {
    const rows = await driver.run([{ text: `select row_to_json(q)::text from (${text}) as q`, values }]);
    return rows.map(([row]): unknown => JSON.parse(row ?? 'null'));
  };
