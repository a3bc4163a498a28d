import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** Longer than a server's own time to finish its requests. */
const patience = 15_000;

/** The generated server as a child process: one at a time, started anew after each build. */
export class ServerProcess {
  #child: ChildProcess | undefined;

  constructor(
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly tell: (message: string) => void,
  ) {}

  /** Ends the server that runs, if one does, and starts it from what was built last. Its output is shown as it is. */
  async restart(): Promise<void> {
    await this.stop();
    const child = spawn(process.execPath, [join('dist', 'main.js')], {
      cwd: this.folder,
      env: this.environment,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    this.#child = child;
    child.once('exit', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      this.tell(`The server ended by itself (exit code ${String(code)}). It is started again after the next change.`);
    });
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
