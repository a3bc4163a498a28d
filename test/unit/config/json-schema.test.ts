import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { ownPackage } from '../../../src/package.js';
import { validateConfig } from '../../../src/config/validate.js';
import { configurationJsonSchema } from './json-schema.js';
import { ten } from './ten.js';

const path = join(ownPackage().folder, 'docs', 'configuration.schema.json');
const validate = new Ajv2020({ strict: false }).compile(configurationJsonSchema());

test('docs/configuration.schema.json says what the code says', async () => {
  const text = await format(JSON.stringify(configurationJsonSchema()), {
    ...(await resolveConfig(path)),
    filepath: path,
  });
  if (process.env['UPDATE_DOCS'] === '1') await writeFile(path, text);
  expect(await readFile(path, 'utf8')).toBe(text);
});

test.each([
  ['the ten settings that matter first', JSON.stringify(Object.fromEntries(ten))],
  ['nested settings', 'app: { server: { port: 4000 }, max-rows: 5 }\nschemas: [shop]'],
  ['settings nested at another dot', 'app.server: { port: 4000 }\napp: { datasource.pool-size: 5 }'],
  ['a list as text', 'schemas: shop, kanban'],
  ['workers by the number of processors', 'app.server.workers: auto'],
  ['a rule', 'rules: { shop.orders: { read: { customer_id: { eq: { claim: sub } } }, hide: [cost] } }'],
  ['the address of the JSON Schema itself', '{ "$schema": "./schema.json", "out": "server" }'],
])('an editor and the command accept %s', (_, text) => {
  const value: unknown = parse(text);
  expect({ accepted: validate(value), errors: validate.errors }).toEqual({ accepted: true, errors: null });
  expect(() => validateConfig(value, 'tablewright.config.yaml')).not.toThrow();
});

test.each([
  ['an unknown key', 'schemata: [shop]'],
  ['an unknown setting', 'app: { server: { prot: 4000 } }'],
  ['text for a number', 'app.max-rows: many'],
  ['a number below the least', 'app.datasource.pool-size: 0'],
  ['an unknown choice', 'names: { columns: camels }'],
])('an editor and the command refuse %s', (_, text) => {
  const value: unknown = parse(text);
  expect(validate(value)).toBe(false);
  expect(() => validateConfig(value, 'tablewright.config.yaml')).toThrow();
});
