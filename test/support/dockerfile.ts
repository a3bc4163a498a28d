import { cp, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { succeed } from './program.js';

/**
 * Makes the files that a Dockerfile of two stages makes, where no Docker is: what .dockerignore
 * lets through is copied to `build`, the commands run there, and the last stage's copies are in
 * `image`.
 */
export async function runDockerfile(project: string, build: string, image: string): Promise<void> {
  const ignored = (await readFile(join(project, '.dockerignore'), 'utf8')).split('\n');
  const isIgnored = (name: string): boolean =>
    ignored.some((line) => line === name || (line.startsWith('*.') && name.endsWith(line.slice(1))));
  await cp(project, build, {
    recursive: true,
    filter: (source) => dirname(source) !== project || !isIgnored(source.slice(project.length + 1)),
  });
  await mkdir(image, { recursive: true });
  for (const line of (await readFile(join(project, 'Dockerfile'), 'utf8')).split('\n')) {
    const [, command] = /^RUN (?:--\S+ )*(.*)$/.exec(line) ?? [];
    const environment = { npm_config_audit: 'false', npm_config_fund: 'false' };
    if (command !== undefined) await succeed('sh', ['-ec', command], { cwd: build, env: environment });
    const [, from, to] = /^COPY --from=build \/app\/(\S+) (\S+)$/.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    await mkdir(dirname(join(image, to)), { recursive: true });
    await cp(join(build, from), join(image, to), { recursive: true, verbatimSymlinks: true });
  }
}
