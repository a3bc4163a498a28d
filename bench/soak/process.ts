import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process that is killed and started again, with the same command and address. */
export class Killable {
  #child: ChildProcess | undefined;
  readonly #endAtExit = (): void => void this.#child?.kill('SIGKILL');

  /** @param isThere whether it answers */
  constructor(
    private readonly command: readonly [string, ...string[]],
    private readonly options: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> },
    private readonly isThere: () => Promise<boolean>,
  ) {
    process.on('exit', this.#endAtExit);
  }

  async start(): Promise<void> {
    const [program, ...args] = this.command;
    const child = spawn(program, args, {
      ...(this.options.cwd === undefined ? {} : { cwd: this.options.cwd }),
      env: { ...process.env, ...this.options.env },
      // Standard output has figures only.
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    this.#child = child;
    while (!(await this.isThere().catch(() => false))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${String(child.exitCode)}.`);
      await sleep(50);
    }
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  async end(): Promise<void> {
    process.off('exit', this.#endAtExit);
    await this.kill();
  }
}
