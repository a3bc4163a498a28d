import { covers, type Position } from '../../dialect/position.js';
import { databaseUnavailable } from '../../dialect/unavailable.js';
import { ServerError } from '../../errors.js';
import { inTime } from '../../in-time.js';
import type { Observer } from '../../observe/observation.js';
import { TIMEOUT_MS, tooSlow, type ReplicaServer, type ServerUse } from './server.js';

/** Milliseconds between two looks at all servers: usually, and while a replica is behind. */
const LOOK_INTERVAL_MS = 1_000;
const SHORT_INTERVAL_MS = 200;

/** Milliseconds that a look waits for slow servers. */
const SLOW_MS = 250;

/** The most samples: beyond them, the second oldest is forgotten. */
const MAX_SAMPLES = 600;

/** A server as health and metrics show it: by its number, without its address. */
export interface ServerHealth {
  readonly server: number;
  readonly state: ServerUse;
  readonly lagMs?: number;
}

export interface ClusterLimits {
  readonly maxLag: number;
  readonly maxWait: number;
}

/**
 * The servers of a database: which one is the primary, and which replicas may answer reads. The lag
 * of a replica is the age of the oldest sample of the primary's position that it does not have: the
 * time of its last change says nothing while nobody writes.
 */
export class DatabaseCluster {
  primary: ReplicaServer;
  #term = 0;
  #system: string | undefined;
  #samples: { readonly at: number; readonly position: Position }[] = [];
  /** The newest position that this process has written. */
  #written: Position | undefined;
  /** Replicas that lack this do not answer: their schema may be older than the served one. */
  #floor: Position | undefined;
  #turn = 0;
  #looking: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  readonly #reported = new Map<ReplicaServer, ServerUse>();
  readonly #moved = new Set<() => void>();
  /** The primary that has what its peers acknowledged before it became the primary. */
  #entered: ReplicaServer | undefined;

  constructor(
    readonly servers: readonly [ReplicaServer, ...ReplicaServer[]],
    private readonly limits: ClusterLimits,
    private readonly observe: Observer,
  ) {
    this.primary = servers[0];
  }

  get health(): readonly ServerHealth[] {
    return this.servers.map(({ number, use, lag }) => ({
      server: number,
      state: use,
      ...(use === 'in' || use === 'behind' ? { lagMs: Math.round(lag) } : {}),
    }));
  }

  get hasBegun(): boolean {
    return this.#timer !== undefined && this.primary.state !== undefined;
  }

  /** Looks at all servers, and from then on regularly, unless that has begun. */
  async begin(): Promise<void> {
    if (!this.hasBegun) await this.#look(TIMEOUT_MS);
  }

  /** Looks for the primary, which may have failed or become a replica. */
  async seek(): Promise<void> {
    await this.#looking;
    await this.#look(SLOW_MS);
  }

  /**
   * From now on, replicas answer only if they have everything that the primary has now. Rejects
   * with ServerError if the primary does not answer.
   */
  async settle(): Promise<void> {
    const { primary } = this;
    await primary.ask();
    const { failure } = primary;
    if (primary.isAway) throw failure instanceof ServerError ? failure : databaseUnavailable(failure);
    this.#floor = primary.position;
  }

  /** Calls `moved` when another server becomes the primary. Returns a function that ends that. */
  readonly onMoved = (moved: () => void): (() => void) => {
    this.#moved.add(moved);
    return () => this.#moved.delete(moved);
  };

  /**
   * The primary, as soon as it has what a request has seen, and what another primary acknowledged
   * before. That takes time only where several servers take writes.
   */
  async enter(seen: Position | undefined): Promise<ReplicaServer> {
    const { primary } = this;
    if (primary.state?.role !== 'peer') return primary;
    const lacks = seen?.history === primary.position?.history && seen !== undefined && !this.#isKnown(seen);
    if (lacks || this.#entered !== primary) await primary.catchUp();
    this.#entered = primary;
    return primary;
  }

  wrote(position: Position, server: ReplicaServer): void {
    if (server !== this.primary) return;
    if (this.#written === undefined || !covers(this.#written, position)) this.#written = position;
  }

  /** A replica that may answer now, in turn; undefined if only the primary can. */
  pick(seen: Position | undefined): ReplicaServer | undefined {
    const { servers } = this;
    for (let tried = 0; tried < servers.length; tried += 1) {
      const server = servers[(this.#turn + tried) % servers.length];
      if (server === undefined || !this.#mayAnswer(server)) continue;
      if (seen !== undefined && !covers(server.position, seen)) continue;
      this.#turn = (this.#turn + tried + 1) % servers.length;
      return server;
    }
    return undefined;
  }

  /**
   * A replica that has `seen`, after a wait if necessary; undefined if only the primary can answer,
   * also for a position that the primary does not know.
   */
  async await(seen: Position): Promise<ReplicaServer | undefined> {
    const until = performance.now() + this.limits.maxWait;
    const candidates = this.servers.filter((server) => this.#mayAnswer(server));
    const nearest = candidates.sort((one, other) => one.lag - other.lag)[0];
    if (nearest === undefined) return undefined;
    if (!this.#isKnown(seen)) await inTime(this.primary.ask(), this.limits.maxWait, tooSlow).catch(() => undefined);
    if (!this.#isKnown(seen)) return undefined;
    const isThere = await nearest.reaches(seen, until - performance.now());
    return isThere && this.#mayAnswer(nearest) ? nearest : undefined;
  }

  async close(grace?: number): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await Promise.all(this.servers.map((server) => server.close(grace)));
  }

  #mayAnswer({ use, position }: ReplicaServer): boolean {
    return use === 'in' && (this.#floor === undefined || covers(position, this.#floor));
  }

  #isKnown(seen: Position): boolean {
    return covers(this.primary.position, seen) || covers(this.#written, seen);
  }

  #look(patience: number): Promise<void> {
    this.#looking ??= this.#lookAt(patience).finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  async #lookAt(patience: number): Promise<void> {
    clearTimeout(this.#timer);
    const all = Promise.all(this.servers.map((server) => server.ask()));
    await inTime(all, patience, tooSlow).catch(() => undefined);
    if (this.#isClosed) return;
    this.#elect();
    const now = performance.now();
    this.#sample(now);
    for (const server of this.servers) this.#judge(server, now);
    const isWorse = this.primary.isAway || this.servers.some(({ lag }) => lag > 0);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => {
        void this.#look(SLOW_MS);
      },
      isWorse ? SHORT_INTERVAL_MS : LOOK_INTERVAL_MS,
    ).unref();
  }

  /**
   * The primary is the server that takes writes, with the highest term: one with a lower term has
   * missed a promotion.
   */
  #elect(): void {
    const known = this.servers.filter(
      ({ state }) => state !== undefined && (this.#system === undefined || state.system === this.#system),
    );
    for (const { state } of known) this.#term = Math.max(this.#term, state?.term ?? 0);
    const candidates = known.filter(
      ({ state, isAway }) => !isAway && state?.role !== 'replica' && state?.term === this.#term,
    );
    const ready = candidates.filter(({ state }) => state?.isCatchingUp !== true);
    // All peers take writes: the first of the settings is the primary of all processes.
    const stays = this.primary.state?.role !== 'peer' && candidates.includes(this.primary);
    const next = stays ? this.primary : (ready[0] ?? candidates[0]);
    if (next === undefined) return;
    this.#system ??= next.state?.system;
    if (next === this.primary) return;
    this.primary = next;
    this.#samples = [];
    this.#written = this.#entered = undefined;
    if (this.#floor !== undefined) this.#floor = next.position;
    for (const moved of this.#moved) moved();
  }

  #sample(now: number): void {
    const { state, isAway } = this.primary;
    const last = this.#samples.at(-1);
    if (state === undefined || isAway || (last !== undefined && covers(last.position, state.sent))) return;
    this.#samples.push({ at: now, position: state.sent });
    if (this.#samples.length > MAX_SAMPLES) this.#samples.splice(1, 1);
    const replicas = this.servers.filter(({ use }) => use === 'in' || use === 'behind');
    while (replicas.every(({ position }) => covers(position, this.#samples[1]?.position ?? state.sent))) {
      if (this.#samples.length < 2) break;
      this.#samples.shift();
    }
  }

  #judge(server: ReplicaServer, now: number): void {
    server.use = this.#useOf(server, now);
    if (server.use !== 'in' && server.use !== 'behind') server.lag = 0;
    if (this.#reported.get(server) === server.use) return;
    this.#reported.set(server, server.use);
    const { number, use, lag, failure } = server;
    this.observe({ kind: 'server', server: number, state: use, lagMilliseconds: lag, error: failure });
  }

  #useOf(server: ReplicaServer, now: number): ServerUse {
    const { state } = server;
    if (server.isAway || state === undefined) return 'away';
    if (server === this.primary) return 'primary';
    if (state.role === 'primary') return 'fenced';
    if (state.position.history !== this.primary.position?.history) return 'diverged';
    server.lag = this.#lagOf(server, now);
    if (state.isCatchingUp === true) return 'behind';
    const { maxLag } = this.limits;
    return server.lag > (server.use === 'in' ? maxLag : maxLag / 2) ? 'behind' : 'in';
  }

  #lagOf({ position }: ReplicaServer, now: number): number {
    const missing = this.#samples.find((sample) => !covers(position, sample.position));
    if (missing !== undefined) return now - missing.at;
    return this.primary.isAway ? now - this.primary.seenAt : 0;
  }
}
