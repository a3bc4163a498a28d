import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** The package that this code is part of: a checkout, or an installed package. */
export interface Package {
  readonly folder: string;
  readonly version: string;
}

const schema = z.object({ name: z.string().optional(), version: z.string().optional() });

let found: Package | undefined;

/** Finds the package by walking up from this module, which is in `src/` of a checkout or `dist/src/` when built. */
export function ownPackage(): Package {
  found ??= findFrom(dirname(fileURLToPath(import.meta.url)));
  return found;
}

function findFrom(folder: string): Package {
  const path = join(folder, 'package.json');
  try {
    const { name, version } = schema.parse(JSON.parse(readFileSync(path, 'utf8')));
    if (name === 'tablewright' && version !== undefined) return { folder, version };
  } catch {
    // No package.json here, or another one: look further up.
  }
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The package tablewright is incomplete: its package.json was not found.');
  return findFrom(parent);
}
