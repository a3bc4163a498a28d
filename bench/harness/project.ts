import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { repository, runNode, type Finished } from './child.js';

/**
 * The folder for generated projects: inside the repository or another checkout, so that the
 * generated server finds its packages there.
 */
export const projectFolder = (name: string, checkout = repository): string => join(checkout, '.tmp', 'bench', name);

/** Empties the folder of a project and returns it. */
export function emptyFolder(name: string, checkout = repository): string {
  const folder = projectFolder(name, checkout);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/**
 * Runs `tablewright generate` as a user does. With `checkout`, runs the command of that checkout,
 * which has to be built.
 */
export async function generate(
  url: string,
  folder: string,
  schemas?: string,
  checkout = repository,
): Promise<Finished> {
  const chosen = schemas === undefined ? [] : ['--schemas', schemas];
  return await runNode([join(checkout, 'bin/tablewright.js'), 'generate', '--url', url, '--out', folder, ...chosen]);
}

/** `npm run build` of a generated project. */
export async function compile(folder: string, ...options: readonly string[]): Promise<Finished> {
  return await runNode([join(repository, 'node_modules/@typescript/native/bin/tsc'), '-p', folder, ...options], folder);
}
