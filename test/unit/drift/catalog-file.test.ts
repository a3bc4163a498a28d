import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fingerprint, parseCatalog } from '../../../runtime/src/generator.js';
import { generatedFacts, loadedCatalog } from '../../../runtime/src/server/catalog-file.js';
import { catalog } from '../catalog/sample.js';
import { repository } from '../../support/transpile.js';

let folder: string;
let openapi: URL;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'catalog-'));
  openapi = pathToFileURL(join(folder, 'openapi.json'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const committed = join(repository, 'generated-example/src/generated/catalog.json');
const write = (): Promise<void> => copyFile(committed, join(folder, 'catalog.json'));
const other = catalog();
const otherFingerprint = fingerprint(other);

const unknown = { served: undefined, model: {} };

test('the catalogue that was there at the start has a fingerprint', async () => {
  await write();
  expect((await generatedFacts(await loadedCatalog(openapi), unknown, other, otherFingerprint)).served).toMatch(
    /^\S+$/,
  );
});

test('one that was replaced since is not that of the loaded code', async () => {
  await writeFile(join(folder, 'catalog.json'), '{}');
  const loaded = await loadedCatalog(openapi);
  await write();
  expect(await generatedFacts(loaded, unknown, other, otherFingerprint)).toEqual({});
});

test('nor is one that was not there', async () => {
  const loaded = await loadedCatalog(openapi);
  await write();
  expect(await generatedFacts(loaded, unknown, other, otherFingerprint)).toEqual({});
});

test('it is read for what the configuration protects, until a check has found the state', async () => {
  await write();
  const loaded = await loadedCatalog(openapi);
  const model = { exclude: ['app.people.salary'] };
  expect(await generatedFacts(loaded, { served: 'known', model: {} }, other, otherFingerprint)).toEqual({
    served: 'known',
  });
  expect(await generatedFacts(loaded, { served: 'known', known: '{}', model }, other, otherFingerprint)).toEqual({
    served: 'known',
  });
  const { served, generated } = await generatedFacts(loaded, { served: 'known', model }, other, otherFingerprint);
  expect([served, generated?.dialect]).toEqual(['known', 'postgres']);
});

test('of the same database, it is not completed: its fingerprint is that which was found', async () => {
  await write();
  const read = parseCatalog(await readFile(committed, 'utf8'));
  const model = { exclude: ['app.people.salary'] };
  const facts = await generatedFacts(await loadedCatalog(openapi), { served: undefined, model }, read, 'found');
  expect(facts).toEqual({ served: 'found' });
});
