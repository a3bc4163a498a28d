import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from '@swc/core';
import { compilerOptions } from './jest/compiler-options.js';
import { scratchFolder } from './scratch-folder.js';

/** TypeScript made runnable for plain Node: the result of a build without type checks. */
export interface Transpiled {
  readonly folder: string;
  remove(): Promise<void>;
}

export const repository = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Transpiles folders into a folder inside the repository, where imports find the packages. Other
 * files than TypeScript are copied.
 * @param folders the target of each folder: source, from the repository → target, from the new
 * folder
 */
export async function transpile(folders: Readonly<Record<string, string>>): Promise<Transpiled> {
  const folder = await scratchFolder('transpiled');
  for (const [source, target] of Object.entries(folders)) {
    await transpileFolder(join(repository, source), join(folder, target));
  }
  return { folder, remove: () => rm(folder, { recursive: true }) };
}

/** Transpiles TypeScript to JavaScript. */
export const transpileText = async (text: string, filename: string): Promise<string> =>
  (await transform(text, { ...compilerOptions, filename })).code;

/** Transpiles all TypeScript of a folder. Other files are copied. */
export async function transpileFolder(source: string, target: string): Promise<void> {
  const files = await readdir(source, { recursive: true, withFileTypes: true });
  for (const file of files.filter((each) => each.isFile())) {
    const from = join(file.parentPath, file.name);
    const to = join(target, relative(source, from));
    await mkdir(dirname(to), { recursive: true });
    const text = await readFile(from, 'utf8');
    if (!to.endsWith('.ts')) await writeFile(to, text);
    else await writeFile(to.replace(/\.ts$/, '.js'), await transpileText(text, from));
  }
}
