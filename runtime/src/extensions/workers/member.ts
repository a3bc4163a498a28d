import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { withoutFileVariables } from '../../settings/env-files.js';
import { Channel, type Handlers } from './channel.js';
import type { FeedReader } from './parent-feeds.js';
import { taskVariable, type WorkerTask } from './task.js';

/**
 * Milliseconds between two questions whether a worker answers; without an answer for so long other
 * workers get the new connections, and for so much longer the worker is ended.
 */
const PING_INTERVAL_MS = 1_000;
const SLOW_MS = 250;
const HUNG_MS = 30_000;

/** Milliseconds that a worker may take to start. */
const START_TIMEOUT_MS = 120_000;

/** A connection that a worker has been given. */
export interface Given {
  readonly address: string;
  /** The parent's copy, until the worker has taken the connection. */
  socket: Socket | undefined;
  /** Its number at the worker. */
  number: number;
  /** When it was accepted, and when it was given, as `performance.now()`. */
  readonly acceptedAt: number;
  since: number;
}

export type MemberState = 'starting' | 'ready' | 'leaving' | 'ended';

/** A worker process, as its parent sees it. */
export class Member implements FeedReader {
  state: MemberState = 'starting';
  readonly startedAt = performance.now();
  readyAt = Infinity;
  /** The open connections, by their number. */
  readonly given = new Map<number, Given>();
  /** Those that it has not taken yet, the oldest first. */
  readonly untaken = new Set<Given>();
  readonly channel: Channel;
  /** Resolves with the exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
  /** Why it could not start, in words. */
  failure: string | undefined;
  readonly #child: ChildProcess;
  #pingedAt: number | undefined;
  #pinging: NodeJS.Timeout;

  /** @param hung called once for a worker that does not answer any more, before it is killed */
  constructor(
    readonly task: WorkerTask,
    handlers: Handlers,
    private readonly hung: () => void,
  ) {
    const [, program = '', ...args] = process.argv;
    this.#child = fork(program, args, {
      // Each process would need a port of its own for its debugger.
      execArgv: process.execArgv.filter((argument) => !argument.startsWith('--inspect')),
      env: { ...withoutFileVariables(process.env), [taskVariable]: JSON.stringify(task) },
    });
    this.channel = new Channel(this.#child, handlers);
    this.ended = endOf(this.#child);
    this.#pinging = setInterval(() => {
      this.#ping();
    }, PING_INTERVAL_MS).unref();
    void this.ended.then(() => {
      this.state = 'ended';
      clearInterval(this.#pinging);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get unsent(): number {
    return this.channel.unsent;
  }

  /** Whether it has not answered for a moment: another worker takes new connections sooner. */
  get isSlow(): boolean {
    const [oldest] = this.untaken;
    const since = Math.min(this.#pingedAt ?? Infinity, oldest?.since ?? Infinity);
    return performance.now() - since > SLOW_MS;
  }

  post(text: string, sent: () => void): void {
    this.channel.post(text, sent);
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  /** Resolves with the exit code. A worker that takes longer is killed. */
  async within(milliseconds: number): Promise<number | string> {
    const over = new AbortController();
    void sleep(milliseconds, undefined, { signal: over.signal }).then(
      () => {
        this.kill();
      },
      () => undefined,
    );
    const code = await this.ended;
    over.abort();
    return code;
  }

  #ping(): void {
    const [since, most] = this.state === 'starting' ? [this.startedAt, START_TIMEOUT_MS] : [this.#pingedAt, HUNG_MS];
    if (since !== undefined && performance.now() - since > most) {
      clearInterval(this.#pinging);
      this.hung();
      this.kill();
    }
    if (since !== undefined) return;
    this.#pingedAt = performance.now();
    const answered = (): void => {
      this.#pingedAt = undefined;
    };
    this.channel.ask('ping', null, 2 * HUNG_MS).then(answered, () => undefined);
  }
}

async function endOf(child: ChildProcess): Promise<number | string> {
  try {
    const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
    return code ?? signal ?? 1;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
