import { join } from 'node:path';
import type { Reporter } from '../reporter.js';
import { installCommands, type MissingPackages, type OtherVersion } from './dependencies.js';
import { diskFileSystem } from './file-system.js';
import type { PlannedFile, WritePlan } from './plan.js';
import { completeScripts } from './scripts.js';

const path = 'package.json';

/**
 * A plan with the scripts that its folder's package.json lacks, and those of ours whose names its
 * owner uses.
 */
export interface CompletedPlan {
  readonly plan: WritePlan;
  readonly taken: Readonly<Record<string, string>>;
}

/**
 * Adds scripts to a package.json that is there already: the commands that follow a first run name
 * them.
 */
export async function withCompletedScripts(
  plan: WritePlan,
  template: ReadonlyMap<string, string>,
): Promise<CompletedPlan> {
  const isNew = plan.project.some((file) => file.path === path);
  const before = isNew ? undefined : await diskFileSystem.read(join(plan.folder, path));
  const completed = completeScripts(before ?? '', template.get(path) ?? '');
  if (before === undefined || completed === undefined) return { plan, taken: {} };
  const { text: after, added, taken } = completed;
  if (added.length === 0) return { plan, taken };
  const change: PlannedFile = {
    path,
    action: 'change',
    edited: false,
    before,
    after,
    why: 'has the missing scripts',
  };
  return { plan: { ...plan, project: [...plan.project, change] }, taken };
}

/** The text of the package.json when a plan has been carried out. */
export async function plannedPackage({ folder, project }: WritePlan): Promise<string> {
  const planned = project.find((file) => file.path === path)?.after;
  return planned ?? (await diskFileSystem.read(join(folder, path))) ?? '';
}

export function warnOfTakenScripts(taken: Readonly<Record<string, string>>, warn: Reporter['warn']): void {
  const ours = Object.entries(taken).map(([name, command]) => `${JSON.stringify(name)}: ${JSON.stringify(command)}`);
  if (ours.length === 0) return;
  warn(
    `Your package.json has scripts of the same names as the server’s: ${Object.keys(taken).join(', ')}. Yours were kept.`,
    `To have the server’s as well, add them under other names: ${ours.join(', ')}`,
  );
}

/**
 * The package.json is its owner's, who is missingNow when the server lacks packages; of those to
 * build with, when the project is new.
 */
export function warnOfMissingPackages(
  { files }: WritePlan,
  missing: MissingPackages | undefined,
  warn: Reporter['warn'],
): void {
  if (missing === undefined || files.every(({ action }) => action === 'keep')) return;
  const isNew = files.every(({ action }) => action === 'add');
  const missingNow = isNew ? missing : { ...missing, build: [] };
  if (missingNow.run.length + missingNow.build.length === 0 && !missingNow.module) return;
  warn('The server needs packages that your package.json does not name.', installCommands(missingNow));
}

/** The same owner may have them for other code of the package, so they stay. */
export function warnOfOtherVersions(
  { files }: WritePlan,
  others: readonly OtherVersion[],
  warn: Reporter['warn'],
): void {
  if (others.length === 0 || files.every(({ action }) => action === 'keep')) return;
  const named = others.map(({ name, own, wanted }) => `${name} ${own} instead of ${wanted}`);
  warn(
    `Your package.json names packages in versions that the server is not made for: ${named.join(', ')}.`,
    `Run \`npm install ${others.map(({ name, wanted }) => `${name}@${wanted}`).join(' ')}\`, or give the server a folder and a package.json of its own: --out server.`,
  );
}
