import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { applyWrites, recover } from '../output/apply.js';
import { planEjection, type Ejection } from '../output/eject.js';
import { diskFileSystem } from '../output/file-system.js';
import { withLock } from '../output/lock.js';
import { plannedPackage } from '../output/owned-package.js';
import { projectCommands } from '../output/scripts.js';
import { runtimePackage } from '../package.js';
import { exitCodes } from './exit-codes.js';
import { fileLine } from './listing.js';
import { shownFolder } from './pipeline.js';
import { printJson, withCommonFlags, type CommonFlags, type Session } from './session.js';

interface EjectFlags extends CommonFlags {
  readonly out?: string;
  readonly to: string;
  readonly dryRun?: boolean;
}

/** `tablewright eject` */
export function ejectCommand(session: Session): Command {
  const command = new Command('eject')
    .description('put the sources of the runtime into a project, as a local package of the same name')
    .option('--out <folder>', 'the folder of the project (default: the current one)')
    .option('--to <folder>', 'where in the project the sources go', 'runtime')
    .option('--dry-run', 'show what would be written, and write nothing')
    .action((flags: EjectFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright eject', 'tablewright eject --out server --to packages/runtime --dry-run'],
    ['0    done', '1    error, nothing was written', '130  interrupted, nothing was written'],
  );
}

async function run(session: Session, flags: EjectFlags): Promise<void> {
  const out = resolve(session.folder, flags.out ?? '.');
  const to = flags.to.replaceAll('\\', '/').replace(/^\.\//, '').replace(/\/$/, '');
  const plan = (): Promise<Ejection> => planEjection(out, to, runtimePackage());
  const write = async (): Promise<Ejection> => {
    await recover(out);
    const ejection = await plan();
    await applyWrites(ejection.plan, { signal: session.signal });
    return ejection;
  };
  const ejection = flags.dryRun === true ? await plan() : await withLock(out, write);
  session.exitCode = exitCodes.success;
  if (flags.json === true) {
    const files = ejection.plan.project.map(fileLine);
    const { version } = runtimePackage();
    printJson(session, { folder: shownFolder(session, out), to, version, written: flags.dryRun !== true, files });
  } else await print(session, out, to, ejection, flags);
}

async function print(
  session: Session,
  out: string,
  to: string,
  { plan, builds }: Ejection,
  { dryRun = false }: EjectFlags,
): Promise<void> {
  const { name, version } = runtimePackage();
  const { terminal } = session;
  const added = plan.project.filter(({ action }) => action === 'add').length;
  const verb = dryRun ? 'would be written' : 'written';
  terminal.print(`${to} ${verb}: the sources of ${name} ${version}, ${added} files, yours from now on.`);
  for (const { path, action, why } of plan.project) {
    if (action === 'delete') terminal.print(`  ${action}  ${path}`);
    else if (action !== 'add') terminal.print(`  ${action}  ${path}  (${why ?? ''})`);
  }
  if (dryRun) return;
  const folder = shownFolder(session, out);
  const { build, start } = projectCommands(await plannedPackage(plan));
  terminal.print('');
  terminal.print('Next:');
  if (folder !== '.') terminal.print(`  cd ${folder}`);
  terminal.print('  npm install');
  if (!builds || build !== 'npm run build') terminal.print(`  npm run build --prefix ${to}`);
  terminal.print(`  ${build}`);
  terminal.print(`  ${start}`);
  if ((await diskFileSystem.read(join(out, 'Dockerfile'))) === undefined) return;
  terminal.print('');
  terminal.print(`Your Dockerfile needs a line in its last stage: COPY --from=build /app/${to} ./${to}`);
}
