import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generatedFacts, loadedCatalog } from '../../../runtime/src/server/catalog-file.js';
import { repository } from '../../support/transpile.js';

let folder: string;
let openapi: URL;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  openapi = pathToFileURL(join(folder, 'openapi.json'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (): Promise<void> =>
  copyFile(join(repository, 'generated-example/src/generated/catalog.json'), join(folder, 'catalog.json'));

const unknown = { served: undefined, model: {} };

test('the catalogue that was there at the start has a fingerprint', async () => {
  await write();
  expect((await generatedFacts(await loadedCatalog(openapi), unknown)).served).toMatch(/^\S+$/);
});

test('one that was replaced since is not that of the loaded code', async () => {
  await writeFile(join(folder, 'catalog.json'), '{}');
  const loaded = await loadedCatalog(openapi);
  await write();
  expect(await generatedFacts(loaded, unknown)).toEqual({});
});

test('nor is one that was not there', async () => {
  const loaded = await loadedCatalog(openapi);
  await write();
  expect(await generatedFacts(loaded, unknown)).toEqual({});
});

test('it is read for what the configuration protects, until a check has found the state', async () => {
  await write();
  const loaded = await loadedCatalog(openapi);
  const model = { exclude: ['app.people.salary'] };
  expect(await generatedFacts(loaded, { served: 'known', model: {} })).toEqual({ served: 'known' });
  expect(await generatedFacts(loaded, { served: 'known', known: '{}', model })).toEqual({ served: 'known' });
  const { served, generated } = await generatedFacts(loaded, { served: 'known', model });
  expect([served, generated?.dialect]).toEqual(['known', 'postgres']);
});
