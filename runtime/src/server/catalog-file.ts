import { readFile } from 'node:fs/promises';
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

/**
 * The fingerprint of the catalogue that code was generated from. Undefined when it is not known:
 * the API then counts as changed, and follows the database at once.
 */
export async function generatedFingerprint(openapi: URL): Promise<string | undefined> {
  const catalog = await readCatalogFile(openapi);
  return catalog === undefined ? undefined : fingerprint(catalog);
}
