import { relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { nameStyles, type NameStyle } from '../dialects/name-styles.js';
import { chosen } from '../config/load.js';
import { splitList } from '../config/schema.js';
import { dialectOf } from '../dialects/index.js';
import { projectFiles } from '../generate.js';
import { applyWrites } from '../output/apply.js';
import { withLock } from '../output/lock.js';
import { warnOfTakenScripts, withCompletedScripts } from '../output/owned-package.js';
import { planProjectFiles } from '../output/plan.js';
import { exitCodes } from './exit-codes.js';
import { repositoryOf } from '../git.js';
import { shownFolder } from './pipeline.js';
import { converse, type Ask } from './question.js';
import { indented, printJson, progressOf, withCommonFlags, type CommonFlags, type Session } from './session.js';

interface InitFlags extends CommonFlags {
  readonly out?: string;
  readonly schemas?: readonly string[] | undefined;
  readonly names?: NameStyle;
  readonly yes?: boolean;
}

const styles = Object.keys(nameStyles) as readonly NameStyle[];

/** `tablewright init` */
export function initCommand(session: Session): Command {
  const command = new Command('init')
    .description('write the files a project begins with, where they are absent; no database is needed')
    .option('--out <folder>', 'the folder of the project (default: the current one)')
    .addOption(new Option('--schemas <names>', 'database schemas, comma-separated (default: all)').argParser(splitList))
    .addOption(
      new Option(
        '--names <style>',
        'contract: kanbanIssues, story_points; plain: issues, story_points; short: issues, storyPoints (default: contract; on MariaDB: plain)',
      ).choices(styles),
    )
    .option('--yes', 'ask nothing, take the defaults')
    .action((flags: InitFlags) => run(session, flags));
  return withCommonFlags(
    command,
    [
      'tablewright init --out server',
      'tablewright init --out server --schemas kanban,shop --yes',
      'tablewright init --out server --names short',
    ],
    ['0    done', '1    error, nothing was written', '130  interrupted, nothing was written'],
  );
}

async function run(session: Session, flags: InitFlags): Promise<void> {
  const dialect = dialectOf(session.environment['DATABASE_URL']);
  const asks = session.interactive && flags.yes !== true && flags.json !== true;
  const answers = asks ? await ask(session, flags, dialect.names) : flags;
  const out = resolve(session.folder, answers.out ?? '.');
  const schemas = chosen('--schemas', answers.schemas);
  const names = nameStyles[answers.names ?? dialect.names];
  const { plan, taken } = await withLock(out, async () => {
    const files = await projectFiles({
      ...{ out, schemas, names, types: dialect.types },
      dialect: dialect.name,
      pipeline: true,
    });
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
  print(`  DATABASE_URL=${dialect.address.scheme}://user@host/database npm run generate`);
  print('');
  print('The file .env may hold DATABASE_URL instead: .env.example shows how.');
  for (const [path, purpose] of Object.entries(dialect.files)) print(`${path} ${purpose}.`);
  const { needs, sql, more } = dialect.changes.outline('npx tablewright changes --sql');
  for (const line of [needs, indented(sql), ...more]) print(line);
  if (!written.includes(workflow)) return;
  print('');
  print(`${workflow} checks every commit: add your migrations to package.json as the script "migrate".`);
  const root = await repositoryOf(out);
  if (root !== undefined && root !== out) {
    print(`GitHub reads it at the root of the repository: move it there, and name ${relative(root, out)} in it.`);
  }
}

const workflow = '.github/workflows/tablewright.yml';

/** Asks for each choice without a flag. An empty answer selects the default. */
const ask = (session: Session, flags: InitFlags, usual: NameStyle): Promise<InitFlags> =>
  converse(session, async (question) => {
    const out = flags.out ?? (await question('Folder of the project', '.'));
    const schemas = flags.schemas ?? (await askSchemas(question));
    const names = flags.names ?? (await askNames(question, usual));
    return { ...flags, out: out === '' ? '.' : out, schemas, names };
  });

/** Undefined for all. */
async function askSchemas(question: Ask): Promise<readonly string[] | undefined> {
  const names = splitList(await question('Database schemas, comma-separated', 'all'));
  return names.length === 0 ? undefined : names;
}

/** Asks until it understands the answer. */
async function askNames(question: Ask, usual: NameStyle): Promise<NameStyle> {
  for (;;) {
    const answer = await question(
      'Names, contract (kanbanIssues, story_points), plain (issues, story_points) or short (issues, storyPoints)',
      usual,
    );
    const style = styles.find((each) => each === answer.toLowerCase());
    if (style !== undefined) return style;
    if (answer === '') return usual;
  }
}
