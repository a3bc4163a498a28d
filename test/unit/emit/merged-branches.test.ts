import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalog } from '../../../runtime/src/catalog/catalog.js';
import { buildModel, parseCatalog, serializeCatalog } from '../../../runtime/src/generator.js';
import { emitProject } from '../../../src/emit/index.js';
import { column } from '../../support/catalog.js';
import { temporaryFolder, writeTree } from '../../support/folders.js';

/** Two branches with a migration each, of different tables: git merges the generated files. */
const demo = parseCatalog(
  readFileSync(new URL('../../../generated-example/src/generated/catalog.json', import.meta.url), 'utf8'),
);

const emit = (catalog: Catalog): ReadonlyMap<string, string> =>
  emitProject(buildModel(catalog), {
    catalog: serializeCatalog(catalog),
    settings: {},
  });

const adding = (catalog: Catalog, table: string, name: string): Catalog => ({
  ...catalog,
  tables: catalog.tables.map((each) =>
    each.name === table
      ? { ...each, columns: [...each.columns, column(name, 'timestamptz', { nullable: true })] }
      : each,
  ),
});

test('branches that add a column each to different tables merge without a conflict', async () => {
  const { folder, remove } = await temporaryFolder();
  try {
    const [ours, theirs] = [adding(demo, 'labels', 'archived_at'), adding(demo, 'customers', 'blocked_at')];
    const [base, a, b] = [emit(demo), emit(ours), emit(theirs)];
    const expected = emit(adding(ours, 'customers', 'blocked_at'));
    for (const [path, text] of expected) {
      const texts = { base: base.get(path) ?? '', a: a.get(path) ?? '', b: b.get(path) ?? '' };
      await writeTree(folder, texts);
      const files = ['a', 'base', 'b'].map((name) => join(folder, name));
      // Ends with the number of conflicts, which execFileSync throws.
      const merged = execFileSync('git', ['merge-file', '-p', ...files], { encoding: 'utf8', maxBuffer: 2 ** 26 });
      expect([path, merged]).toEqual([path, text]);
    }
  } finally {
    await remove();
  }
});
