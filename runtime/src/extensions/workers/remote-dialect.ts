import { createHash } from 'node:crypto';
import type { ChangeFeed, FeedListener, WatchedTable } from '../../dialect/change-feed.js';
import type { Dialect } from '../../dialect/dialect.js';
import { RemoteFailure, type Channel } from './channel.js';
import { notify, parseBatch } from './feed-text.js';

/** The dialect of a worker, and what the parent sends for it. */
export interface RemoteDialect {
  readonly dialect: Dialect;
  /** Takes a batch of events of a feed. */
  readonly receive: (text: string) => void;
}

/** A dialect whose catalogue and whose feed are read by the parent, once for all workers. */
export function remoteDialect(own: Dialect, channel: Channel): RemoteDialect {
  const listeners = new Map<string, FeedListener>();
  const { live } = own;
  const dialect: Dialect = {
    ...own,
    outage: (error) =>
      error instanceof RemoteFailure ? (error.failure.outage as ReturnType<Dialect['outage']>) : own.outage(error),
    lacks: (error) => (error instanceof RemoteFailure ? error.failure.lacks === true : own.lacks?.(error) === true),
    changeFeeds: async () => {
      const feeds = await own.changeFeeds();
      return {
        ...feeds,
        // The own feed says whether the database has this source. It is not started.
        createChangeFeed: (url, settings, watched, driver) =>
          feeds.createChangeFeed(url, settings, watched, driver) && remoteFeed(watched, channel, listeners),
      };
    },
    ...(live === undefined
      ? {}
      : {
          live: {
            parse: live.parse,
            probe: (_driver, schemas) => channel.ask('probe', schemas ?? null),
            read: (_driver, schemas) => channel.ask('read', schemas ?? null),
            ...(live.otherSchemas === undefined
              ? {}
              : { otherSchemas: (_driver, schemas) => channel.ask('otherSchemas', schemas) }),
          },
        }),
  };
  return {
    dialect,
    receive: (text) => {
      const { key, events } = parseBatch(text);
      const listener = listeners.get(key);
      if (listener === undefined) return;
      for (const event of events) notify(listener, event);
    },
  };
}

function remoteFeed(
  tables: readonly WatchedTable[],
  channel: Channel,
  listeners: Map<string, FeedListener>,
): ChangeFeed {
  const key = createHash('sha256').update(JSON.stringify(tables)).digest('base64');
  return {
    start: (listener) => {
      listeners.set(key, listener);
      channel.tell('watch', { key, tables });
    },
    check: () => {
      channel.tell('check', null);
      return Promise.resolve();
    },
    close: () => {
      if (listeners.delete(key)) channel.tell('unwatch', key);
      return Promise.resolve();
    },
  };
}
