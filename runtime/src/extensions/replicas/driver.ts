import { LRUCache } from 'lru-cache';
import type { Dialect } from '../../dialect/dialect.js';
import type { CustomSession, Driver, RunOptions } from '../../dialect/driver.js';
import type { Replication } from '../../dialect/replication.js';
import { ServerError } from '../../errors.js';
import type { PoolStats } from '../../observe/pool-stats.js';
import type { BoundStatement, RawRow } from '../../plan/statement.js';
import type { DatabaseCluster } from './cluster.js';
import type { ReplicaServer } from './server.js';

/** Counts of reads that replicas may answer. */
export interface ReadCounts {
  /** Answered by a replica, at once or after a wait. */
  replica: number;
  waited: number;
  /** Answered by the primary: no replica was in time, or the read failed at one. */
  primary: number;
  repeated: number;
}

type Run<T> = (driver: Driver, options: RunOptions) => Promise<T>;

/**
 * A driver for a database with replicas. Reads of requests (`RunOptions.version`) go to replicas,
 * everything else to the primary. Work that has begun at a server is repeated only if it reads.
 */
export class ReplicatedDriver implements Driver {
  readonly counts: ReadCounts = { replica: 0, waited: 0, primary: 0, repeated: 0 };
  /** The statements that replicas refuse: they call functions that write, for example. */
  readonly #refused = new LRUCache<string, true>({ max: 1_000 });

  constructor(
    readonly cluster: DatabaseCluster,
    private readonly dialect: Pick<Dialect, 'outage'>,
    private readonly replication: Replication,
  ) {}

  run(statements: readonly BoundStatement[], options: RunOptions = {}): Promise<readonly RawRow[]> {
    const run: Run<readonly RawRow[]> = (driver, given) => driver.run(statements, given);
    if (options.write === true)
      return this.#write(run, options, (error) => hasNotBegun(error) || this.#refusesWrites(error));
    const { version } = options;
    if (version === undefined || version.isWriting) return this.#atPrimary((server) => run(server.driver, options));
    const text = statements.at(-1)?.text ?? '';
    return this.#read(run, text, options, version.seen);
  }

  transaction<T>(
    work: (run: Driver['run'], custom: CustomSession) => Promise<T>,
    options: RunOptions = {},
  ): Promise<T> {
    let isCalled = false;
    const called: typeof work = (...session) => {
      isCalled = true;
      return work(...session);
    };
    return this.#write(
      (driver, given) => driver.transaction(called, given),
      options,
      (error) => !isCalled && hasNotBegun(error),
    );
  }

  /** Resolves if a server can answer reads. */
  async ping(): Promise<void> {
    await this.cluster.begin();
    const { primary } = this.cluster;
    try {
      // A server may answer, and refuse all requests.
      if (primary.failure instanceof Error) throw primary.failure;
      await primary.driver.ping();
    } catch (error) {
      if (this.cluster.pick(undefined) === undefined) throw error;
    }
  }

  readonly stats = (): PoolStats => {
    const sum = { size: 0, open: 0, idle: 0, waiting: 0, prepared: 0 };
    for (const { driver } of this.cluster.servers) {
      const { size = 0, open = 0, idle = 0, waiting = 0, prepared = 0 } = driver.stats?.() ?? {};
      sum.size += size;
      sum.open += open;
      sum.idle += idle;
      sum.waiting += waiting;
      sum.prepared += prepared;
    }
    return sum;
  };

  close(grace?: number): Promise<void> {
    return this.cluster.close(grace);
  }

  async #read<T>(run: Run<T>, text: string, options: RunOptions, seen: ReadFrom): Promise<T> {
    const server = this.#refused.has(text) ? undefined : await this.#replicaFor(seen);
    if (server === undefined) {
      this.counts.primary += 1;
      return this.#atPrimary((primary) => run(primary.driver, options), { seen });
    }
    try {
      const answer = await run(server.driver, options);
      this.counts.replica += 1;
      return answer;
    } catch (error) {
      const fails = this.replication.failsThere(error);
      if (fails === undefined || options.signal?.aborted === true) throw error;
      if (fails === 'always') this.#refused.set(text, true);
      if (this.#isOutage(error)) void this.cluster.seek();
      this.counts.repeated += 1;
      return this.#atPrimary((primary) => run(primary.driver, options), { seen });
    }
  }

  async #replicaFor(seen: ReadFrom): Promise<ReplicaServer | undefined> {
    const found = this.cluster.pick(seen);
    if (found !== undefined || seen === undefined) return found;
    const awaited = await this.cluster.await(seen);
    if (awaited !== undefined) this.counts.waited += 1;
    return awaited;
  }

  #write<T>(run: Run<T>, options: RunOptions, mayRepeat: (error: unknown) => boolean): Promise<T> {
    const { version } = options;
    if (version === undefined) return this.#atPrimary(({ driver }) => run(driver, options), { mayRepeat });
    version.isWriting = true;
    return this.#atPrimary(
      (server) => {
        const committed = (told: string): void => {
          const position = server.state?.positionOf(told);
          if (position === undefined) return;
          this.cluster.wrote(position, server);
          version.wrote(position);
        };
        return run(server.driver, { ...options, committed, position: server.state?.committed });
      },
      { mayRepeat, seen: version.seen },
    );
  }

  /** If the primary fails, looks for another one, and repeats what may be repeated there. */
  async #atPrimary<T>(
    work: (server: ReplicaServer) => Promise<T>,
    { seen, mayRepeat = () => true }: AtPrimary = {},
  ): Promise<T> {
    if (!this.cluster.hasBegun) await this.cluster.begin();
    const { primary } = this.cluster;
    try {
      return await work(await this.cluster.enter(seen));
    } catch (error) {
      if (!this.#isOutage(error)) throw error;
      await this.cluster.seek();
      if (this.cluster.primary === primary || !mayRepeat(error)) throw error;
      return work(await this.cluster.enter(seen));
    }
  }

  #refusesWrites(error: unknown): boolean {
    return this.replication.refusesWrites?.(error) === true;
  }

  /** A server that is gone, or that no longer takes writes. A full pool is neither. */
  #isOutage(error: unknown): boolean {
    if (this.#refusesWrites(error)) return true;
    if (error instanceof ServerError) return error.status === 503 && error.cause !== undefined;
    return this.dialect.outage(error) !== undefined;
  }
}

interface AtPrimary {
  readonly seen?: ReadFrom;
  /** Default: always. */
  readonly mayRepeat?: (error: unknown) => boolean;
}

type ReadFrom = Parameters<DatabaseCluster['pick']>[0];

const hasNotBegun = (error: unknown): boolean => error instanceof ServerError && error.hasNotBegun;
