import { existsSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { Project, SourceFile } from 'ts-morph';
import { TablewrightError } from '../errors.js';
import type { Left } from './edits.js';
import { generatedPaths } from './generated.js';
import { errorsOf, mendErrors } from './mend-errors.js';
import { followLiterals } from './literals.js';
import type { NewNames } from './names.js';
import { renameSymbols } from './rename-symbols.js';
import { followTexts, mentionsIn, type FollowText, type Mention } from './texts.js';

/** A file of the user's code, with its new text. */
export interface FollowedFile {
  readonly absolute: string;
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

export interface Followed {
  readonly files: readonly FollowedFile[];
  readonly left: readonly Left[];
}

/**
 * The code to follow with. Generated files are given by path below `src/generated`: nothing of them
 * is read from the disk.
 */
export interface CodeInputs {
  readonly folder: string;
  readonly names: NewNames;
  readonly old: ReadonlyMap<string, string>;
  readonly now: ReadonlyMap<string, string>;
  /** GraphQL in the texts of the code. */
  readonly followText: FollowText;
  readonly mention: Mention;
}

/**
 * Renames in the user's TypeScript: in memory, first against the old generated code and then
 * against the new code, so that TypeScript reports every use that was missed.
 * @throws TablewrightError USAGE if the project has no tsconfig.json
 */
export async function followCode({ folder, names, old, now, followText, mention }: CodeInputs): Promise<Followed> {
  const configuration = join(folder, 'tsconfig.json');
  if (!existsSync(configuration)) {
    throw new TablewrightError(
      'USAGE',
      `There is no tsconfig.json in ${folder}.`,
      'It says which files are your code: name the folder of the project with --out.',
    );
  }
  const { Project } = await import('ts-morph');
  const project = new Project({ tsConfigFilePath: configuration });
  const pathOf = (file: SourceFile): string => relative(folder, file.getFilePath()).split(sep).join('/');
  const paths = generatedPaths(folder, now);
  replaceGenerated(project, paths.file, old);
  const own = project
    .getSourceFiles()
    .filter((file) => !/^(\.\.|src\/generated)(\/|$)|node_modules/.test(pathOf(file)) && !file.isDeclarationFile());
  const before = new Map(own.map((file) => [file, file.getFullText()]));
  const known = new Map(own.map((file) => [file, new Set(errorsOf(file).keys())]));
  const left: Left[] = [];
  renameSymbols(project, names, paths, own);
  for (const file of own) left.push(...followTexts(file, pathOf(file), followText));
  replaceGenerated(project, paths.file, now);
  left.push(...mendErrors(own, known, names, pathOf));
  for (const file of own) left.push(...followLiterals(file, pathOf(file), names));
  for (const file of own) left.push(...mentionsIn(file, pathOf(file), mention));
  const files = own.flatMap((file): readonly FollowedFile[] => {
    const [was = '', after] = [before.get(file), file.getFullText()];
    return was === after ? [] : [{ absolute: file.getFilePath(), path: pathOf(file), before: was, after }];
  });
  return { files, left };
}

/** Gives the project these generated files, and no others: in memory, for nothing is saved. */
function replaceGenerated(
  project: Project,
  fileOf: (module: string) => string,
  texts: ReadonlyMap<string, string>,
): void {
  const wanted = new Map([...texts].filter(([path]) => path.endsWith('.ts')));
  const paths = new Set([...wanted.keys()].map((path) => fileOf(path.slice(0, -'.ts'.length))));
  const root = fileOf('').slice(0, -'.ts'.length);
  for (const file of project.getSourceFiles()) {
    if (file.getFilePath().startsWith(root) && !paths.has(file.getFilePath())) file.delete();
  }
  for (const [path, text] of wanted) {
    const file = project.getSourceFile(fileOf(path.slice(0, -'.ts'.length)));
    if (file === undefined) project.createSourceFile(fileOf(path.slice(0, -'.ts'.length)), text, { overwrite: true });
    else if (file.getFullText() !== text) file.replaceWithText(text);
  }
}
