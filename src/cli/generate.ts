import { Command, Option } from 'commander';
import { readEnvFiles, type Catalog } from '@tablewright/runtime/model';
import type { Config } from '../config/load.js';
import { splitList } from '../config/schema.js';
import { TablewrightError } from '../errors.js';
import { generate, type GenerateResult } from '../generate.js';
import { leavesCopy } from '../output/upgrade/upgrade.js';
import { countActions } from '../output/plan.js';
import { exitCodes } from './exit-codes.js';
import type { FollowFlags } from './follow.js';
import { listFiles, nextSteps, fileLine } from './listing.js';
import { optionsOf, shownFolder } from './pipeline.js';
import { asNewProject } from './new-project.js';
import { configure, printJson, progressOf, withCommonFlags, withSourceFlags, type Session } from './session.js';
import { watchSource, withInterval, type WatchFlags } from './watch.js';

interface GenerateFlags extends FollowFlags, WatchFlags {
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
    .option('--follow', 'apply renames of the database to your code and documents; shows the change first')
    .addOption(
      new Option(
        '--documents <patterns>',
        '--follow: files with GraphQL outside the project’s code, comma-separated: .graphql, scripts',
      ).argParser(splitList),
    )
    .option(
      '--since <commit>',
      '--follow: take the old names from this commit, if the folder has the new names already',
    )
    .option('--yes', '--follow: write without asking; only renames that are certain')
    .action((flags: GenerateFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright generate --url postgres://me@localhost/shop --out server',
      'DATABASE_URL=postgres://me@localhost/shop tablewright generate --schemas kanban,shop',
      "tablewright generate --follow --documents 'app/**/*.graphql'",
    ],
    [
      '0    done; --watch: ended by Ctrl-C',
      '1    error, nothing was written',
      '2    --follow: your files would change, and the question was not answered with yes; nothing was written',
      '130  interrupted, nothing was written',
    ],
  );
}

async function run(session: Session, flags: GenerateFlags): Promise<void> {
  checkFollowFlags(flags);
  if (flags.watch !== true) {
    await (flags.follow === true ? follow(session, flags) : once(session, flags));
    return;
  }
  if (flags.json === true) {
    throw new TablewrightError('USAGE', '--json prints one document, --watch never ends.', 'Leave one of the two out.');
  }
  await watchSource(session, flags, () => once(session, flags));
}

function checkFollowFlags(flags: GenerateFlags): void {
  const usage = (message: string, hint: string): TablewrightError => new TablewrightError('USAGE', message, hint);
  if (flags.follow === true) {
    if (flags.watch === true) throw usage('--follow asks before it writes, --watch never does.', 'Give one of them.');
    return;
  }
  for (const name of ['documents', 'since', 'yes'] as const) {
    if (flags[name] !== undefined) throw usage(`--${name} is for --follow.`, 'Give --follow as well.');
  }
}

/**
 * Generates, and applies renames to the user's files. The plan is complete and shown before
 * anything is written.
 */
async function follow(session: Session, flags: GenerateFlags): Promise<void> {
  // What compares two APIs takes half a second to load.
  const { followDocument, followPlan, mayFollow, printFollow, writeFollowed } = await import('./follow.js');
  const config = await configure(session, flags);
  const plan = await followPlan(session, config, flags);
  const json = flags.json === true;
  if (!json) printFollow(session, plan);
  const written = await mayFollow(session, flags, plan);
  if (written) {
    await generateFrom(session, config, { ...flags, json: false, quiet: json }, plan.after.catalog);
    await writeFollowed(plan.files);
  } else if (!json) session.terminal.print('Nothing was written: --yes writes it.');
  if (json) printJson(session, followDocument(plan, written));
  session.exitCode = written || plan.files.length === 0 ? exitCodes.success : exitCodes.differences;
}

async function once(session: Session, flags: GenerateFlags): Promise<void> {
  const config = await asNewProject(await configure(session, flags), { names: false });
  await generateFrom(session, config, flags);
}

async function generateFrom(
  session: Session,
  config: Config,
  flags: GenerateFlags & { readonly quiet?: boolean },
  catalog?: Catalog,
): Promise<void> {
  const result = await generate({
    ...optionsOf(config),
    catalog,
    force: flags.force,
    dryRun: flags.dryRun,
    signal: session.signal,
    reporter: progressOf(session, flags),
  });
  session.exitCode = exitCodes.success;
  if (flags.quiet === true) return;
  const folder = shownFolder(session, config.out);
  if (flags.json === true) printJson(session, summary(folder, result, flags));
  else print(session, config, result, flags);
}

/** What `--json` shows of a run. */
function summary(folder: string, { plan, model, fingerprint }: GenerateResult, flags: GenerateFlags): unknown {
  const changed = [...plan.project, ...plan.files].filter((file) => file.action !== 'keep');
  return {
    folder,
    written: flags.dryRun !== true,
    fingerprint,
    counts: countActions(plan),
    files: changed.map(fileLine),
    untracked: plan.untracked,
    warnings: model.warnings,
  };
}

function print(
  session: Session,
  { out }: Config,
  { plan, catalog, model, commands }: GenerateResult,
  flags: GenerateFlags,
): void {
  const { terminal } = session;
  const folder = shownFolder(session, out);
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
  const own = plan.project.filter((file) => file.action === 'add').map((file) => file.path);
  if (own.length > 0) terminal.print(`Yours from now on: ${own.join(', ')}.`);
  if (flags.dryRun === true) return;
  if (first && own.length < plan.project.length) terminal.print('Scripts were added to your package.json.');
  if (leavesCopy(plan)) terminal.print(`Next: ${commands.install}`);
  if (!first) return;
  const inFile = readEnvFiles(out, {})['DATABASE_URL'] !== undefined;
  for (const line of nextSteps(folder, commands, inFile, catalog.dialect)) terminal.print(line);
}
