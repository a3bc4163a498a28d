import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { writeTree } from './folders.js';
import { generate } from './served-database.js';
import { repository, transpile, type Transpiled } from './transpile.js';

/**
 * The project that `tablewright generate` writes for a database, made runnable with `node
 * dist/main.js` in its folder.
 * @param files content of the folder before the run, such as a configuration
 */
export async function buildGenerated(url: string, files: Readonly<Record<string, string>> = {}): Promise<Transpiled> {
  await mkdir(join(repository, '.tmp'), { recursive: true });
  const source = await mkdtemp(join(repository, '.tmp', 'generated-'));
  try {
    await writeTree(source, files);
    await generate(url, source);
    const program = await transpile({ [join(relative(repository, source), 'src')]: 'dist' });
    await cp(join(source, 'src/generated'), join(program.folder, 'src/generated'), { recursive: true });
    return program;
  } finally {
    await rm(source, { recursive: true });
  }
}
