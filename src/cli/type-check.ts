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
      // A process group of its own: see `endGroup`.
      detached: process.platform !== 'win32',
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
    if (this.#child !== undefined) endGroup(this.#child);
    this.#child = undefined;
  }
}

/**
 * The compiler of TypeScript 7 starts a second program, which would go on to write into the
 * project. Windows has no process groups: there it ends by itself, after seconds.
 */
function endGroup(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === 'win32') {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
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
