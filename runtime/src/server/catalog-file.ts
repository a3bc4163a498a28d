import { readFile, stat } from 'node:fs/promises';
import type { Catalog } from '../catalog/catalog.js';
import { fingerprint } from '../catalog/fingerprint.js';
import type { DeriveOptions } from '../drift/derive.js';
import { isRestricting } from '../drift/identity/protection.js';

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

/** What is known of the served API when the database is first compared with it. */
interface GeneratedFacts {
  /**
   * The fingerprint of the served API. Undefined if it is not known: the server then takes the API
   * for changed, and derives it from the database at once.
   */
  readonly served: string | undefined;
  /** The catalogue that the code was generated from, where something is protected. */
  readonly generated?: Catalog | undefined;
}

/** Reads catalog.json, unless a check has found before what it says. */
export async function generatedFacts(
  loaded: LoadedCatalog,
  { served, known, model }: Pick<DeriveOptions, 'served' | 'known' | 'model'>,
): Promise<GeneratedFacts> {
  const compares = known === undefined && isRestricting(model);
  if (served !== undefined && !compares) return { served };
  const openapi = new URL(loaded.openapi);
  const catalog = await readCatalogFile(openapi);
  if (catalog === undefined || loaded.state !== (await stateOf(openapi))) return { served };
  return { served: served ?? fingerprint(catalog), generated: catalog };
}

async function stateOf(openapi: URL): Promise<string | undefined> {
  try {
    const { ino, mtimeMs, size } = await stat(new URL('catalog.json', openapi));
    return [ino, mtimeMs, size].join(' ');
  } catch {
    return undefined;
  }
}
