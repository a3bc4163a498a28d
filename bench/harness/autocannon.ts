import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOptions, Outcome } from './load.js';

const program = fileURLToPath(new URL('./autocannon-child.mjs', import.meta.url));

/**
 * Makes load with autocannon in a separate process. Throws with the process's output when it fails.
 */
export async function autocannon(base: string, options: LoadOptions): Promise<Outcome> {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ base, ...options }));
  const [output, [code]] = await Promise.all([
    child.stdout.toArray(),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  if (code !== 0) throw new Error(`autocannon ended with code ${code ?? 'none'}; its message is above.`);
  return JSON.parse(output.join('')) as Outcome;
}
