import { createInterface } from 'node:readline/promises';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { splitList } from '../config/schema.js';
import { TablewrightError } from '../errors.js';
import { projectFiles } from '../generate.js';
import { applyWrites } from '../output/apply.js';
import { withLock } from '../output/lock.js';
import { planProjectFiles } from '../output/plan.js';
import { exitCodes } from './exit-codes.js';
import { shownFolder } from './pipeline.js';
import { printJson, withCommonFlags, type CommonFlags, type Session } from './session.js';

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
  const { project } = await withLock(out, async () => {
    const plan = await planProjectFiles(out, await projectFiles({ out, schemas }));
    await applyWrites(plan, { signal: session.signal });
    return plan;
  });
  session.exitCode = exitCodes.success;
  const written = project.map((file) => file.path);
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
  print('  DATABASE_URL=postgres://user@host/database npm run generate');
}

/** Asks for what no flag gave. An empty answer is the default; Ctrl-C and the end of input are an interruption. */
async function ask(session: Session, flags: InitFlags): Promise<InitFlags> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  const stop = new AbortController();
  const end = (): void => {
    stop.abort();
  };
  reader.once('SIGINT', end).once('close', end);
  const question = async (text: string, standard: string): Promise<string> => {
    try {
      const signal = AbortSignal.any([session.signal, stop.signal]);
      return (await reader.question(`${text} (${standard}): `, { signal })).trim();
    } catch (cause) {
      throw new TablewrightError('INTERRUPTED', 'Interrupted.', 'No file was left half written.', { cause });
    }
  };
  try {
    const out = flags.out ?? (await question('Folder of the project', '.'));
    const schemas = flags.schemas ?? splitList(await question('Database schemas, comma-separated', 'all'));
    return { ...flags, out: out === '' ? '.' : out, schemas };
  } finally {
    reader.close();
  }
}
