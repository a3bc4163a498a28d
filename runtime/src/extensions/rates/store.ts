import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { encodingHint, isBrokerAddress } from '../../certain-address.js';
import { misconfigured } from '../../errors.js';
import type { Observer } from '../../observe/observation.js';
import { optionalPackage } from '../../optional-package.js';
import type { Policy } from './policy.js';

/**
 * The part of the result of `rate-limiter-flexible` used here: it rejects with one for an exceeded
 * limit.
 */
interface Counted {
  readonly consumedPoints: number;
  readonly msBeforeNext: number;
}

interface Limiter {
  consume(key: string, points: number): Promise<Counted>;
  reward(key: string, points: number): Promise<Counted>;
  delete(key: string): Promise<boolean>;
}

interface LimiterOptions {
  readonly keyPrefix: string;
  readonly points: number;
  readonly duration: number;
}

/** The part of `rate-limiter-flexible` used here: most servers do not have the package. */
interface LimiterModule {
  readonly RateLimiterMemory: new (options: LimiterOptions) => Limiter;
  readonly RateLimiterRedis: new (
    options: LimiterOptions & {
      readonly storeClient: RedisClient;
      readonly useRedisPackage: true;
      readonly rejectIfRedisNotReady: true;
      readonly insuranceLimiter: Limiter;
    },
  ) => Limiter;
}

interface RedisModule {
  readonly createClient: (options: {
    readonly url: string;
    readonly disableOfflineQueue: true;
    readonly commandOptions: { readonly timeout: number };
  }) => RedisClient;
}

interface RedisClient {
  connect(): Promise<unknown>;
  on(event: 'error' | 'ready', listener: (error?: Error) => void): unknown;
  destroy(): void;
}

/** Counts what is used of policies. */
export interface RateStore {
  /** Counts, if there is room: what is refused takes nothing. */
  readonly take: (policy: Policy, key: string, points: number) => Promise<Taken>;
  readonly close: () => void;
}

export interface Taken {
  readonly exceeded: boolean;
  readonly remaining: number;
  readonly milliseconds: number;
}

/** Keys that a process keeps, of all policies together: some 30 MB. */
const MAX_KEYS = 100_000;

/** A Redis that takes longer is as good as none: requests wait for it. */
const REDIS_MS = 500;

/**
 * Creates the store: the memory of the process, or Redis, which processes share. While Redis does
 * not answer, each process counts alone. Rejects with ServerError `misconfigured` where a package
 * is missing or the address is none of Redis.
 * @param url `memory`, or the address of a Redis
 */
export async function createRateStore(policies: readonly Policy[], url: string, observe: Observer): Promise<RateStore> {
  const modules = (await load('rate-limiter-flexible', 'app.limits.rates')) as LimiterModule;
  const redis = url === 'memory' ? undefined : await connectTo(url, observe);
  const most = Math.ceil(MAX_KEYS / policies.length);
  const limiters = new Map(
    policies.map((policy) => {
      const { name, quota, rate } = policy;
      const keyPrefix = `tablewright:rate:${name}:${String(rate.seconds)}`;
      const options = { keyPrefix, points: quota, duration: rate.seconds };
      const memory = bounded(new modules.RateLimiterMemory(options), most);
      if (redis === undefined) return [policy, memory];
      const shared = { storeClient: redis, useRedisPackage: true, rejectIfRedisNotReady: true } as const;
      return [policy, new modules.RateLimiterRedis({ ...options, ...shared, insuranceLimiter: memory })];
    }),
  );
  return {
    take: async (policy, key, points) => {
      const limiter = limiters.get(policy);
      if (limiter === undefined) throw new TypeError('A policy has no limiter.');
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, points).catch(resultOf);
      const exceeded = consumedPoints > policy.quota;
      const taken = exceeded ? consumedPoints - points : consumedPoints;
      if (exceeded) await limiter.reward(key, points).catch(() => undefined);
      return { exceeded, remaining: Math.max(0, policy.quota - taken), milliseconds: Math.max(0, msBeforeNext) };
    },
    close: () => {
      redis?.destroy();
    },
  };
}

/** The package rejects for an exceeded limit, too. */
function resultOf(thrown: unknown): Counted {
  if (thrown instanceof Error) throw thrown;
  return thrown as Counted;
}

/**
 * A limiter in memory forgets its least recently used keys: one that is asked for often stays, so
 * that a flood of addresses frees none that sends much.
 */
function bounded(limiter: Limiter, most: number): Limiter {
  const used = new LRUCache<string, true>({
    max: most,
    dispose: (_, key) => {
      void limiter.delete(key);
    },
  });
  const consume = limiter.consume.bind(limiter);
  limiter.consume = (key, points) => {
    used.set(key, true);
    return consume(key, points);
  };
  return limiter;
}

async function connectTo(url: string, observe: Observer): Promise<RedisClient> {
  if (!/^rediss?:\/\//.test(url) || !isBrokerAddress(url))
    throw misconfigured(
      'app.limits.rate-store is not `memory`, and no address of a Redis.',
      `Set it to redis://host:6379. ${encodingHint}`,
    );
  const { createClient } = (await load('@redis/client', 'app.limits.rate-store')) as RedisModule;
  const client = createClient({
    url,
    disableOfflineQueue: true,
    commandOptions: { timeout: REDIS_MS },
  });
  let isKnown = false;
  client.on('error', () => {
    if (!isKnown)
      observe({
        kind: 'warning',
        message: 'The Redis of app.limits.rate-store does not answer: each process counts its requests alone.',
        hint: 'The server connects to it again on its own.',
      });
    isKnown = true;
  });
  client.on('ready', () => {
    isKnown = false;
  });
  const connected = client.connect().catch(() => undefined);
  const waited = new AbortController();
  await Promise.race([connected, sleep(REDIS_MS, undefined, waited).catch(() => undefined)]);
  waited.abort();
  return client;
}

async function load(name: string, setting: string): Promise<unknown> {
  const found = await optionalPackage(name);
  if (found !== undefined) return found;
  throw misconfigured(`${setting} needs the package ${name}, which is not installed.`, `npm install ${name}`);
}
