import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { ts } from 'ts-morph';
import { compilerPath } from './compiler-path.js';
import { TablewrightError } from './errors.js';
import { mapConcurrently } from './output/order.js';

type Compiler = typeof ts;

/** The files that the compiler reads and writes, by the project's tsconfig.json. */
interface Project {
  readonly compiler: Compiler;
  readonly options: ts.CompilerOptions;
  readonly files: readonly string[];
  readonly root: string;
  readonly out: string;
  /** When tsconfig.json was changed. */
  readonly changed: number;
}

/**
 * Writes the JavaScript of each file that has changed since, without a look at types: a hundredth
 * of the time of a build. Answers false where a build would do more than that, as with an output
 * folder other than `dist`. Throws OUTPUT_FAILED at a syntax error; then nothing is written.
 *
 * The compiler is ts-morph's: the project's own may be TypeScript 7, which programs cannot call
 * (decision 054).
 */
export async function transpile(folder: string): Promise<boolean> {
  const project = await readProject(folder);
  if (project === undefined) return false;
  const written = await mapConcurrently(project.files, (file) => output(project, file));
  const changed = written.flatMap((each) => (each === undefined ? [] : [each]));
  const mistakes = changed.flatMap(({ mistakes: found }) => found);
  if (mistakes.length > 0) throw syntaxErrors(project.compiler, folder, mistakes);
  // The next build by the compiler must not take these files for its own.
  if (changed.length > 0)
    await rm(project.options.tsBuildInfoFile ?? join(project.out, '.tsbuildinfo'), { force: true });
  for (const path of new Set(changed.map(({ target }) => dirname(target)))) await mkdir(path, { recursive: true });
  await mapConcurrently(changed, ({ target, text }) => writeFile(target, text));
  return true;
}

async function readProject(folder: string): Promise<Project | undefined> {
  const path = join(folder, 'tsconfig.json');
  const changed = await modified(path);
  // A project without packages has no compiler: its build says what to install.
  if (changed === undefined || compilerPath(folder) === undefined) return undefined;
  const { ts: compiler } = await import('ts-morph');
  const { config } = compiler.readConfigFile(path, (name) => compiler.sys.readFile(name)) as { config?: unknown };
  const { options, fileNames } = compiler.parseJsonConfigFileContent(config ?? {}, compiler.sys, folder);
  const { rootDir, outDir } = options;
  if (rootDir === undefined || outDir === undefined || resolve(outDir) !== join(folder, 'dist')) return undefined;
  // The output of a file must not depend on other files.
  if (options.isolatedModules !== true || !(await isModule(folder))) return undefined;
  const files = fileNames.filter((file) => /(?<!\.d)\.ts$/.test(file));
  return { compiler, options, files, root: rootDir, out: outDir, changed };
}

interface Output {
  readonly target: string;
  readonly text: string;
  readonly mistakes: readonly ts.Diagnostic[];
}

/** The output of a file, unless it exists already. */
async function output(project: Project, file: string): Promise<Output | undefined> {
  const { compiler, root, out, changed } = project;
  const target = join(out, relative(root, file)).replace(/\.ts$/, '.js');
  const [source, before] = await Promise.all([modified(file), modified(target)]);
  if (before !== undefined && before > Math.max(source ?? 0, changed)) return undefined;
  const { outputText, diagnostics = [] } = compiler.transpileModule(await readFile(file, 'utf8'), {
    fileName: file,
    reportDiagnostics: true,
    // A single file does not know of the package.json that makes it a module.
    compilerOptions: {
      ...project.options,
      module: compiler.ModuleKind.ESNext,
      moduleResolution: compiler.ModuleResolutionKind.Bundler,
      incremental: false,
    },
  });
  return { target, text: outputText, mistakes: diagnostics.filter((mistake) => mistake.file !== undefined) };
}

function syntaxErrors(compiler: Compiler, folder: string, mistakes: readonly ts.Diagnostic[]): TablewrightError {
  const text = compiler.formatDiagnostics(mistakes, {
    getCurrentDirectory: () => folder,
    getCanonicalFileName: (name) => name,
    getNewLine: () => '\n',
  });
  return new TablewrightError(
    'OUTPUT_FAILED',
    'Your code has a syntax error. A running server continues with the previous code.',
    text.trim(),
  );
}

async function modified(path: string): Promise<number | undefined> {
  return (await stat(path).catch(() => undefined))?.mtimeMs;
}

async function isModule(folder: string): Promise<boolean> {
  try {
    return Reflect.get(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as object, 'type') === 'module';
  } catch {
    return false;
  }
}
