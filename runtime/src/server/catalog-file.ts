import { readFile, stat } from 'node:fs/promises';
import type { Catalog } from '../catalog/catalog.js';
import { fingerprint, isWrittenAs } from '../catalog/fingerprint.js';
import type { DeriveOptions, GeneratedFacts } from '../drift/derive.js';
import { isRestricting } from '../drift/identity/protection.js';

/**
 * The catalogue that is committed beside openapi.json. Undefined when it is not there or was
 * edited.
 */
export async function readCatalogFile(openapi: URL): Promise<Catalog | undefined> {
  const text = await textOf(openapi);
  return text === undefined ? undefined : catalogIn(text);
}

const textOf = (openapi: URL): Promise<string | undefined> =>
  readFile(new URL('catalog.json', openapi), 'utf8').catch(() => undefined);

async function catalogIn(text: string): Promise<Catalog | undefined> {
  const { parseCatalog } = await import('../catalog/snapshot.js');
  try {
    return parseCatalog(text);
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
 * Reads catalog.json, unless a check has found before what it says, and completes it if the
 * database differs.
 * @param read the catalogue of the database now, and its fingerprint
 */
export async function generatedFacts(
  loaded: LoadedCatalog,
  { served, known, model }: Pick<DeriveOptions, 'served' | 'known' | 'model'>,
  read: Catalog,
  found: string,
): Promise<GeneratedFacts> {
  const compares = served !== found && known === undefined && isRestricting(model);
  if (served !== undefined && !compares) return { served };
  const openapi = new URL(loaded.openapi);
  const text = await textOf(openapi);
  if (text === undefined || loaded.state !== (await stateOf(openapi))) return { served };
  if (served === undefined && isWrittenAs(read, text)) return { served: found };
  const generated = await catalogIn(text);
  return generated === undefined ? { served } : { served: served ?? fingerprint(generated), generated };
}

async function stateOf(openapi: URL): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(new URL('catalog.json', openapi));
    return [ino, mtimeMs, size].join(' ');
  } catch {
    return undefined;
  }
}
