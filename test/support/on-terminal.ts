import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bin } from './cli.js';
import { describeWhere } from './describe-where.js';

/** `describe` for tests on a terminal: `script`, of util-linux, gives a program one of its own. */
export const describeOnTerminal = describeWhere('terminals');

export interface OnTerminal {
  readonly code: number | null;
  readonly output: string;
}

/** Runs the command line on a terminal. Types each answer once its question appears. */
export async function onTerminal(
  folder: string,
  args: readonly string[],
  answers: readonly (readonly [question: string, typed: string])[],
  env: Readonly<Record<string, string>> = {},
): Promise<OnTerminal> {
  // `script` starts a shell. Without `exec`, that shell would get Ctrl-C, too, and exit with 130 in
  // place of the program.
  const command = `exec ${[process.execPath, bin, ...args].map((part) => `'${part}'`).join(' ')}`;
  const child = spawn('script', ['--quiet', '--flush', '--return', '--command', command, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, SHELL: '/bin/sh', NO_COLOR: '1', FORCE_COLOR: undefined, TERM: 'dumb', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let output = '';
  const pending = [...answers];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk;
    const [next] = pending;
    if (next !== undefined && output.includes(next[0])) {
      pending.shift();
      child.stdin.write(next[1]);
    }
  });
  const [code] = (await once(child, 'close')) as [number | null];
  // A terminal changes line ends to CR LF.
  return { code, output: output.replaceAll('\r\n', '\n') };
}
