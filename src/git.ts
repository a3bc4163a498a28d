import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { TablewrightError } from './errors.js';

const run = promisify(execFile);

/**
 * A file of a folder as it was at a commit; undefined when the commit does not have it.
 * @throws TablewrightError USAGE when there is no such commit, or no git
 */
export async function fileAtCommit(folder: string, commit: string, path: string): Promise<string | undefined> {
  const revision = await git(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${commit}^{commit}`]);
  if (revision === undefined) {
    throw new TablewrightError(
      'USAGE',
      `git knows no commit "${commit}" in ${folder}.`,
      'Name a branch, tag or commit. In CI, fetch it first: a shallow clone has the newest commit only.',
    );
  }
  return git(folder, ['show', `${revision.trim()}:./${path}`]);
}

/**
 * The same at the commit that git is about to merge into the newest one; undefined when there is
 * none.
 */
export async function fileBeingMerged(folder: string, path: string): Promise<string | undefined> {
  for (const commit of ['MERGE_HEAD', 'REBASE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']) {
    const found = await git(folder, ['show', `${commit}:./${path}`]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The root of the repository that a folder is in; undefined where there is none. */
export const repositoryOf = async (folder: string): Promise<string | undefined> =>
  (await git(folder, ['rev-parse', '--show-toplevel']))?.trim();

/** What git prints; undefined when it refuses. */
async function git(folder: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run('git', [...args], { cwd: folder, maxBuffer: 1024 ** 3 });
    return stdout;
  } catch {
    return undefined;
  }
}
