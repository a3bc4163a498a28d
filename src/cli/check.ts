import { Command } from 'commander';
import type { ApiChange } from '@tablewright/runtime/model';
import { isUpToDate } from '../output/plan.js';
import { exitCodes } from './exit-codes.js';
import { fileLine, listFiles } from './listing.js';
import { compareWithDisk, mendingCommand, shownFolder, type Comparison } from './pipeline.js';
import { printJson, withCommonFlags, withSourceFlags, type Session, type SourceFlags } from './session.js';
import { printable } from './table.js';
import type { Terminal } from './terminal.js';

interface CheckFlags extends SourceFlags {
  readonly offline?: boolean;
}

/** Ends of `check` and `diff`. */
export const comparisonExits = [
  '0  the generated files are up to date',
  '1  error',
  '2  they differ',
  '3  they differ, and clients of the API may break',
];

/** `tablewright check` */
export function checkCommand(session: Session): Command {
  const command = new Command('check').description('check whether the generated files are up to date');
  withSourceFlags(command)
    .option('--offline', 'compare with the committed catalog.json instead of the database')
    .action((flags: CheckFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright check --url postgres://me@localhost/shop --out server', 'tablewright check --offline'],
    comparisonExits,
  );
}

async function run(session: Session, flags: CheckFlags): Promise<void> {
  const comparison = await compareWithDisk(session, flags);
  session.exitCode = comparisonCode(comparison);
  const { plan, changes, config } = comparison;
  const differences = plan.files.filter((file) => file.action !== 'keep');
  if (flags.json === true) {
    printJson(session, {
      upToDate: isUpToDate(plan),
      breaking: session.exitCode === exitCodes.breaking,
      differences: differences.map(fileLine),
      changes,
      command: mendingCommand(flags),
    });
    return;
  }
  const { terminal } = session;
  const folder = shownFolder(session, config.out);
  if (differences.length === 0) {
    terminal.print(`${folder} is up to date.`);
    return;
  }
  const source = flags.offline === true ? 'its catalog.json' : 'the database';
  const count = differences.length === 1 ? '1 file is' : `${String(differences.length)} files are`;
  terminal.print(`${folder}: ${count} out of date with ${source} and the configuration.`);
  listFiles(terminal, differences);
  printChanges(terminal, changes);
  terminal.print(
    `To update them: ${mendingCommand(flags)}${differences.some((file) => file.edited) ? ' --force' : ''}`,
  );
}

/** 0 when nothing differs; 3 when something that does may break a client; else 2. */
export function comparisonCode({ plan, changes }: Comparison): number {
  if (isUpToDate(plan)) return exitCodes.success;
  return changes.some((change) => change.breaking) ? exitCodes.breaking : exitCodes.differences;
}

/** The effect of the differences on clients of the API. */
export function printChanges({ print, colors }: Terminal, changes: readonly ApiChange[]): void {
  if (changes.length === 0) return;
  const { green, red } = colors.out;
  print('For clients of the API:');
  for (const { breaking, description } of changes) {
    print(`  ${breaking ? red('breaking') : green('harmless')}  ${printable(description)}`);
  }
}
