import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs a program to its end and answers its exit code and everything it printed. Nothing is shown
 * while it runs. When the signal is aborted the program is asked to end.
 */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, signal }: { readonly cwd?: string; readonly signal?: AbortSignal } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, {
    ...(cwd === undefined ? {} : { cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm is a script there, which only a shell can start. No argument comes from outside.
    shell: process.platform === 'win32' && program === 'npm',
  });
  const end = (): void => void child.kill();
  signal?.addEventListener('abort', end, { once: true });
  try {
    const [closed, stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
    const [code] = closed as [number | null];
    return { code: code ?? 1, stdout, stderr };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}
