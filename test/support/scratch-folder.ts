import { mkdir, mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../.tmp');

/**
 * Makes a folder inside the repository, where programs find its packages. The caller removes it: a
 * suite that leaves it behind fails.
 */
export async function scratchFolder(name: string): Promise<string> {
  const parent = process.env['TEST_SCRATCH'] ?? cache;
  await mkdir(parent, { recursive: true });
  return mkdtemp(join(parent, `${name}-`));
}
