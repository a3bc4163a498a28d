import { cp, mkdir, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository, type Transpiled } from './transpile.js';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>;
}

/**
 * A built program as `npm ci --omit=dev` leaves it: outside the repository, with the packages that
 * the runtime requires, and with one driver.
 */
export async function installForProduction(program: Transpiled, driver = 'pg'): Promise<Transpiled> {
  const folder = await mkdtemp(join(tmpdir(), 'tablewright-production-'));
  await cp(program.folder, folder, { recursive: true });
  await cp(join(repository, 'generated-example/package.json'), join(folder, 'package.json'));
  const runtime = join(repository, 'runtime');
  const { dependencies, peerDependencies, peerDependenciesMeta } = JSON.parse(
    await readFile(join(runtime, 'package.json'), 'utf8'),
  ) as Manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  const modules = join(folder, 'node_modules');
  for (const name of new Set([...Object.keys(dependencies), ...peers, driver])) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(join(repository, 'node_modules', name), join(modules, name));
  }
  // A link would lead back into the repository, where Node finds all packages.
  const copy = join(modules, '@tablewright/runtime');
  await cp(join(runtime, 'dist'), join(copy, 'dist'), { recursive: true });
  await cp(join(runtime, 'package.json'), join(copy, 'package.json'));
  return {
    folder,
    remove: async () => {
      await rm(folder, { recursive: true });
      await program.remove();
    },
  };
}
