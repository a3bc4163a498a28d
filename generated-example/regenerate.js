/**
 * `npm run example`: writes this folder anew from the demo's schema, with a PGlite in a temporary folder as its database, so
 * that nothing but Node.js is needed. This file and test/ are all in here that `generate` does not write.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { vector } from '@electric-sql/pglite-pgvector';
import { generateDemo, prepareFolder } from '../dist/src/demo/project.js';

const here = import.meta.dirname;

/** Written once, then their owner's: to show what `generate` writes today, they have to go first. */
const startingFiles = [
  '.dockerignore',
  '.env.example',
  '.gitattributes',
  '.gitignore',
  'Dockerfile',
  'README.md',
  'eslint.config.js',
  'package.json',
  'src/custom/index.ts',
  'src/main.ts',
  'src/test/server.test.ts',
  'tablewright.config.ts',
  'tsconfig.json',
];

const temporary = await mkdtemp(join(tmpdir(), 'tablewright-example-'));
try {
  const data = join(temporary, 'data');
  const database = await PGlite.create(data, { extensions: { vector } });
  for (const name of ['schema.sql', 'vector.sql']) {
    await database.exec(await readFile(join(here, '../demo', name), 'utf8'));
  }
  await database.close();
  for (const name of startingFiles) await rm(join(here, name), { force: true });
  await prepareFolder(here, { adopt: true });
  // The version of the generator does not change with each commit of its sources.
  const written = await generateDemo(here, `pglite:${data}`, { force: true });
  for (const { action, path } of written) console.log(`${action}  ${path}`);
  await addScripts(join(here, 'package.json'));
} finally {
  await rm(temporary, { recursive: true, force: true });
}

/** @param {string} path */
async function addScripts(path) {
  const manifest = JSON.parse(await readFile(path, 'utf8'));
  manifest.scripts.test += ' test/*.test.js';
  await writeFile(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
