import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRecord } from '../json.js';

/** Longer than a server's own time to finish its requests. */
const patience = 15_000;

/**
 * Milliseconds in which a server follows a change, unless the machine is slow, and between two
 * looks whether it has.
 */
const followPatience = 3_000;
const followPause = 50;

/**
 * A server that follows reports its fingerprint at its first check. It needs the time to start, to
 * follow, and to check once more.
 */
const silentStart = 2;

/** Milliseconds that a server may take to load its code, and to say that it listens. */
const defaultStartPatience = 10_000;

/** What a command does with a server besides showing its output. */
export interface ServerListeners {
  /** Where the log goes. Default: to standard output. */
  readonly stdout?: 'stderr';
  readonly listening?: (address: string) => void;
  /** The server serves another state of its database. */
  readonly swapped?: () => void;
}

/** The generated server as a child process: one at a time, restarted after each build. */
export class ServerProcess {
  #child: ChildProcess | undefined;
  #served: string | undefined;
  #startedAt = 0;
  #isListening = false;

  constructor(
    private readonly folder: string,
    private readonly note: (message: string) => void,
    private readonly listeners: ServerListeners = {},
    private readonly startPatience = defaultStartPatience,
  ) {}

  /**
   * Ends the running server, if any, and starts the server of the last build. Its output is shown
   * unchanged.
   */
  async restart(environment: NodeJS.ProcessEnv): Promise<void> {
    await this.stop();
    const child = spawn(process.execPath, [join('dist', 'main.js')], {
      cwd: this.folder,
      env: { ...environment, TABLEWRIGHT_DEV: '1' },
      stdio: ['ignore', this.listeners.stdout === 'stderr' ? 2 : 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#served = undefined;
    this.#startedAt = performance.now();
    this.#isListening = false;
    child.on('message', (message) => {
      if (this.#child !== child) return;
      const before = this.#served;
      this.#served = textIn(message, 'fingerprint') ?? before;
      // The first check may have found a change already.
      if (before === undefined ? isChanged(message) : this.#served !== before) this.listeners.swapped?.();
      if (isListening(message)) [this.#isListening, this.#startedAt] = [true, performance.now()];
      const address = textIn(message, 'address');
      if (address !== undefined) this.listeners.listening?.(address);
    });
    child.once('exit', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.note(`The server ended by itself (exit code ${String(code)}). It is started again after the next change.`);
    });
  }

  /**
   * Waits while a server starts. If its files were replaced meanwhile, it would take the new
   * catalogue for that of the code that it has loaded, and serve the old API.
   */
  async loaded(): Promise<void> {
    const end = this.#startedAt + this.startPatience;
    while (this.#child !== undefined && !this.#isListening && performance.now() < end) await delay(followPause);
  }

  /**
   * Whether the server that runs serves the catalogue of this fingerprint, or comes to serve it in
   * a moment: it follows its database.
   * @param patience milliseconds that following may take on a machine as slow as this one is now
   */
  async follows(fingerprint: string, patience = 0): Promise<boolean> {
    const most = Math.max(followPatience, patience);
    const end = performance.now() + most;
    // A server that has not reported its fingerprint after this time does not follow its database.
    const silentUntil = (): number => this.#startedAt + silentStart * most;
    const isOver = (): boolean => performance.now() > (this.#served === undefined ? Math.min(end, silentUntil()) : end);
    while (this.#child !== undefined && this.#served !== fingerprint && !isOver()) await delay(followPause);
    return this.#child !== undefined && this.#served === fingerprint;
  }

  /** Lets the server finish its requests, and waits until it has ended. */
  async stop(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const overdue = delay(patience, 'overdue', { ref: false });
    if ((await Promise.race([ended, overdue])) === 'overdue') {
      child.kill('SIGKILL');
      await ended;
    }
  }
}

/** A start may take seconds on a slow machine: the time for the first check begins after it. */
const isListening = (message: unknown): boolean => isRecord(message) && 'listening' in message;

/** A member of the runtime's `News`. */
function textIn(message: unknown, name: 'fingerprint' | 'address'): string | undefined {
  const value = isRecord(message) ? message[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

/** Whether the server follows a change that its code does not have. */
const isChanged = (message: unknown): boolean => isRecord(message) && message['isGenerated'] === false;
