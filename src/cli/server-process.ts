import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Longer than a server's own time to finish its requests. */
const patience = 15_000;

/** Milliseconds in which a server follows a change, and between two looks whether it has. */
const followPatience = 3_000;
const followPause = 50;

/** The generated server as a child process: one at a time, started anew after each build. */
export class ServerProcess {
  #child: ChildProcess | undefined;
  #served: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly tell: (message: string) => void,
  ) {}

  /** Ends the server that runs, if one does, and starts it from what was built last. Its output is shown as it is. */
  async restart(environment: NodeJS.ProcessEnv): Promise<void> {
    await this.stop();
    const child = spawn(process.execPath, [join('dist', 'main.js')], {
      cwd: this.folder,
      env: { ...environment, TABLEWRIGHT_DEV: '1' },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    this.#child = child;
    this.#served = undefined;
    child.on('message', (message) => {
      if (this.#child === child) this.#served = fingerprintIn(message) ?? this.#served;
    });
    child.once('exit', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.tell(`The server ended by itself (exit code ${String(code)}). It is started again after the next change.`);
    });
  }

  /** Whether the server that runs serves the catalogue of this fingerprint, or comes to serve it in a moment: it follows its database. */
  async follows(fingerprint: string): Promise<boolean> {
    // A server that has never told of what it serves does not follow.
    if (this.#served === undefined) return false;
    for (let waited = 0; waited < followPatience; waited += followPause) {
      if (this.#child === undefined || this.#served === fingerprint) break;
      await delay(followPause);
    }
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

/** What the runtime's `tellParent` has sent. */
function fingerprintIn(message: unknown): string | undefined {
  if (typeof message !== 'object' || message === null || !('fingerprint' in message)) return undefined;
  return typeof message.fingerprint === 'string' ? message.fingerprint : undefined;
}
