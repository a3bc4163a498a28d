import { readFile, stat } from 'node:fs/promises';
import type { Catalog } from '../catalog/catalog.js';
import { fingerprint } from '../catalog/fingerprint.js';

/**
 * The catalogue that is committed beside openapi.json. Undefined when it is not there or was
 * edited.
 */
export async function readCatalogFile(openapi: URL): Promise<Catalog | undefined> {
  try {
    const { parseCatalog } = await import('../catalog/snapshot.js');
    return parseCatalog(await readFile(new URL('catalog.json', openapi), 'utf8'));
  } catch {
    return undefined;
  }
}

/** The catalogue of the code that a server has loaded. */
export interface LoadedCatalog {
  /** The address of openapi.json. */
  readonly openapi: string;
  /** Changes when the file is replaced. Undefined if there is no file. */
  readonly state: string | undefined;
}

/**
 * Notes the state of the file when the server starts. The first check for changes reads the file,
 * and `generate` may have replaced it by then, as under `tablewright dev`.
 */
export const loadedCatalog = async (openapi: URL): Promise<LoadedCatalog> => ({
  openapi: openapi.href,
  state: await stateOf(openapi),
});

/**
 * The fingerprint of the catalogue that the code was generated from. Undefined if it is not known:
 * the server then takes the API for changed, and derives it from the database at once.
 */
export async function generatedFingerprint(loaded: LoadedCatalog): Promise<string | undefined> {
  const openapi = new URL(loaded.openapi);
  const catalog = await readCatalogFile(openapi);
  return catalog === undefined || loaded.state !== (await stateOf(openapi)) ? undefined : fingerprint(catalog);
}

async function stateOf(openapi: URL): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(new URL('catalog.json', openapi));
    return [ino, mtimeMs, size].join(' ');
  } catch {
    return undefined;
  }
}
