import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { Driver } from '../../../runtime/src/dialect/driver.js';
import type { DerivedModel } from '../../../runtime/src/drift/derive.js';
import { Follower, type Followed } from '../../../runtime/src/drift/follower.js';
import { Refusal } from '../../../runtime/src/drift/refusal.js';
import { ServerError } from '../../../runtime/src/errors.js';
import { buildModel } from '../../../runtime/src/generator.js';
import type { Observation } from '../../../runtime/src/observe/observation.js';
import { catalog } from '../../support/catalog.js';
import { settingsWith } from '../../support/settings.js';

const minute = 60_000;
const changed: DerivedModel = { model: buildModel(catalog({})), openapi: () => Promise.resolve(Buffer.of()) };
const driver: Driver = {
  run: () => Promise.reject(new Error('Nothing is asked of the driver.')),
  transaction: () => Promise.reject(new Error('Nothing is asked of the driver.')),
  ping: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

/** A follower of a database whose catalogue is a text: each new text is a change. */
class Bench {
  catalogue = 'first';
  looks = 0;
  /** Whether the current look has read the catalogue; after that it probes once more. */
  private hasRead = false;
  /** Called when a look begins to read. */
  reading: () => void = () => undefined;
  /** The error of the swap, if any. */
  refusal: Error | undefined;
  /** The error of querying the database, if any. */
  outage: Error | undefined;
  readonly seen: Observation[] = [];
  readonly swapped: boolean[] = [];
  notify: () => void = () => undefined;
  opened: () => void = () => undefined;

  readonly follower = new Follower({
    live: {
      parse: () => {
        throw new Error('Nothing is parsed here.');
      },
      probe: () => {
        if (!this.hasRead) this.looks += 1;
        this.hasRead = false;
        return this.outage === undefined ? Promise.resolve(this.catalogue) : Promise.reject(this.outage);
      },
      read: () => {
        this.hasRead = true;
        this.reading();
        return Promise.resolve(this.catalogue);
      },
      listen: (_url, _settings, { announced, opened }) => {
        [this.notify, this.opened] = [announced, opened];
        return { close: () => Promise.resolve() };
      },
    },
    driver,
    dialect: { outage: (error) => (error === this.outage ? 'connection lost' : undefined) },
    settings: settingsWith({ 'app.datasource.url': 'postgres://nobody@nowhere/none' }),
    observe: (observation) => this.seen.push(observation),
    schemas: undefined,
    fingerprint: 'first',
    derive: (text, { served = 'first' }) =>
      Promise.resolve({ fingerprint: text, served, changed: text === served ? undefined : changed }),
    swap: (_changed, again) => {
      this.swapped.push(again);
      return this.refusal === undefined ? Promise.resolve([]) : Promise.reject(this.refusal);
    },
    settled: () => undefined,
    lookUp: () => Promise.resolve(),
    checked: () => Promise.resolve(),
    exit: () => undefined,
  } satisfies Followed);

  states(): readonly string[] {
    return this.seen.map((each) => (each.kind === 'schema' ? each.state : each.kind));
  }

  /** Minutes until the next look. */
  async untilNextLook(): Promise<number> {
    const before = this.looks;
    for (let seconds = 1; seconds <= 40 * 60; seconds += 1) {
      await jest.advanceTimersByTimeAsync(1000);
      if (this.looks > before) return Math.round(seconds / 6) / 10;
    }
    throw new Error('There was no other look.');
  }
}

let bench: Bench;

beforeEach(async () => {
  jest.useFakeTimers();
  bench = new Bench();
  bench.follower.start();
  await jest.advanceTimersByTimeAsync(2_000);
  expect(bench.looks).toBe(1);
});
afterEach(async () => {
  await bench.follower.stop();
  // Other code of the worker may have timers of its own.
  const { looks } = bench;
  await jest.advanceTimersByTimeAsync(24 * 60 * 60_000);
  expect(bench.looks).toBe(looks);
  jest.useRealTimers();
});

test('a change that cannot be served is tried again after 1, 2, 4 … 30 minutes, and told once', async () => {
  [bench.catalogue, bench.refusal] = ['second', new Refusal('The table s.t is gone.', 'Build again.')];
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(bench.follower.state).toEqual({ state: 'stale', reason: 'The table s.t is gone.' });
  const pauses: number[] = [];
  for (let at = 0; at < 4; at += 1) pauses.push(await bench.untilNextLook());
  expect(pauses).toEqual([1, 2, 4, 8]);
  expect(bench.states()).toEqual(['stale']);
  bench.refusal = undefined;
  expect(await bench.untilNextLook()).toBeLessThanOrEqual(16);
  expect(bench.states()).toEqual(['stale', 'current', 'followed']);
  expect(bench.follower.state).toEqual({ state: 'followed' });
});

test('another cause is told, too; what settles begins with one minute again', async () => {
  [bench.catalogue, bench.refusal] = ['second', new Refusal('One reason.', '')];
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(await bench.untilNextLook()).toBe(1);
  bench.refusal = new Error('Another reason.');
  expect(await bench.untilNextLook()).toBe(2);
  expect(bench.states()).toEqual(['stale', 'stale']);
  expect(bench.follower.state).toEqual({
    state: 'stale',
    reason: 'The changed schema cannot be served: Another reason.',
  });
  bench.catalogue = 'first';
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(bench.follower.state).toEqual({ state: 'generated' });
  [bench.catalogue, bench.refusal] = ['third', new Refusal('One reason.', '')];
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(await bench.untilNextLook()).toBe(1);
});

test('looks that fail in between do not add retries', async () => {
  [bench.catalogue, bench.refusal] = ['second', new Refusal('No.', '')];
  for (let at = 0; at < 5; at += 1) {
    bench.notify();
    await jest.advanceTimersByTimeAsync(0);
  }
  // After five failed looks the pause is the fifth one: 16 minutes.
  const looks = bench.looks;
  await jest.advanceTimersByTimeAsync(15 * minute);
  expect(bench.looks).toBe(looks);
  await jest.advanceTimersByTimeAsync(minute);
  expect(bench.looks).toBe(looks + 1);
});

test('a database that is away is no failure of a change: the next look is in a minute, and nothing is told', async () => {
  bench.outage = new ServerError(503, '08006', 'The database is away.');
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(await bench.untilNextLook()).toBe(1);
  expect(await bench.untilNextLook()).toBe(1);
  expect(bench.seen).toEqual([]);
  expect(bench.follower.state).toEqual({ state: 'generated' });
});

test('failing statements lead to one look in ten seconds, and to another one at their end', async () => {
  for (let at = 0; at < 30; at += 1) bench.follower.notice('failure');
  await jest.advanceTimersByTimeAsync(0);
  expect(bench.looks).toBe(2);
  bench.follower.notice('failure');
  await jest.advanceTimersByTimeAsync(9_000);
  expect(bench.looks).toBe(2);
  await jest.advanceTimersByTimeAsync(2_000);
  expect(bench.looks).toBe(3);
  await jest.advanceTimersByTimeAsync(9_000);
  expect(bench.looks).toBe(3);
});

test('after a change that was followed a failing statement leads to a look at once', async () => {
  bench.catalogue = 'second';
  await bench.follower.lookNow('failure');
  expect(bench.follower.state).toEqual({ state: 'followed' });
  bench.catalogue = 'third';
  await bench.follower.lookNow('failure');
  expect(bench.states()).toEqual(['followed', 'followed']);
});

test('a connection that listens after the first look, or again, leads to a look', async () => {
  for (const looks of [2, 3]) {
    bench.opened();
    await jest.advanceTimersByTimeAsync(0);
    expect(bench.looks).toBe(looks);
  }
});

test('a connection that listens before the first look leads to none of its own', async () => {
  const early = new Bench();
  early.follower.start();
  early.opened();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(early.looks).toBe(0);
  await jest.advanceTimersByTimeAsync(1_000);
  expect(early.looks).toBe(1);
  early.opened();
  await jest.advanceTimersByTimeAsync(0);
  expect(early.looks).toBe(2);
  await early.follower.stop();
});

test('statements of an old API that failed take no look from those of the new one', async () => {
  bench.catalogue = 'second';
  for (let at = 0; at < 2; at += 1) bench.follower.notice('failure');
  await jest.advanceTimersByTimeAsync(11_000);
  expect(bench.states()).toEqual(['followed']);
  bench.catalogue = 'third';
  await bench.follower.lookNow('failure');
  expect(bench.states()).toEqual(['followed', 'followed']);
});

test('a statement that fails during a look has another one, which its request waits for', async () => {
  bench.notify();
  const waited = bench.follower.lookNow('failure');
  bench.catalogue = 'second';
  await waited;
  expect(bench.looks).toBe(3);
  expect(bench.follower.state).toEqual({ state: 'followed' });
});

test('a catalogue that is read in the middle of a change is read again', async () => {
  bench.catalogue = 'second';
  bench.reading = () => {
    bench.catalogue = 'without the table that is being altered';
    bench.reading = () => undefined;
    void Promise.resolve().then(() => (bench.catalogue = 'third'));
  };
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(bench.swapped).toHaveLength(1);
  expect(bench.seen.filter(({ kind }) => kind === 'schema')).toMatchObject([{ fingerprint: 'third' }]);
});

test('a catalogue that never rests is served as it was read last', async () => {
  let version = 0;
  bench.reading = () => {
    version += 1;
    bench.catalogue = `version ${String(version)}`;
  };
  bench.catalogue = 'second';
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(version).toBe(5);
  expect(bench.seen.filter(({ kind }) => kind === 'schema')).toMatchObject([{ fingerprint: 'version 5' }]);
});

test('a change between the probe and the reading that is taken back is noticed', async () => {
  bench.catalogue = 'second';
  bench.reading = () => {
    bench.catalogue = 'third';
  };
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(bench.swapped).toHaveLength(1);
  bench.reading = () => undefined;
  // The probe at the end of the previous look has already reported this catalogue.
  bench.catalogue = 'second';
  bench.notify();
  await jest.advanceTimersByTimeAsync(0);
  expect(bench.swapped).toHaveLength(2);
});
