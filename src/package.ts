import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** A package of ours: in a checkout, or installed. */
export interface Package {
  readonly name: string;
  readonly folder: string;
  readonly version: string;
  /** The packages that it brings along. */
  readonly dependencies: readonly string[];
}

const schema = z.object({
  name: z.string().default(''),
  version: z.string().default(''),
  dependencies: z.record(z.string(), z.string()).default({}),
});

let own: Package | undefined;
let runtime: Package | undefined;
let pages: Package | undefined;

/**
 * The package that this code is part of. Found by walking up from this module, which is in `src/`
 * of a checkout or `dist/src/` when built.
 */
export function ownPackage(): Package {
  own ??= findFrom(dirname(fileURLToPath(import.meta.url)), 'tablewright');
  return own;
}

/** The runtime for which this generator writes: the runtime that was installed with it. */
export function runtimePackage(): Package {
  runtime ??= readPackage(createRequire(import.meta.url).resolve('@tablewright/runtime/package.json'));
  return runtime;
}

/** The console for that runtime: what a generated project shows in a browser during development. */
export function consolePackage(): Package {
  pages ??= readPackage(createRequire(import.meta.url).resolve('@tablewright/console/package.json'));
  return pages;
}

function findFrom(folder: string, wanted: string): Package {
  const path = join(folder, 'package.json');
  if (existsSync(path)) {
    const found = readPackage(path);
    if (found.name === wanted) return found;
  }
  const parent = dirname(folder);
  if (parent === folder) throw new Error(`The package ${wanted} is incomplete: its package.json was not found.`);
  return findFrom(parent, wanted);
}

function readPackage(path: string): Package {
  const { name, version, dependencies } = schema.parse(JSON.parse(readFileSync(path, 'utf8')));
  return { name, version, folder: dirname(path), dependencies: Object.keys(dependencies) };
}
