import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './child.js';
import { progress } from './report.js';

/**
 * Installs the packages of the benchmark, which the project's install leaves out, when they are
 * missing or differ from the lock file.
 */
export async function installed(): Promise<void> {
  const folder = join(repository, 'bench');
  const [locked, present] = [join(folder, 'package-lock.json'), join(folder, 'node_modules/.package-lock.json')];
  if (existsSync(present) && statSync(present).mtimeMs >= statSync(locked).mtimeMs) return;
  progress('Installing what the benchmarks need into bench/node_modules (npm ci --prefix bench)');
  const child = spawn('npm', ['ci', '--prefix', folder, '--no-audit', '--no-fund'], { stdio: ['ignore', 2, 2] });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error('npm ci in bench/ failed; its message is above.');
}
