import { Command, Option } from 'commander';
import { splitList } from '../config/schema.js';
import { TablewrightError } from '../errors.js';
import { comparisonCode, printChanges } from './check.js';
import type { ApiFlags } from './diff-api.js';
import { exitCodes } from './exit-codes.js';
import { compareWithDisk } from './pipeline.js';
import { printJson, withCommonFlags, withSourceFlags, type Session } from './session.js';
import { painted, unified, withoutLastNewline } from './patch.js';

const exits = [
  '0  the generated files are up to date; --api: nothing breaks clients',
  '1  error',
  '2  they differ',
  '3  they differ, and clients of the API may break; --api: something breaks clients',
];

/** `tablewright diff` */
export function diffCommand(session: Session): Command {
  const command = new Command('diff').description('show, line by line, what `generate` would change');
  withSourceFlags(command)
    .option('--offline', 'compare with the committed catalog.json instead of the database')
    .option('--api', 'show the changes for clients, over GraphQL and REST, instead of files')
    .option('--since <commit>', '--api: compare with the API of this commit, instead of the one in the folder')
    .addOption(
      new Option(
        '--documents <patterns>',
        '--api: find the operations that break in these files, comma-separated: .graphql, scripts, manifests of ' +
          'persisted operations (.json), usage logs (.jsonl)',
      ).argParser(splitList),
    )
    .option('--role <name>', '--api: the changes for a database role; what it may not use is left out')
    .option('--stat', '--api: count the changes of each table')
    .option('--markdown', '--api: print a comment for a pull request')
    .action((flags: ApiFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright diff --url postgres://me@localhost/shop --out server',
      'tablewright diff --offline | less -R',
      "tablewright diff --api --documents 'src/**/*.graphql'",
      'tablewright diff --api --offline --since origin/main --markdown',
    ],
    exits,
  );
}

async function run(session: Session, flags: ApiFlags): Promise<void> {
  if (flags.api === true) {
    const { diffApi } = await import('./diff-api.js');
    await diffApi(session, flags);
    return;
  }
  for (const name of ['since', 'documents', 'role', 'stat', 'markdown'] as const) {
    if (flags[name] === undefined) continue;
    throw new TablewrightError(
      'USAGE',
      `--${name} is for --api.`,
      `Give --api as well: tablewright diff --api --${name} …`,
    );
  }
  const comparison = await compareWithDisk(session, flags);
  session.exitCode = comparisonCode(comparison);
  const differences = comparison.plan.files
    .filter((file) => file.action !== 'keep')
    .map((file) => ({ path: file.path, action: file.action, edited: file.edited, diff: unified(file) }));
  if (flags.json === true) {
    const breaking = session.exitCode === exitCodes.breaking;
    printJson(session, { upToDate: differences.length === 0, breaking, differences, changes: comparison.changes });
    return;
  }
  const { terminal } = session;
  for (const { diff } of differences) terminal.print(withoutLastNewline(painted(diff, terminal.colors.out)));
  printChanges(terminal, comparison.changes);
}
