import { setTimeout as sleep } from 'node:timers/promises';
import { encodingHint, isBrokerAddress } from '../certain-address.js';
import type { ChangeFeed, WatchedTable } from '../dialect/change-feed.js';
import type { Driver } from '../dialect/driver.js';
import type { FeedObstacle } from '../dialect/feed-session.js';
import type { Registry } from '../descriptor/registry.js';
import type { Served } from '../drift/served.js';
import { misconfigured } from '../errors.js';
import { ChangeHub, type Changes, type HubServices } from '../events/hub.js';
import { hasChanges } from '../schema/changes-shape.js';
import type { Settings } from '../settings/settings.js';
import type { ChangeFeeds, Dialect } from '../dialect/dialect.js';
import type { Api } from './api.js';

export interface ChangeHubOptions extends Omit<HubServices, 'registry' | 'dialect'> {
  readonly dialect: Dialect;
  readonly database: Driver;
  /** Makes the hub, instead of one at `database`. */
  readonly makeHub?: HubMaker | undefined;
}

/**
 * Makes a hub of databases other than the server's own.
 * @param feedsAt makes what makes the feed of the served tables, at one of them
 */
export type HubMaker = (services: HubServices, feedsAt: FeedsAt) => Promise<FollowingHub>;

/** Rejects with ServerError `misconfigured`. */
export type FeedsAt = (settings: Settings, dialect: Dialect, database: Driver) => Promise<() => ChangeFeed | undefined>;

export interface FollowingHub {
  readonly hub: Changes;
  /** Opens all subscriptions again. @param hasOthers whether the API watches other tables */
  readonly followTables: (hasOthers: boolean) => void;
}

/** The hub of a server, for the API that it currently serves. */
export interface ServedHub {
  readonly hub: Changes;
  /** Gives the hub the tables of every API that replaces the served one. */
  readonly follow: (api: Served<Api>) => void;
}

/**
 * Milliseconds that the start waits to learn whether the database reports changes. If the database
 * cannot be reached, the feed finds out when it connects.
 */
const TIMEOUT_MS = 1_000;

/**
 * The hub of subscriptions; undefined if the database cannot report changes.
 * @param first the tables that are served at the start
 * Rejects with ServerError `misconfigured`.
 */
export async function createChangeHub(options: ChangeHubOptions, first: Registry): Promise<ServedHub | undefined> {
  const { settings, observe } = options;
  const source = settings['app.changes.source'];
  const feeds = await options.dialect.changeFeeds();
  const feedOf = await createFeedMaker(settings, feeds, options.database);
  const feed = feedOf(watchedIn(first));
  if (feed === undefined) {
    observe({
      kind: 'warning',
      message: `This database has no change feed of the kind ${source}, so that there are no subscriptions.`,
      hint: 'Set app.changes.source to another kind, or to off.',
    });
    return undefined;
  }
  const obstacle = await obstacleOf(feeds, settings);
  if (obstacle !== undefined) {
    observe({
      kind: 'warning',
      message: `There are no subscriptions. ${obstacle.message}`,
      hint: `${obstacle.hint} Then start this server again.`,
    });
    return undefined;
  }
  let registry = first;
  const services: HubServices = {
    ...options,
    get registry() {
      return registry;
    },
  };
  const feedsAt: FeedsAt = async (own, dialect, database) => {
    const make = await createFeedMaker(own, await dialect.changeFeeds(), database);
    return () => make(watchedIn(registry));
  };
  const { hub, followTables } =
    (await options.makeHub?.(services, feedsAt)) ?? ownHub(services, feed, () => feedOf(watchedIn(registry)));
  return {
    hub,
    follow: (api) => {
      api.onSwap(({ served }) => {
        const isSame = watchedKey(served) === watchedKey(registry);
        registry = served;
        followTables(!isSame);
      });
    },
  };
}

function ownHub(services: HubServices, feed: ChangeFeed, makeFeed: () => ChangeFeed | undefined): FollowingHub {
  const hub = new ChangeHub(services, feed);
  return {
    hub,
    followTables: (hasOthers) => void hub.follow(hasOthers ? makeFeed() : undefined),
  };
}

async function obstacleOf(feeds: ChangeFeeds, settings: Settings): Promise<FeedObstacle | undefined> {
  const url = settings['app.datasource.url'];
  if (url === undefined) return undefined;
  const ended = new AbortController();
  const asked = feeds.changesObstacle(url, settings).catch(() => undefined);
  try {
    return await Promise.race([asked, sleep(TIMEOUT_MS, undefined, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}

/** Makes the feed of tables; undefined if the database has no such source. */
export type FeedMaker = (watched: readonly WatchedTable[]) => ChangeFeed | undefined;

/** Rejects with ServerError `misconfigured`. */
export async function createFeedMaker(settings: Settings, feeds: ChangeFeeds, database: Driver): Promise<FeedMaker> {
  const share = await sharing(settings);
  const url = settings['app.datasource.url'];
  return (watched) => {
    const feed = url === undefined ? undefined : feeds.createChangeFeed(url, settings, watched, database);
    return feed === undefined ? undefined : share(feed);
  };
}

const watchedIn = ({ tables }: Registry) =>
  tables.filter(hasChanges).map(({ schema, name, primaryKey }) => ({ schema, name, key: primaryKey?.columns ?? [] }));

const watchedKey = (registry: Registry): string => JSON.stringify(watchedIn(registry));

type Share = (feed: ChangeFeed) => ChangeFeed;

/**
 * Returns a function that passes a feed on to several processes over a broker (`app.changes.hub`),
 * or returns it unchanged.
 * Rejects with ServerError `misconfigured`.
 */
async function sharing(settings: Settings): Promise<Share> {
  const hub = settings['app.changes.hub'];
  if (hub === 'none') return (feed) => feed;
  const url = settings['app.changes.hub-url'];
  if (url === undefined || !isBrokerAddress(url))
    throw misconfigured(
      `app.changes.hub is ${hub}, but app.changes.hub-url is not an address.`,
      `Set it to nats://host:4222 or redis://host:6379. ${encodingHint}`,
    );
  const subject = settings['app.changes.hub-subject'];
  const { createSharedFeed } = await import('../events/shared-feed.js');
  const createBroker =
    hub === 'nats'
      ? (await import('../events/brokers/nats.js')).natsBroker
      : (await import('../events/brokers/redis.js')).redisBroker;
  return (feed) => createSharedFeed(feed, createBroker(url, subject));
}
