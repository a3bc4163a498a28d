import { Command } from 'commander';
import { TablewrightError } from '../errors.js';
import { generate, type GenerateResult } from '../generate.js';
import { countActions } from '../output/plan.js';
import { exitCodes } from './exit-codes.js';
import { listFiles, nextSteps, type FileLine } from './listing.js';
import { optionsOf, shownFolder } from './pipeline.js';
import {
  configure,
  printJson,
  progressOf,
  withCommonFlags,
  withSourceFlags,
  type Session,
  type SourceFlags,
} from './session.js';
import { watchSource, withInterval, type WatchFlags } from './watch.js';

interface GenerateFlags extends SourceFlags, WatchFlags {
  readonly dryRun?: boolean;
  readonly watch?: boolean;
  readonly force?: boolean;
}

/** `tablewright generate` */
export function generateCommand(session: Session): Command {
  const command = new Command('generate').description('write a server for a database, or bring one up to date');
  withInterval(withSourceFlags(command))
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--watch', 'generate again whenever the schema of the database or the configuration changes')
    .option('--force', 'replace generated files that were edited by hand')
    .action((flags: GenerateFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright generate --url postgres://me@localhost/shop --out server',
      'DATABASE_URL=postgres://me@localhost/shop tablewright generate --schemas kanban,shop',
    ],
    ['0    done; --watch: ended by Ctrl-C', '1    error, nothing was written', '130  interrupted, nothing was written'],
  );
}

async function run(session: Session, flags: GenerateFlags): Promise<void> {
  if (flags.watch !== true) {
    await once(session, flags);
    return;
  }
  if (flags.json === true) {
    throw new TablewrightError('USAGE', '--json prints one document, --watch never ends.', 'Leave one of the two out.');
  }
  await watchSource(session, flags, () => once(session, flags));
}

async function once(session: Session, flags: GenerateFlags): Promise<void> {
  const config = await configure(session, flags);
  const result = await generate({
    ...optionsOf(config),
    force: flags.force,
    dryRun: flags.dryRun,
    signal: session.signal,
    reporter: progressOf(session, flags),
  });
  const folder = shownFolder(session, config.out);
  if (flags.json === true) printJson(session, summary(folder, result, flags));
  else print(session, folder, result, flags);
  session.exitCode = exitCodes.success;
}

/** What `--json` shows of a run. */
function summary(folder: string, { plan, model, fingerprint }: GenerateResult, flags: GenerateFlags): unknown {
  const changed = [...plan.project, ...plan.files].filter((file) => file.action !== 'keep');
  return {
    folder,
    written: flags.dryRun !== true,
    fingerprint,
    counts: countActions(plan),
    files: changed.map(({ path, action, edited }): FileLine => ({ path, action, edited })),
    untracked: plan.untracked,
    warnings: model.warnings,
  };
}

function print(session: Session, folder: string, { plan, model }: GenerateResult, flags: GenerateFlags): void {
  const { terminal } = session;
  const counts = countActions(plan);
  const changed = counts.add + counts.change + counts.delete + plan.project.length;
  const tables = `${String(model.tables.length)} ${model.tables.length === 1 ? 'table' : 'tables'}`;
  if (changed === 0) {
    terminal.print(`${folder} is up to date: ${tables}, ${String(counts.keep)} files.`);
    return;
  }
  const first = counts.keep + counts.change + counts.delete === 0;
  if (!first || flags.dryRun === true) listFiles(terminal, [...plan.project, ...plan.files]);
  const parts = [
    ...(counts.add > 0 ? [`${String(counts.add)} added`] : []),
    ...(counts.change > 0 ? [`${String(counts.change)} changed`] : []),
    ...(counts.delete > 0 ? [`${String(counts.delete)} deleted`] : []),
    ...(counts.keep > 0 ? [`${String(counts.keep)} unchanged`] : []),
  ];
  const verb = flags.dryRun === true ? 'would be written' : 'written';
  terminal.print(`${folder} ${verb}: ${tables}, files ${parts.length === 0 ? 'unchanged' : parts.join(', ')}.`);
  if (plan.project.length > 0) {
    terminal.print(`Yours from now on: ${plan.project.map((file) => file.path).join(', ')}.`);
  }
  if (flags.dryRun !== true && first) for (const line of nextSteps(folder)) terminal.print(line);
}
