import { join } from 'node:path';
import { hasConflictMarkers } from '@tablewright/runtime/model';
import { TablewrightError } from '../errors.js';
import { outputError } from './failure.js';
import { systemCode } from '../system-error.js';
import { diskFileSystem, type FileSystem } from './file-system.js';
import { assertOurs, assertProjectFolder, isMarked, listFolderTree } from './guard.js';
import { isInside, manifestPath, renderManifest, isSameText, type Origin } from './manifest.js';
import { compareCodePoints, mapConcurrently } from './order.js';
import { copiedFolder } from './upgrade/counterparts.js';
import { readWritten, type Witnesses, type Written } from './written.js';

/** Where the generated files of a project are. */
export const generatedFolder = 'src/generated';

/**
 * What will happen to one file. `keep`: it has the wanted text already, and keeps its modification
 * time.
 */
export interface PlannedFile {
  /** Relative to the project's folder, with forward slashes: `src/generated/index.ts`. */
  readonly path: string;
  readonly action: 'add' | 'change' | 'delete' | 'keep';
  /**
   * Its text on disk is neither the last generated text nor the new text: it was edited by hand.
   */
  readonly edited: boolean;
  readonly before: string | null;
  readonly after: string | null;
  /** Why a file of its owner's is changed, or one of ours that git has changed. */
  readonly why?: string;
}

export interface WritePlan {
  /** The project's folder. */
  readonly folder: string;
  /** Every generated file, old and new, by code point; the manifest last. */
  readonly files: readonly PlannedFile[];
  /**
   * The project's own files: those that are absent, to be added (once there, they are the user's),
   * and the few changes that say why.
   */
  readonly project: readonly PlannedFile[];
  /** Files in the generated folder that are not ours: left alone. */
  readonly untracked: readonly string[];
}

export interface PlanOptions {
  /** For the manifest. */
  readonly origin: Origin;
  /** What tells an edited file from an outdated one. Default: nothing, so each counts as edited. */
  readonly witnesses?: Witnesses;
  /** The project's own files, by path in the project: written where absent. */
  readonly project?: ReadonlyMap<string, string>;
  /** Whether a folder with files of its owner may become a project. */
  readonly adopt?: boolean;
  readonly fileSystem?: FileSystem;
}

/**
 * Compares the wanted files, by path in `src/generated`, with a project's folder and its manifest.
 * Reads only.
 *
 * Throws OUTPUT_FOREIGN when the folder is not a project of ours, or when a file that we did not
 * write stands where one of ours must go. Edited files do not throw: `assertNotEdited` does, so
 * that `check` can report them.
 */
export async function planWrites(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  options: PlanOptions,
): Promise<WritePlan> {
  assertPaths(wanted);
  const fileSystem = options.fileSystem ?? diskFileSystem;
  try {
    if (options.adopt !== true) await assertProjectFolder(folder, fileSystem);
    return {
      ...(await planGenerated(folder, wanted, options, fileSystem)),
      project: await planProject(folder, options.project ?? new Map<string, string>(), fileSystem),
    };
  } catch (error) {
    throw outputError(error, `read ${folder}`);
  }
}

/** A plan for the project's own files only, beside any other files in the folder. Reads only. */
export async function planProjectFiles(
  folder: string,
  project: ReadonlyMap<string, string>,
  fileSystem: FileSystem = diskFileSystem,
): Promise<WritePlan> {
  try {
    return { folder, files: [], project: await planProject(folder, project, fileSystem), untracked: [] };
  } catch (error) {
    throw outputError(error, `read ${folder}`);
  }
}

/** Throws OUTPUT_EDITED with the files that were edited by hand: writing would lose the edits. */
export function assertNotEdited(plan: WritePlan): void {
  const edited = plan.files.filter((file) => file.edited).map((file) => file.path);
  if (edited.length === 0) return;
  const shown = edited.slice(0, 5).join(', ') + (edited.length > 5 ? ` and ${String(edited.length - 5)} more` : '');
  throw new TablewrightError(
    'OUTPUT_EDITED',
    `${edited.length === 1 ? 'A generated file was' : 'Generated files were'} edited by hand: ${shown}.`,
    edited.some((path) => path.startsWith(copiedFolder))
      ? 'The runtime is a package now: let --force remove its copy, then make your changes in the sources that `npx tablewright eject` gives you.'
      : 'Move your changes to src/custom or to tablewright.config, or let --force replace the file and lose them.',
  );
}

/** Whether the generated files are up to date. */
export const isUpToDate = (plan: WritePlan): boolean => plan.files.every((file) => file.action === 'keep');

/** How many generated files each action touches. */
export function countActions(plan: WritePlan): Record<PlannedFile['action'], number> {
  const counts = { add: 0, change: 0, delete: 0, keep: 0 };
  for (const file of plan.files) counts[file.action] += 1;
  return counts;
}

async function planGenerated(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  { origin, witnesses = noWitnesses }: PlanOptions,
  fileSystem: FileSystem,
): Promise<Omit<WritePlan, 'project'>> {
  const root = join(folder, generatedFolder);
  const tree = await listFolderTree(root, fileSystem);
  const manifest = tree.files.has(manifestPath) ? await fileSystem.read(join(root, manifestPath)) : undefined;
  const read = async (path: string) => ({
    path,
    before: tree.files.has(path) ? ((await fileSystem.read(join(root, path))) ?? null) : null,
  });
  const wantedFiles = await mapConcurrently([...wanted.keys()], read);
  // To emit again takes as long as to emit, and only differences need it.
  const isSame =
    manifest !== undefined &&
    [...tree.files].every((path) => path === manifestPath || wanted.has(path)) &&
    wantedFiles.every(({ path, before }) => before === null || isSameText(before, wanted.get(path) ?? ''));
  const known = isSame ? asWanted(wanted) : await readWritten(manifest, origin, witnessesIn(witnesses));
  const others = known.isComplete ? known.paths : [...tree.files].filter((path) => path !== manifestPath);
  const unwanted = (await mapConcurrently([...others.filter((path) => !wanted.has(path))], read)).filter(
    ({ path, before }) => known.has(path) || (before !== null && isMarked(before)),
  );
  const present = [...wantedFiles, ...unwanted].sort((a, b) => compareCodePoints(a.path, b.path));
  const ours = new Set(present.map(({ path }) => path));
  assertOurs({ root, tree, manifest, known, wanted, present });
  const planned = await mapConcurrently(present, ({ path, before }) =>
    planFile(path, before, wanted.get(path) ?? null, known),
  );
  const files = planned.flat();
  const inProject = (path: string): string => `${generatedFolder}/${path}`;
  return {
    folder,
    files: [...files, planManifest(manifest ?? null, renderManifest(origin))].map((file) => ({
      ...file,
      path: inProject(file.path),
    })),
    untracked: [...tree.files].filter((path) => path !== manifestPath && !ours.has(path)).map(inProject),
  };
}

const asWanted = (wanted: ReadonlyMap<string, string>): Written => ({
  has: (path) => wanted.has(path),
  paths: [],
  isComplete: true,
  isEdited: () => Promise.resolve(false),
});

/** Paths of commits are the project's. */
const witnessesIn = ({ emitAgain, committed, merging }: Witnesses): Witnesses => ({
  emitAgain,
  committed: (path) => committed(`${generatedFolder}/${path}`),
  ...(merging && { merging: (path) => merging(`${generatedFolder}/${path}`) }),
});

const noWitnesses: Witnesses = {
  emitAgain: () => Promise.resolve(undefined),
  committed: () => Promise.resolve(undefined),
};

async function planFile(
  path: string,
  before: string | null,
  after: string | null,
  known: Written,
): Promise<PlannedFile[]> {
  if (before === null) return after === null ? [] : [{ path, action: 'add', edited: false, before, after }];
  if (after !== null && isSameText(before, after)) {
    return [{ path, action: 'keep', edited: false, before, after }];
  }
  const edited = await known.isEdited(path, before);
  return [{ path, action: after === null ? 'delete' : 'change', edited, before, after, ...conflictIn(before) }];
}

function planManifest(before: string | null, after: string): PlannedFile {
  const action = before === null ? 'add' : isSameText(before, after) ? 'keep' : 'change';
  return { path: manifestPath, action, edited: false, before, after, ...conflictIn(before ?? '') };
}

const conflictIn = (before: string): Pick<PlannedFile, 'why'> =>
  hasConflictMarkers(before) ? { why: 'conflict markers' } : {};

async function planProject(
  folder: string,
  wanted: ReadonlyMap<string, string>,
  fileSystem: FileSystem,
): Promise<PlannedFile[]> {
  const planned = await mapConcurrently([...wanted], async ([path, after]): Promise<PlannedFile[]> => {
    if (await isPresent(join(folder, path), fileSystem)) return [];
    return [{ path, action: 'add', edited: false, before: null, after }];
  });
  return planned.flat();
}

/** Whatever cannot be read but is there, such as a folder, is there. */
async function isPresent(path: string, fileSystem: FileSystem): Promise<boolean> {
  try {
    return (await fileSystem.read(path)) !== undefined;
  } catch (error) {
    if (systemCode(error) === 'EISDIR') return true;
    throw error;
  }
}

function assertPaths(wanted: ReadonlyMap<string, string>): void {
  const seen = new Map<string, string>();
  for (const path of wanted.keys()) {
    const folded = path.normalize('NFC').toLowerCase();
    const other = seen.get(folded);
    const reason = !isInside(path)
      ? `"${path}" leaves the output folder`
      : path === manifestPath
        ? `"${path}" is a reserved name`
        : other === undefined
          ? undefined
          : `"${path}" and "${other}" are the same file on some systems`;
    if (reason !== undefined) {
      throw new TablewrightError('INTERNAL', `A file cannot be written: ${reason}.`, 'Please report this as a bug.');
    }
    seen.set(folded, path);
  }
}
