import type { Observer } from '../../observe/observation.js';
import type { Handlers } from './channel.js';
import { Member } from './member.js';

/** Milliseconds before a worker that ended is replaced: the first pause, and the longest. */
const MIN_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** A worker that served for so long has no fault that its start repeats, in ms. */
const PROVEN_MS = 5_000;

/** So many starts that fail in a row, in so many milliseconds, end the parent. */
const MAX_FAILED = 5;
const FAILED_WITHIN_MS = 60_000;

/** Milliseconds that the first worker that is ready waits for the others. */
const TOGETHER_MS = 10_000;

/** Milliseconds that idle connections stay at a leaving worker: load balancers keep them 60 s. */
const LINGER_MS = 70_000;

export interface SupervisorOptions {
  readonly workers: number;
  /** Milliseconds that a worker has to answer its requests. */
  readonly grace: number;
  readonly observe: Observer;
  readonly handlers: (member: () => Member) => Handlers;
  readonly ready: (member: Member) => void;
  readonly ended: (member: Member) => void;
  /** No worker starts any more: why, in words. */
  readonly failed: (reason: string | undefined) => void;
}

/** A worker that serves, and what follows when it ends. */
interface Slot {
  member: Member | undefined;
  /** Deaths in a row, each soon after the start. */
  deaths: number;
  restart: NodeJS.Timeout | undefined;
}

/** Starts the workers, and replaces those that end. */
export class Supervisor {
  readonly #slots: readonly Slot[];
  readonly #members = new Set<Member>();
  #failures: readonly number[] = [];
  #wasReady = false;
  #isStopping = false;
  /** The slot whose worker a reload replaces. */
  #reloading: number | undefined;

  constructor(private readonly options: SupervisorOptions) {
    this.#slots = Array.from({ length: options.workers }, () => ({
      member: undefined,
      deaths: 0,
      restart: undefined,
    }));
  }

  private isStopping(): boolean {
    return this.#isStopping;
  }

  /** All processes, also those that leave. */
  get members(): readonly Member[] {
    return [...this.#members];
  }

  /** Resolves when all workers are ready, or the first one has waited for them long enough. */
  start(): Promise<void> {
    const started = this.#slots.map((_, at) => this.#start(at));
    return new Promise((resolve) => {
      void Promise.all(started.map(({ ready }) => ready)).then(() => {
        resolve();
      });
      void Promise.race(started.map(({ ready }) => ready)).then(() => {
        setTimeout(resolve, TOGETHER_MS).unref();
      });
    });
  }

  /**
   * Replaces the workers one after the other: each new worker is ready before the old one leaves.
   * If a new worker does not start, the reload ends, and the other workers stay as they are.
   */
  async reload(): Promise<void> {
    if (this.#reloading !== undefined || this.isStopping()) return;
    try {
      for (const [at, slot] of this.#slots.entries()) {
        this.#reloading = at;
        clearTimeout(slot.restart);
        const old = slot.member;
        const { member, ready } = this.#start(at);
        const isReady = await Promise.race([ready.then(() => true), member.ended.then(() => false)]);
        if (this.isStopping()) return;
        if (!isReady) {
          slot.member = old;
          const reason = member.failure ?? 'A new worker ended before it was ready.';
          this.options.observe({ kind: 'worker', state: 'not reloaded', worker: member.task.worker, reason });
          if (old === undefined || old.state === 'ended') this.#replace(at);
          return;
        }
        if (old !== undefined) await this.#retire(old);
      }
      this.options.observe({ kind: 'worker', state: 'reloaded' });
    } finally {
      this.#reloading = undefined;
    }
  }

  /** The address is about to close. */
  drain(): void {
    this.#isStopping = true;
    for (const { restart } of this.#slots) clearTimeout(restart);
    for (const member of this.#members) {
      // Nothing is lost with a worker that is not ready.
      if (member.state === 'starting') member.kill();
      else member.channel.tell('drain', null);
    }
  }

  /** Resolves when all workers have ended, with whether they answered all their requests. */
  async stop(): Promise<boolean> {
    const codes = await Promise.all(
      this.members.map((member) => {
        const isServing = member.state !== 'starting';
        member.state = 'leaving';
        member.channel.tell('stop', null);
        return member.within(this.options.grace + CLOSE_TIMEOUT_MS).then((code) => !isServing || code === 0);
      }),
    );
    return codes.every((finished) => finished);
  }

  #start(at: number): { readonly member: Member; readonly ready: Promise<void> } {
    const { workers, observe, handlers } = this.options;
    const task = { worker: at + 1, workers, looks: this.#wasReady };
    let isReady: () => void = () => undefined;
    const ready = new Promise<void>((resolve) => (isReady = resolve));
    const { tell, ...others } = handlers(() => member);
    const heard: Handlers = {
      ...others,
      tell: {
        ...tell,
        ready: () => {
          this.#ready(member);
          isReady();
        },
        failed: (reason) => {
          member.failure = reason;
        },
      },
    };
    const member = new Member(task, heard, () => {
      observe({ kind: 'worker', state: 'hung', worker: task.worker, pid: member.pid });
    });
    this.#members.add(member);
    const slot = this.#slots[at];
    if (slot !== undefined) slot.member = member;
    void member.ended.then((code) => {
      this.#ended(at, member, code);
    });
    return { member, ready };
  }

  #ready(member: Member): void {
    if (this.#isStopping) return;
    member.state = 'ready';
    member.readyAt = performance.now();
    this.#wasReady = true;
    this.#failures = [];
    this.options.observe({ kind: 'worker', state: 'ready', worker: member.task.worker, pid: member.pid });
    this.options.ready(member);
  }

  #ended(at: number, member: Member, code: number | string): void {
    const slot = this.#slots[at];
    this.#members.delete(member);
    const wasCurrent = slot?.member === member;
    this.options.ended(member);
    if (this.#isStopping || !wasCurrent) return;
    const now = performance.now();
    const isAlone = ![...this.#members].some(({ state }) => state === 'ready');
    // At the first start, a reason in words is one that waiting does not change.
    const isFinal = !this.#wasReady && member.failure !== undefined;
    const failures = member.readyAt === Infinity ? [...this.#failures, now] : this.#failures;
    this.#failures = failures.filter((failed) => now - failed < FAILED_WITHIN_MS);
    if (isAlone && (isFinal || this.#failures.length >= MAX_FAILED)) {
      this.options.failed(member.failure);
      return;
    }
    const { worker } = member.task;
    const how = typeof code === 'number' ? `exit code ${String(code)}` : code;
    const reason = member.failure === undefined ? how : `${how}: ${member.failure}`;
    this.options.observe({ kind: 'worker', state: 'ended', worker, pid: member.pid, reason });
    slot.deaths = now - member.readyAt >= PROVEN_MS ? 1 : slot.deaths + 1;
    // The reload decides about a worker that it has started.
    if (this.#reloading !== at || member.readyAt !== Infinity) this.#replace(at);
  }

  #replace(at: number): void {
    const slot = this.#slots[at];
    if (slot === undefined) return;
    const pause = Math.min(MIN_PAUSE_MS * 2 ** Math.max(0, slot.deaths - 1), MAX_PAUSE_MS);
    slot.restart = setTimeout(() => {
      if (!this.#isStopping) this.#start(at);
    }, pause);
  }

  async #retire(member: Member): Promise<void> {
    if (member.state === 'ended') return;
    member.state = 'leaving';
    member.channel.tell('retire', LINGER_MS);
    await member.within(LINGER_MS + this.options.grace + CLOSE_TIMEOUT_MS);
  }
}

/** Milliseconds that a worker may take to close its connections to the database. */
const CLOSE_TIMEOUT_MS = 2_000;
