import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository, runNode, type Finished } from './child.js';

/** Where benchmarks generate: inside the repository, so that the generated server finds its packages there. */
export const projectFolder = (name: string): string => join(repository, '.tmp', 'bench', name);

/** The folder of a project, with nothing in it. */
export function emptyFolder(name: string): string {
  const folder = projectFolder(name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** `tablewright generate`, as a user runs it. */
export async function generate(url: string, folder: string, schemas?: string): Promise<Finished> {
  const chosen = schemas === undefined ? [] : ['--schemas', schemas];
  return await runNode([join(repository, 'bin/tablewright.js'), 'generate', '--url', url, '--out', folder, ...chosen]);
}

/** `npm run build` of a generated project. */
export async function compile(folder: string, ...options: readonly string[]): Promise<Finished> {
  return await runNode([join(repository, 'node_modules/typescript/bin/tsc'), '-p', folder, ...options], folder);
}
