import { execFileSync } from 'node:child_process';
import { codeFolders, reachedSuites } from './reached-suites.js';
import { readModules, repository } from './imports.js';

export interface Selection {
  /** Files that differ from the base, and files that git does not know and does not ignore. */
  readonly changed: readonly string[];
  /** `all` when the change can reach every suite. */
  readonly suites: readonly string[] | 'all';
}

/**
 * The suites that the work since a commit can reach.
 * @param base a commit; `HEAD` selects by what is not committed
 * @throws Error with git's message if it does not know the commit
 */
export function selectSuites(base: string): Selection {
  const changed = [
    ...git('diff', '--name-only', '--no-renames', base, '--'),
    ...git('ls-files', '--others', '--exclude-standard'),
  ];
  const modules = readModules(codeFolders, { types: false });
  const suites = reachedSuites(modules, changed);
  return { changed, suites: suites === 'all' ? 'all' : [...suites].sort() };
}

const git = (...args: readonly string[]): readonly string[] =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== '');
