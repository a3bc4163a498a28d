import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { GeneratedServer } from '../../runtime/src/descriptor/generated.js';
import { fingerprint, serializeCatalog } from '../../runtime/src/generator.js';
import { emitProject } from '../../src/emit/index.js';
import { writeTree } from './folders.js';
import type { DescribedCatalog } from './describe-database.js';

/**
 * The code that `generate` writes for a database, loaded into this process: as `generated` of a
 * read database, with the classes of GraphQL.
 */
export async function importGenerated({
  catalog,
  model,
}: Pick<DescribedCatalog, 'catalog' | 'model'>): Promise<GeneratedServer> {
  const parent = join(import.meta.dirname, 'out');
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'generated-'));
  try {
    const inputs = { catalog: serializeCatalog(catalog), settings: {} };
    await writeTree(folder, Object.fromEntries(emitProject(model, inputs)));
    const { generated } = (await import(join(folder, 'index.ts'))) as { readonly generated: GeneratedServer };
    // The folder with catalog.json is gone when a server asks for it.
    return { ...generated, fingerprint: fingerprint(catalog) };
  } finally {
    await rm(folder, { recursive: true });
  }
}
