import { cp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeTree } from './folders.js';
import { scratchFolder } from './scratch-folder.js';
import { generate } from './served-database.js';
import { repository, transpile, type Transpiled } from './transpile.js';
import { recordTypes } from './typed-projects.js';

/**
 * The project that `tablewright generate` writes for a database, made runnable with `node
 * dist/main.js` in its folder.
 * @param files content of the folder before the run, such as a configuration
 */
export async function buildGenerated(url: string, files: Readonly<Record<string, string>> = {}): Promise<Transpiled> {
  const source = await scratchFolder('generated');
  try {
    await writeTree(source, files);
    await generate(url, source);
    await recordTypes(join(source, 'src'));
    const program = await transpile({ [join(relative(repository, source), 'src')]: 'dist' });
    await cp(join(source, 'src/generated'), join(program.folder, 'src/generated'), { recursive: true });
    return program;
  } finally {
    await rm(source, { recursive: true });
  }
}
