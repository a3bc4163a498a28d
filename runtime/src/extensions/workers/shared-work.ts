import { Occasions, type Trigger } from '../../drift/occasions.js';
import type { Dialect } from '../../dialect/dialect.js';
import type { Driver } from '../../dialect/driver.js';
import type { Observer } from '../../observe/observation.js';
import { type Policy, type RateStore, createRateStore, policiesOf } from '../rates/index.js';
import type { Settings } from '../../settings/settings.js';
import type { Handlers } from './channel.js';
import type { Member } from './member.js';
import { ParentCatalog } from './parent-catalog.js';
import { ParentFeeds } from './parent-feeds.js';
import type { RateQuestion } from './protocol.js';

/** What the parent does once for all workers. */
export interface SharedWork {
  readonly handlers: (member: () => Member) => Handlers;
  /** Begins with the checks of the database. */
  readonly start: () => void;
  readonly ended: (member: Member) => void;
  readonly close: () => Promise<void>;
}

/**
 * Checks of the database, the change feed, and rates that are counted in memory. Connects to the
 * database when a worker first asks. Rejects with ServerError `misconfigured`.
 * @param look passes an occasion for a check on to the workers
 */
export async function openSharedWork(
  settings: Settings,
  given: Dialect,
  observe: Observer,
  look: (trigger: Trigger) => void,
): Promise<SharedWork> {
  // One connection reads the catalogue, with the rights of the workers, which report their servers.
  const own = { ...settings, 'app.datasource.pool-size': 1 };
  const notServers: Observer = (seen) => {
    if (seen.kind !== 'server') observe(seen);
  };
  const replicated =
    (settings['app.datasource.replicas'] ?? []).length === 0
      ? undefined
      : (await import('../replicas/index.js')).openReplicated(given, own, 1, notServers);
  // Only one cluster says which server is the primary: the catalogue is read where the announcement
  // of a change has come from.
  const open = (): Driver =>
    replicated === undefined
      ? given.createDriver(settings['app.datasource.url'] ?? '', own, 1, notServers)
      : withoutEnd(replicated.driver);
  const driver = replicated?.driver ?? open();
  const dialect = replicated?.dialect(given) ?? given;
  const { live } = dialect;
  const catalog = live === undefined ? undefined : new ParentCatalog(live, dialect, open);
  const occasions = live === undefined ? undefined : new Occasions(live, settings, observe, look);
  const feeds = await openFeeds(settings, dialect, driver);
  const counts = new Map<string, Counts>();
  /** Workers of changed code may have other rates: those count apart. */
  const countsOf = ({ rates }: RateQuestion): Counts => {
    const key = JSON.stringify(rates);
    const policies = policiesOf(rates);
    const found = counts.get(key) ?? { policies, store: createRateStore(policies, 'memory', observe) };
    counts.set(key, found);
    return found;
  };
  return {
    handlers: (member) => ({
      tell: {
        watch: (watch) => feeds?.watch(member(), watch),
        unwatch: (key) => feeds?.unwatch(member(), key),
        check: () => void feeds?.check(),
      },
      ask: {
        ...(catalog === undefined
          ? {}
          : { probe: catalog.probe, read: catalog.read, otherSchemas: catalog.otherSchemas }),
        take: async (question) => {
          const { policies, store } = countsOf(question);
          const policy = policies[question.policy];
          if (policy === undefined) throw new TypeError('There is no such policy.');
          return (await store).take(policy, question.key, question.points);
        },
      },
      ...(catalog === undefined ? {} : { failureOf: catalog.failureOf }),
    }),
    start: () => occasions?.start(),
    ended: (member) => feeds?.left(member),
    close: async () => {
      await Promise.allSettled([occasions?.stop(), feeds?.close(), catalog?.close(), driver.close(0)]);
      for (const { store } of counts.values()) (await store).close();
    },
  };
}

interface Counts {
  readonly policies: readonly Policy[];
  readonly store: Promise<RateStore>;
}

/** A driver that somebody else closes. */
const withoutEnd = (driver: Driver): Driver => ({
  run: (...given) => driver.run(...given),
  transaction: (...given) => driver.transaction(...given),
  ping: () => driver.ping(),
  close: () => Promise.resolve(),
});

async function openFeeds(settings: Settings, dialect: Dialect, driver: Driver): Promise<ParentFeeds | undefined> {
  if (settings['app.changes.source'] === 'off') return undefined;
  const { createFeedMaker } = await import('../../server/change-hub.js');
  // Only a database in the process itself reads its feed on the driver.
  return new ParentFeeds(await createFeedMaker(settings, await dialect.changeFeeds(), driver));
}
