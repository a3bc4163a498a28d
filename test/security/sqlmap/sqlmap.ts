import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '../../support/program.js';
import type { MarkedRequest } from './request.js';

export interface Verdict {
  /**
   * Number of completely tested places. Fewer than there are marks means that the tool stopped
   * early.
   */
  readonly tried: number;
  /** Number of injectable places, including places that the tool found without a mark. */
  readonly injectable: number;
  readonly output: string;
}

/**
 * Every technique. Level 3 tries more ways to break out of a text than the default level, and risk
 * 2 adds slow time-based payloads.
 */
const options = [
  ...['--batch', '--flush-session', '--disable-coloring', '--ignore-stdin', '--level=3', '--risk=2'],
  // The server answers hostile input with these statuses, at which sqlmap must not stop.
  ...['--technique=BEUSTQ', '--ignore-code=400,401,403,404,405,406,409,415,416,500,504'],
  ...['--dbms=PostgreSQL', '--time-sec=2', '--retries=1'],
];

/** For example `1.7.2#stable`; undefined when the tool is not installed. */
export async function sqlmapVersion(): Promise<string | undefined> {
  try {
    const { code, stdout } = await runProgram('sqlmap', ['--version', '--batch']);
    return code === 0 ? stdout.split('\n')[0] : undefined;
  } catch {
    return undefined;
  }
}

/** Runs the tool on one request. */
export async function runSqlmap(base: string, request: MarkedRequest): Promise<Verdict> {
  const folder = await mkdtemp(join(tmpdir(), 'sqlmap-'));
  try {
    const file = join(folder, 'request.txt');
    await writeFile(file, textOf(base, request));
    const { stdout, stderr } = await runProgram('sqlmap', ['-r', file, `--output-dir=${folder}`, ...options]);
    return readVerdict(stdout + stderr);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function textOf(base: string, { method, path, headers, body = '' }: MarkedRequest): string {
  const lines = Object.entries({ Host: new URL(base).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** The name of a marked place is, for example, `#1*`, `Range #1*` or `JSON #2*`. */
function readVerdict(output: string): Verdict {
  const count = (pattern: RegExp): number => [...output.matchAll(pattern)].length;
  return {
    tried: count(/parameter '[^']*#\d+\*' does not seem to be injectable/g) + count(/^Parameter: [^(]*#\d+\* \(/gm),
    injectable: count(/^Parameter: /gm),
    output,
  };
}
