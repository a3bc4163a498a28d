import { join, posix } from 'node:path';
import { TablewrightError } from '../errors.js';
import type { Package } from '../package.js';
import { dependencyOf, withDependency } from './dependencies.js';
import { diskFileSystem } from './file-system.js';
import { listFolderTree } from './guard.js';
import { isInside } from './manifest.js';
import { mapConcurrently } from './order.js';
import { isFolder, packCopies } from './package-spec.js';
import type { PlannedFile, WritePlan } from './plan.js';
import { withScript } from './scripts.js';

/** The sources of a package, without compiled files. */
const sources = /^(?:src\/.*|package\.json|tsconfig\.json|LICENSE|README\.md)$/;

/** Folders of a project whose files are compiled, written or installed by others. */
const taken = new Set(['src', 'dist', 'node_modules', 'data', 'keys']);

/** The command that builds the package, which runs before the project's build. */
const builder = (to: string): string => `npm run --silent build --prefix ${to}`;

export interface Ejection {
  readonly plan: WritePlan;
  /**
   * Whether `npm run build` of the project builds the package, too: its owner may have a script of
   * that name.
   */
  readonly builds: boolean;
}

/**
 * Plans to put a package's sources into a project, as a local package of the same name, in the
 * folder `to` of it. Reads only.
 *
 * Throws USAGE when the folder is no project that depends on the package, has its sources already,
 * or `to` is not free.
 */
export async function planEjection(project: string, to: string, runtime: Package): Promise<Ejection> {
  const own = await diskFileSystem.read(join(project, 'package.json'));
  assertDepends(own, project, runtime);
  await assertFree(project, to);
  const changed = withDependency(own, runtime.name, `file:./${to}`) ?? own;
  const script = withScript(changed, 'prebuild', builder(to));
  const { files } = await listFolderTree(runtime.folder, diskFileSystem);
  const paths = [...files].filter((path) => sources.test(path));
  const added = await mapConcurrently(paths, async (path): Promise<PlannedFile> => {
    const after = (await diskFileSystem.read(join(runtime.folder, path))) ?? '';
    return { path: `${to}/${path}`, action: 'add', edited: false, before: null, after };
  });
  const manifest: PlannedFile = {
    path: 'package.json',
    action: 'change',
    edited: false,
    before: own,
    after: script,
    why: `depends on ./${to}, and builds it`,
  };
  const plan = {
    folder: project,
    files: [],
    project: [manifest, ...(await linking(project)), ...added],
    untracked: [],
  };
  return { plan, builds: script.includes(JSON.stringify(builder(to))) };
}

/** The folder of a project in which a package that it depends on is. */
export function ejectedFolder(own: string, name: string): string | undefined {
  const spec = dependencyOf(own, name) ?? '';
  const folder = spec.slice('file:'.length).replace(/^\.\//, '');
  return isFolder(spec) && isInside(folder) ? folder : undefined;
}

function assertDepends(own: string | undefined, project: string, { name }: Package): asserts own is string {
  const spec = own === undefined ? undefined : dependencyOf(own, name);
  if (spec === undefined) {
    throw new TablewrightError(
      'USAGE',
      `${project} has no package.json that depends on ${name}.`,
      'Name the project’s folder with --out. If the project has a copy of the runtime in src/generated/runtime, run `tablewright generate` first.',
    );
  }
  if (ejectedFolder(own ?? '', name) === undefined) return;
  throw new TablewrightError(
    'USAGE',
    `The sources of ${name} are in the project already: its package.json asks for ${spec}.`,
    `To have those of another version, remove that folder and set ${name} to the version in the package.json first.`,
  );
}

async function assertFree(project: string, to: string): Promise<void> {
  if (!isInside(to) || posix.normalize(to) !== to || taken.has(to.split('/')[0] ?? '')) {
    throw new TablewrightError(
      'USAGE',
      `The sources cannot go to ${to}.`,
      'Name a folder inside the project with --to, beside src, dist and node_modules: --to packages/runtime.',
    );
  }
  const entries = await diskFileSystem.list(join(project, to)).catch(() => [{ name: to }]);
  if (entries === undefined || entries.length === 0) return;
  throw new TablewrightError(
    'OUTPUT_FOREIGN',
    `${to} is there already: nothing in it is replaced.`,
    'Choose another folder with --to, or move that one elsewhere.',
  );
}

/**
 * A package in the project finds the project's packages: it is linked, so that a change in it is
 * one build away.
 */
async function linking(project: string): Promise<readonly PlannedFile[]> {
  const found = await Promise.all(
    [...packCopies].map(async ([path, text]): Promise<readonly PlannedFile[]> => {
      const before = await diskFileSystem.read(join(project, path));
      return before === text ? [{ path, action: 'delete', edited: false, before, after: null }] : [];
    }),
  );
  return found.flat();
}
