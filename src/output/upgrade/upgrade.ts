import { join } from 'node:path';
import type { Reporter } from '../../reporter.js';
import { dependencyOf, noLongerNeeded, withDependency } from '../dependencies.js';
import { diskFileSystem } from '../file-system.js';
import { listFolderTree } from '../guard.js';
import { compareCodePoints, mapConcurrently } from '../order.js';
import { generatedFolder, type PlannedFile, type WritePlan } from '../plan.js';
import { copiedFolder } from './counterparts.js';
import { moveImports, type Leftover } from './imports.js';

/** A plan that leaves the copied runtime behind, and what its owner has to know of it. */
export interface Upgrade {
  readonly plan: WritePlan;
  readonly left: readonly Leftover[];
  /** Packages of the package.json that nothing imports any more. */
  readonly unneeded: readonly string[];
}

export interface UpgradeOptions {
  /** The specification by which the project asks for the runtime. */
  readonly runtime: string;
  /** The packages that the runtime brings itself. */
  readonly brought: readonly string[];
}

const packageName = '@tablewright/runtime';
const why = `imports the package ${packageName} instead of its copy`;

/** Whether the plan removes a runtime that was copied into the project. */
export const leavesCopy = ({ files }: WritePlan): boolean =>
  files.some(({ path, action }) => action === 'delete' && path.startsWith(copiedFolder));

/**
 * Adds to a plan the changes of the owner's files when the runtime becomes a package: their
 * imports, and package.json. They are written together with the generated files, or not at all.
 */
export async function withUpgrade(plan: WritePlan, { runtime, brought }: UpgradeOptions): Promise<Upgrade> {
  const read = (path: string): Promise<string | undefined> => diskFileSystem.read(join(plan.folder, path));
  const moved = await mapConcurrently(await userSources(plan.folder), async (path) => {
    const before = (await read(path)) ?? '';
    return { path, before, ...(await moveImports(path, before)) };
  });
  const sources = moved
    .filter(({ before, text }) => text !== before)
    .map(({ path, before, text }): PlannedFile => ({
      path,
      action: 'change',
      edited: false,
      before,
      after: text,
      why,
    }));
  const own = await read('package.json');
  const present = own !== undefined && dependencyOf(own, packageName) !== undefined;
  const after = own === undefined || present ? undefined : withDependency(own, packageName, runtime);
  const manifest: readonly PlannedFile[] =
    own === undefined || after === undefined
      ? []
      : [
          {
            path: 'package.json',
            action: 'change',
            edited: false,
            before: own,
            after,
            why: `depends on ${packageName}`,
          },
        ];
  const texts = moved.map(({ text }) => text);
  return {
    plan: { ...plan, project: [...manifest, ...sources, ...plan.project] },
    left: moved.flatMap(({ left }) => left),
    unneeded: own === undefined ? [] : noLongerNeeded(own, brought, texts),
  };
}

export function warnOfUpgrade({ left, unneeded }: Upgrade, warn: Reporter['warn']): void {
  for (const { path, line, module, names } of left) {
    warn(
      `${path}:${line} imports ${names.length === 0 ? 'all' : names.join(', ')} of the copied runtime’s ${module}.js, which @tablewright/runtime does not export. It was left, and does not compile.`,
      'Import only what the package exports (docs/generated-project.md lists it), or take the sources into the project with `npx tablewright eject`.',
    );
  }
  if (unneeded.length > 0) {
    warn(
      'Your package.json names packages that came with the copied runtime, and that your code does not import.',
      `npm uninstall ${unneeded.join(' ')}`,
    );
  }
}

/** The owner's modules: all of `src` except generated files. */
async function userSources(folder: string): Promise<readonly string[]> {
  const { files } = await listFolderTree(join(folder, 'src'), diskFileSystem);
  return [...files]
    .map((path) => `src/${path}`)
    .filter((path) => /\.[cm]?[jt]sx?$/.test(path) && !path.startsWith(`${generatedFolder}/`))
    .sort(compareCodePoints);
}
