import { Command } from 'commander';
import { createTwoFilesPatch } from 'diff';
import type { PlannedFile } from '../output/plan.js';
import { comparisonCode, comparisonExits, printChanges } from './check.js';
import { exitCodes } from './exit-codes.js';
import { compareWithDisk } from './pipeline.js';
import { printJson, withCommonFlags, withSourceFlags, type Session, type SourceFlags } from './session.js';
import type { Colors } from './terminal.js';

interface DiffFlags extends SourceFlags {
  readonly offline?: boolean;
}

/** `tablewright diff` */
export function diffCommand(session: Session): Command {
  const command = new Command('diff').description('show, line by line, what `generate` would change');
  withSourceFlags(command)
    .option('--offline', 'compare with the committed catalog.json instead of the database')
    .action((flags: DiffFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright diff --url postgres://me@localhost/shop --out server', 'tablewright diff --offline | less -R'],
    comparisonExits,
  );
}

async function run(session: Session, flags: DiffFlags): Promise<void> {
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

/** The unified form, as `git apply` and `patch -p1` take it. */
function unified({ path, before, after }: PlannedFile): string {
  const patch = createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    before?.replaceAll('\r\n', '\n') ?? '',
    after ?? '',
  );
  // The library begins with a line of `=` that is not part of the format.
  return patch.slice(patch.indexOf('--- '));
}

/** Not trimmed: a patch may end with an empty line of context, which is a space. */
const withoutLastNewline = (text: string): string => text.replace(/\n$/, '');

function painted(diff: string, { bold, cyan, green, red }: Colors): string {
  return diff
    .split('\n')
    .map((line) => {
      if (line.startsWith('--- ') || line.startsWith('+++ ')) return bold(line);
      if (line.startsWith('@@')) return cyan(line);
      if (line.startsWith('+')) return green(line);
      return line.startsWith('-') ? red(line) : line;
    })
    .join('\n');
}
