import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';

const packages = z.record(z.string(), z.string()).default({});
const manifestSchema = z.object({ dependencies: packages, devDependencies: packages });

/**
 * Whether Node.js and the compiler find every package the project names, in its own node_modules or
 * in one above.
 */
export async function hasPackages(folder: string): Promise<boolean> {
  const { dependencies, devDependencies } = manifestSchema.parse(
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')),
  );
  const places = createRequire(join(folder, 'package.json')).resolve.paths('x') ?? [];
  return Object.keys({ ...dependencies, ...devDependencies })
    .filter((name) => name !== 'tablewright')
    .every((name) => places.some((place) => existsSync(join(place, name))));
}
