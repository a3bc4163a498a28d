import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Runs a program to its end and answers its exit code and everything it printed. Nothing is shown while it runs. */
export async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<{ readonly code: number; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(program, args, {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
    // npm is a script there, which only a shell can start. No argument comes from outside.
    shell: process.platform === 'win32' && program === 'npm',
  });
  const [closed, stdout, stderr] = await Promise.all([once(child, 'close'), text(child.stdout), text(child.stderr)]);
  const [code] = closed as [number | null];
  return { code: code ?? 1, stdout, stderr };
}
