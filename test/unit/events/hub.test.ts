import type { ChangeFeed, FeedListener } from '../../../runtime/src/dialect/change-feed.js';
import { postgres } from '../../../runtime/src/dialect/postgres/dialect.js';
import { ServerError, codes } from '../../../runtime/src/errors.js';
import type { Receiver } from '../../../runtime/src/events/group.js';
import { ChangeHub } from '../../../runtime/src/events/hub.js';
import type { ChangeSource } from '../../../runtime/src/events/source.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { catalog, column, table } from '../../support/catalog.js';
import { describeCatalog } from '../../support/describe-database.js';
import { tableOf } from '../../support/registry.js';
import { settingsWith } from '../../support/settings.js';

/** What a hub does when a part of a change of the API fails: the rest goes on. */

const { registry } = describeCatalog(catalog({ tables: [table('app.facts', [column('id', 'int4')])] }));

function openHub(feed: ChangeFeed): { readonly hub: ChangeHub; readonly observed: Observation[] } {
  const observed: Observation[] = [];
  const driver = { run: () => Promise.resolve([]) };
  const observe = (observation: Observation): unknown => observed.push(observation);
  const hub = new ChangeHub({ registry, settings: settingsWith(), dialect: postgres, driver, observe }, feed);
  hub.start();
  return { hub, observed };
}

/** A feed of which a test keeps the listener. */
function fakeFeed(close = (): Promise<void> => Promise.resolve()): ChangeFeed & { listener?: FeedListener } {
  const feed: ChangeFeed & { listener?: FeedListener } = {
    start: (listener) => {
      feed.listener = listener;
    },
    check: () => Promise.resolve(),
    close,
  };
  return feed;
}

const source = (key: string): ChangeSource => ({
  table: tableOf(registry, 'appFacts'),
  operations: undefined,
  statement: { text: '', slots: [] },
  inputs: {},
  rowCount: 1,
  formerCount: 0,
  key,
  reads: undefined,
  isFiltered: false,
  write: ({ operation }) => operation,
});

function receiver(): Receiver & { readonly sent: string[]; readonly failures: ServerError[] } {
  const [sent, failures]: [string[], ServerError[]] = [[], []];
  return { sent, failures, next: (payload) => sent.push(payload), fail: (error) => failures.push(error) };
}

test('a feed that cannot be closed is replaced all the same', async () => {
  const failure = new Error('It does not end.');
  const { hub, observed } = openHub(fakeFeed(() => Promise.reject(failure)));
  const next = fakeFeed();
  await hub.follow(next);
  expect(observed).toContainEqual({ kind: 'failure', error: failure });
  expect(next.listener).toBeDefined();
});

test('a subscription that fails as it is opened again ends alone', async () => {
  const { hub, observed } = openHub(fakeFeed());
  const [broken, refused, whole] = [receiver(), receiver(), receiver()];
  hub.subscribe(source('broken'), {}, broken, () => {
    throw new Error('Not this one.');
  });
  hub.subscribe(source('refused'), {}, refused, () => undefined);
  hub.subscribe(source('whole'), {}, whole, () => source('again'));
  await hub.follow(undefined);
  expect(broken.failures.map(({ code }) => code)).toEqual([codes.internal]);
  expect(observed).toContainEqual({ kind: 'failure', error: new Error('Not this one.') });
  expect([refused.failures, whole.failures]).toEqual([[], []]);
  expect(hub.size).toEqual({ subscribers: 1, groups: 1 });
});
