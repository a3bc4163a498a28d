import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { succeed } from './program.js';
import { repository } from './transpile.js';

/**
 * Packs the packages of this repository and installs them in an empty folder, by the commands of
 * the README. Returns the names of the tarballs. --ignore-scripts skips prepack, which builds while
 * other suites read dist/; `npm test` has already built it.
 */
export async function installPacked(folder: string): Promise<readonly string[]> {
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  const [, pack = 'false'] = /`(npm pack [^`]+)`/.exec(readme) ?? [];
  const [, install = 'false'] = /`(npm install \.\/[^`]+)`/.exec(readme) ?? [];
  await succeed('sh', ['-c', `${pack} --ignore-scripts --pack-destination '${folder}'`], { cwd: repository });
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  await succeed('sh', ['-c', install], { cwd: folder });
  return (await readdir(folder)).filter((name) => name.endsWith('.tgz')).sort();
}
