import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { isMysqlAddress } from '@tablewright/runtime/model';
import { splitList } from '../config/schema.js';
import { projectFiles, rowFilters } from '../generate.js';
import { applyWrites } from '../output/apply.js';
import { withLock } from '../output/lock.js';
import { warnOfTakenScripts, withCompletedScripts } from '../output/owned-package.js';
import { planProjectFiles } from '../output/plan.js';
import { exitCodes } from './exit-codes.js';
import { repositoryOf } from './git.js';
import { shownFolder } from './pipeline.js';
import { converse } from './question.js';
import { printJson, progressOf, withCommonFlags, type CommonFlags, type Session } from './session.js';

interface InitFlags extends CommonFlags {
  readonly out?: string;
  readonly schemas?: readonly string[];
  readonly yes?: boolean;
}

/** `tablewright init` */
export function initCommand(session: Session): Command {
  const command = new Command('init')
    .description('write the files a project begins with, where they are absent; no database is needed')
    .option('--out <folder>', 'the folder of the project (default: the current one)')
    .addOption(new Option('--schemas <names>', 'database schemas, comma-separated (default: all)').argParser(splitList))
    .option('--yes', 'ask nothing, take the defaults')
    .action((flags: InitFlags) => run(session, flags));
  return withCommonFlags(
    command,
    ['tablewright init --out server', 'tablewright init --out server --schemas kanban,shop --yes'],
    ['0    done', '1    error, nothing was written', '130  interrupted, nothing was written'],
  );
}

async function run(session: Session, flags: InitFlags): Promise<void> {
  const answers = session.interactive && flags.yes !== true && flags.json !== true ? await ask(session, flags) : flags;
  const out = resolve(session.folder, answers.out ?? '.');
  const schemas = answers.schemas !== undefined && answers.schemas.length > 0 ? answers.schemas : undefined;
  const dialect = isMysqlAddress(session.environment['DATABASE_URL'] ?? '') ? 'mysql' : 'postgres';
  const { plan, taken } = await withLock(out, async () => {
    const files = await projectFiles({ out, schemas, dialect, pipeline: true });
    const completed = await withCompletedScripts(await planProjectFiles(out, files), files);
    await applyWrites(completed.plan, { signal: session.signal });
    return completed;
  });
  warnOfTakenScripts(taken, progressOf(session, flags).warn);
  session.exitCode = exitCodes.success;
  const written = plan.project.map((file) => file.path);
  const folder = shownFolder(session, out);
  if (flags.json === true) {
    printJson(session, { folder, written });
    return;
  }
  const { print } = session.terminal;
  if (written.length === 0) print(`${folder} has all the files of a project already.`);
  else print(`${folder} written: ${written.join(', ')}.`);
  print('');
  print('Next:');
  if (folder !== '.') print(`  cd ${folder}`);
  print('  npm install');
  print(`  DATABASE_URL=${dialect}://user@host/database npm run generate`);
  print('');
  print('The file .env may hold DATABASE_URL instead: .env.example shows how.');
  print(
    dialect === 'mysql'
      ? `${rowFilters} is for the database: it decides who sees which rows.`
      : 'GraphQL subscriptions need SQL at the database: npx tablewright changes --sql',
  );
  if (!written.includes(workflow)) return;
  print('');
  print(`${workflow} checks every commit: add your migrations to package.json as the script "migrate".`);
  const root = await repositoryOf(out);
  if (root !== undefined && root !== out) {
    print(`GitHub reads it at the root of the repository: move it there, and name ${shownFolder(session, out)} in it.`);
  }
}

const workflow = '.github/workflows/tablewright.yml';

/** Asks for what no flag gave. An empty answer is the default. */
const ask = (session: Session, flags: InitFlags): Promise<InitFlags> =>
  converse(session, async (question) => {
    const out = flags.out ?? (await question('Folder of the project', '.'));
    const schemas = flags.schemas ?? splitList(await question('Database schemas, comma-separated', 'all'));
    return { ...flags, out: out === '' ? '.' : out, schemas };
  });
