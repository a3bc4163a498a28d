import { readFile, writeFile } from 'node:fs/promises';
import { buildModel } from '@tablewright/runtime/model';
import {
  findFiles,
  findRelationRenames,
  findRenames,
  placeText,
  renameText,
  type ApiState,
  type Rename,
} from '../api/index.js';
import type { Config } from '../config/load.js';
import { TablewrightError } from '../errors.js';
import type { Followed, FollowedFile } from '../follow/index.js';
import { readDatabase } from '../generate.js';
import { committedState } from './diff-api.js';
import { painted, unified, withoutLastNewline } from './patch.js';
import { converse } from './question.js';
import { progressOf, type Session, type SourceFlags } from './session.js';
import { printable } from './table.js';

/** What `generate --follow` takes. */
export interface FollowFlags extends SourceFlags {
  readonly follow?: boolean;
  readonly documents?: readonly string[];
  readonly since?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

/** The result of a run of `--follow`, before anything is written. */
export interface FollowPlan extends Followed {
  readonly after: ApiState;
  readonly renames: readonly Rename[];
  /** Uncertain renames that were not confirmed. */
  readonly proposed: readonly Rename[];
}

/**
 * Compares the database with the committed catalogue, and lets the user's files follow its renames,
 * in memory.
 */
export async function followPlan(session: Session, config: Config, flags: FollowFlags): Promise<FollowPlan> {
  const { stage } = progressOf(session, flags);
  const before = await committedState(config, flags.since);
  const documents = flags.documents === undefined ? [] : await findFiles(session.folder, flags.documents);
  const catalog = await stage('Read the database', () => readDatabase({ ...config, signal: session.signal }));
  const after = { catalog, model: buildModel(catalog, config.model) };
  const found = findRenames(before.catalog, catalog);
  const confirmed = await confirmProposed(session, flags, found);
  const renames = [...confirmed, ...findRelationRenames(before.model, after.model, confirmed)];
  const proposed = found.filter((rename) => !confirmed.includes(rename));
  if (renames.length === 0) return { after, renames, proposed, files: [], left: [] };
  const { out: folder, settings } = config;
  // TypeScript takes a moment to load, and no other command needs it.
  const { planFollow } = await import('../follow/index.js');
  const followed = await stage('Follow the renames', () =>
    planFollow({ folder, before, after, settings, renames, documents }),
  );
  return { after, renames, proposed, ...followed };
}

/** Certain renames, and the uncertain renames that the user confirms at the terminal. */
async function confirmProposed(
  session: Session,
  flags: FollowFlags,
  found: readonly Rename[],
): Promise<readonly Rename[]> {
  if (!asks(session, flags) || found.every(({ certain }) => certain)) return found.filter(({ certain }) => certain);
  return converse(session, async (ask) => {
    const confirmed: Rename[] = [];
    for (const rename of found) {
      if (rename.certain || isYes(await ask(`${printable(renameText(rename))} Was it?`, 'no'))) confirmed.push(rename);
    }
    return confirmed;
  });
}

const asks = ({ interactive }: Session, { yes, json, dryRun }: FollowFlags): boolean =>
  interactive && yes !== true && json !== true && dryRun !== true;

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer);

/** Shows the edits, and the places that a person has to check. */
export function printFollow({ terminal: { print, colors } }: Session, plan: FollowPlan): void {
  for (const rename of plan.renames) print(printable(`${placeText(rename.from)} → ${placeText(rename.to)}`));
  for (const rename of plan.proposed) print(printable(`Not followed: ${renameText(rename)}`));
  if (plan.renames.length === 0) print('No rename of the database affects your code.');
  for (const file of plan.files) print(withoutLastNewline(painted(unified(file), colors.out)));
  if (plan.left.length === 0) return;
  print(colors.out.yellow('To review:'));
  for (const { file, line, message } of plan.left) print(printable(`  ${file}:${String(line)}  ${message}`));
}

/** What `--json` shows of a plan. */
export const followDocument = ({ renames, proposed, files, left }: FollowPlan, written: boolean): unknown => ({
  written,
  renames,
  proposed,
  files: files.map((file) => ({ path: file.path, diff: unified(file) })),
  left,
});

/** Whether the files may be written: `--yes`, or a terminal's yes. */
export async function mayFollow(session: Session, flags: FollowFlags, { files }: FollowPlan): Promise<boolean> {
  if (flags.dryRun === true) return false;
  if (files.length === 0 || flags.yes === true) return true;
  if (!asks(session, flags)) return false;
  const count = files.length === 1 ? 'this file' : `these ${String(files.length)} files`;
  return converse(session, async (ask) => isYes(await ask(`Write ${count}, and the generated ones?`, 'no')));
}

/**
 * Writes the user's files. Called when the generated ones are written: what fails before leaves all
 * as it was.
 * @throws TablewrightError OUTPUT_EDITED when one of them was changed in the meantime
 */
export async function writeFollowed(files: readonly FollowedFile[]): Promise<void> {
  for (const file of files) {
    if ((await readFile(file.absolute, 'utf8')) !== file.before) throw changedMeanwhile(file);
  }
  for (const { absolute, after } of files) await writeFile(absolute, after);
}

const changedMeanwhile = ({ path }: FollowedFile): TablewrightError =>
  new TablewrightError(
    'OUTPUT_EDITED',
    `${path} was changed while the command ran, and is left as it is.`,
    'The generated files are new already: rename the names that TypeScript reports, or restore the old files and run it again.',
  );
