import { readFile } from 'node:fs/promises';
import { parseCatalog } from '../catalog/snapshot.js';
import type { Catalog } from '../catalog/catalog.js';
import type { Console, ConsoleSource } from '../console/console.js';
import type { Answer } from '../response/answer.js';

/** The console, whose modules are loaded when somebody first opens it. */
export function lazyConsole(source: ConsoleSource): (path: string) => Promise<Answer | undefined> {
  let opened: Promise<Console> | undefined;
  return async (path) => {
    opened ??= import('../console/console.js').then(({ createConsole }) => createConsole(source));
    return (await opened).answer(path);
  };
}

/**
 * The catalogue that is committed beside openapi.json. Undefined when it is not there or was
 * edited: the console then shows what the generated code says.
 */
export async function readCatalogFile(openapi: URL): Promise<Catalog | undefined> {
  try {
    return parseCatalog(await readFile(new URL('catalog.json', openapi), 'utf8'));
  } catch {
    return undefined;
  }
}
