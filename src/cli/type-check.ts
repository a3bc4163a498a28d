import { spawn, type ChildProcess } from 'node:child_process';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { compilerPath } from '../compiler-path.js';
import type { Terminal } from './terminal.js';

/**
 * Checks the types of a project beside a server that runs already, by the project's compiler, and
 * reports the errors.
 */
export class TypeCheck {
  #child: ChildProcess | undefined;
  #wrong = false;

  constructor(
    private readonly folder: string,
    private readonly terminal: Terminal,
  ) {}

  /** Starts a new check and cancels a running check. */
  start(): void {
    this.stop();
    const { colors, note } = this.terminal;
    const compiler = compilerPath(this.folder);
    if (compiler === undefined) return;
    const pretty = String(colors.err.isColorSupported);
    const memory = ['--incremental', '--tsBuildInfoFile', join('dist', '.types.tsbuildinfo')];
    const child = spawn(process.execPath, [compiler, '--noEmit', '--pretty', pretty, ...memory], {
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    afterOthers(child);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('error', () => undefined);
    child.once('close', (code) => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (code !== 0)
        note(`${colors.err.red('The project has type errors')}; the server runs nevertheless.\n${output.trim()}`);
      else if (this.#wrong) note('The project has no type errors any longer.');
      this.#wrong = code !== 0;
    });
  }

  stop(): void {
    this.#child?.kill('SIGKILL');
    this.#child = undefined;
  }
}

/** The server comes first. */
function afterOthers({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_LOW);
  } catch {
    // It is a matter of courtesy.
  }
}
