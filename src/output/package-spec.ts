import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import type { Package } from '../package.js';
import { diskFileSystem, type FileSystem } from './file-system.js';
import { parseJson } from '../json.js';

const lockSchema = z.object({
  packages: z.record(z.string(), z.object({ resolved: z.string().optional() })),
});

/**
 * How a generated project asks for a package of ours: by the specification that it was itself
 * installed with, so that `npm install` works before and after publication, and never by an
 * absolute path.
 *
 *     installed from the registry     ^0.1.0
 *     installed from a tarball        file:../tablewright-0.1.0.tgz
 *     run from its own checkout       file:../..  (with `packCopies` in the project)
 *     from git, or a tarball's URL    the same, without credentials
 *
 * `project` is the folder of the generated project. Source: npm's package-lock.json, `resolved`.
 */
export async function packageSpec(
  own: Omit<Package, 'dependencies'>,
  project: string,
  fileSystem: FileSystem = diskFileSystem,
): Promise<string> {
  const registry = `^${own.version}`;
  const home = homeOf(own);
  if (home === undefined) return fileSpec(own.folder, project) ?? registry;
  const resolved = await resolvedFrom(home, own.name, fileSystem);
  if (resolved === undefined) return registry;
  if (resolved.startsWith('file:')) {
    return fileSpec(resolve(home, decodeURIComponent(resolved.slice('file:'.length))), project) ?? registry;
  }
  if (resolved.startsWith('git')) return withoutCredentials(resolved);
  // A registry keeps its tarballs under `/-/`; its host is a matter of each machine's npm
  // configuration.
  return /^https?:/.test(resolved) && !resolved.includes('/-/') ? withoutCredentials(resolved) : registry;
}

/** Whether npm would install by a link to a folder. */
export const isFolder = (spec: string): boolean => spec.startsWith('file:') && !/\.(?:tgz|tar|tar\.gz)$/.test(spec);

/**
 * `.npmrc` of a project that depends on a folder. npm links folders, and a linked package finds its
 * dependencies beside the folder: a second copy of graphql, whose types the first copy rejects. A
 * packed copy finds the dependencies of the project.
 */
export const packCopies = new Map([
  [
    '.npmrc',
    '# Packages of folders are copied, not linked: they have to share the packages of this project.\ninstall-links=true\n',
  ],
]);

/** The folder in whose node_modules the package is; undefined where it is in none. */
function homeOf({ folder, name }: Omit<Package, 'dependencies'>): string | undefined {
  const modules = resolve(folder, ...name.split('/').map(() => '..'));
  return basename(modules) === 'node_modules' ? dirname(modules) : undefined;
}

async function resolvedFrom(home: string, name: string, fileSystem: FileSystem): Promise<string | undefined> {
  for (const path of [join(home, 'node_modules', '.package-lock.json'), join(home, 'package-lock.json')]) {
    const text = await fileSystem.read(path);
    if (text === undefined) continue;
    const lock = lockSchema.safeParse(parseJson(text));
    const resolved = lock.success ? lock.data.packages[`node_modules/${name}`]?.resolved : undefined;
    if (resolved !== undefined) return resolved;
  }
  return undefined;
}

/**
 * `file:` and the way from the project to the target; undefined where there is none, as between two
 * drives.
 */
function fileSpec(target: string, project: string): string | undefined {
  const path = relative(resolve(project), target);
  return isAbsolute(path) ? undefined : `file:${path === '' ? '.' : path.split(sep).join('/')}`;
}

function withoutCredentials(url: string): string {
  return url.replace(/\/\/[^/@]*@/, (userinfo) => (userinfo === '//git@' ? userinfo : '//'));
}
