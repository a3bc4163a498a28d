import type { ChangeFeed } from '../../dialect/change-feed.js';
import type { Dialect } from '../../dialect/dialect.js';
import type { PrimaryAddress } from './replicas.js';
import type { Settings } from '../../settings/settings.js';

/**
 * A dialect whose change feed and announcements are those of the primary of a database with
 * replicas. After a failover both begin again at the new primary, and report a gap: nothing says
 * what happened there before.
 */
export function dialectAtPrimary(own: Dialect, primary: PrimaryAddress): Dialect {
  const { live } = own;
  const { listen } = live ?? {};
  return {
    ...own,
    changeFeeds: async () => {
      const feeds = await own.changeFeeds();
      return {
        ...feeds,
        createChangeFeed: (url, settings, watched, driver) =>
          feedAtPrimary(primary, () =>
            feeds.createChangeFeed(primary.url(), changesAt(primary.url(), url, settings), watched, driver),
          ),
      };
    },
    ...(live === undefined || listen === undefined
      ? {}
      : {
          live: {
            ...live,
            listen: (_url, settings, listener, observe) =>
              reopened(primary, () => listen(primary.url(), settings, listener, observe)),
          },
        }),
  };
}

/** @param make opens no connection yet; undefined if the database has no such feed */
function feedAtPrimary(primary: PrimaryAddress, make: () => ChangeFeed | undefined): ChangeFeed | undefined {
  if (make() === undefined) return undefined;
  let feed: ChangeFeed | undefined;
  let running: Closable | undefined;
  return {
    start: (listener) => {
      running = reopened(primary, () => {
        feed = make();
        feed?.start(listener);
        return feed;
      });
    },
    check: async () => feed?.check(),
    close: async () => running?.close(),
  };
}

interface Closable {
  close(): Promise<void>;
}

/**
 * Opens something at the primary, and again after each failover; undefined if there is nothing to
 * open.
 */
function reopened(primary: PrimaryAddress, open: () => Closable | undefined): Closable | undefined {
  let current = open();
  if (current === undefined) return undefined;
  const stop = primary.onMoved(() => {
    // The old server may not answer: nothing waits for its end.
    void current?.close();
    current = open();
  });
  return {
    close: async () => {
      stop();
      await current?.close();
    },
  };
}

/**
 * The settings with `app.changes.url` at the primary, with its own user. An address with another
 * host or port than `app.datasource.url` is not of one of the servers, and stays.
 */
function changesAt(primary: string, url: string, settings: Settings): Settings {
  const given = settings['app.changes.url'];
  if (given === undefined) return settings;
  const [changes, { hostname, port }] = [new URL(given), new URL(primary)];
  if (changes.host !== new URL(url).host) return settings;
  Object.assign(changes, { hostname, port });
  return { ...settings, 'app.changes.url': changes.href };
}
