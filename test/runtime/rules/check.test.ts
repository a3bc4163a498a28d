import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';

import {
  buildModel,
  connect,
  readCatalog,
  serializeCatalog,
  type Catalog,
  type RowRule,
} from '../../../runtime/src/generator.js';
import { createServer } from '../../../runtime/src/index.js';
import { emitProject } from '../../../src/emit/index.js';
import { generate } from '../../../src/generate.js';
import { importGenerated } from '../../support/import-generated.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';

/** The generator takes rules that fit the catalogue, and no others. */
const unreachable = 'postgres://nobody@127.0.0.1:1/none';
let catalog: Catalog;
let out: string;

beforeAll(async () => {
  const database = await createTestDatabase('rules_check');
  await loadSql(
    database.url,
    `create schema shop;
     create type shop.state as enum ('open', 'done');
     create table shop.customers (id int primary key, name text);
     create table shop.orders (id int primary key, customer_id int references shop.customers, owner text, state shop.state,
       made timestamptz, facts jsonb, tags text[], cost numeric);
     create table shop.log (line text, owner text);
     create view shop.totals as select owner, count(*) from shop.orders group by owner;`,
  );
  const connection = await connect(database.url);
  catalog = await readCatalog(connection, { schemas: ['shop'] });
  await connection.close();
  await database.drop();
  out = await mkdtemp(join(tmpdir(), 'rules-'));
});
afterAll(() => rm(out, { recursive: true }));

const claim = (name: string) => ({ claim: name });
const run = (rules: Readonly<Record<string, RowRule>>) => generate({ catalog, out, dryRun: true, model: { rules } });

test.each<readonly [string, RowRule]>([
  ['a claim', { read: { owner: { eq: claim('userId') } } }],
  ['a number and a list', { read: { and: [{ id: { in: claim('ids') } }, { cost: { lt: claim('.limits.cost') } }] } }],
  ['an enum, the role', { read: { or: [{ state: { eq: claim('state') } }, { owner: { eq: { role: true } } }] } }],
  ['a relation', { read: { shopCustomerId: { name: { eq: claim('userId') } } } }],
  ['constants of any type', { read: { made: { gt: '2026-01-01T00:00:00Z' }, tags: { hasAny: ['a'] } } }],
  ['all and none', { read: true, write: false }],
  ['columns', { hide: ['cost'], roles: { support: { hide: [] } } }],
])('takes %s', async (_what, rule) => {
  await expect(run({ 'shop.orders': rule })).resolves.toBeDefined();
});

test.each<readonly [string, string, RowRule, string]>([
  ['a table', 'shop.order', { hide: [] }, 'there is no such table'],
  ['a column', 'shop.orders', { read: { ownr: { eq: 'x' } } }, 'ShopOrders has no field ownr'],
  ['a relation', 'shop.orders', { read: { customer: { name: { eq: 'x' } } } }, 'ShopOrders has no field customer'],
  ['an operator', 'shop.orders', { read: { owner: { equals: 'x' } } }, 'ShopOrders.owner.equals is not an operator'],
  ['a condition', 'shop.orders', { read: {} }, 'ShopOrders has no condition'],
  ['an alternative', 'shop.orders', { read: { or: [{}] } }, 'has no condition'],
  ['an operator of a column', 'shop.orders', { read: { owner: {} } }, 'owner has no condition'],
  ['conditions', 'shop.orders', { read: { and: [] } }, 'ShopOrders has no condition'],
  ['anything to negate', 'shop.orders', { read: { not: {} } }, 'not has no condition'],
  ['a condition to write', 'shop.orders', { read: true, write: { owner: {} } }, 'owner has no condition'],
  ['a value', 'shop.orders', { read: { owner: { eq: null } } }, 'has no value'],
  ['a claim for a column', 'shop.orders', { read: claim('userId') }, 'has no field claim'],
  ['a claim as a pattern', 'shop.orders', { read: { owner: { like: claim('a') } } }, 'a claim is compared by eq'],
  ['a claim in a text', 'shop.orders', { read: { owner: { in: ['a', claim('a')] } } }, 'a claim stands inside another'],
  ['a claim in a pair', 'shop.orders', { read: { id: { between: [1, claim('a')] } } }, 'a claim stands inside another'],
  ['a claim of a time', 'shop.orders', { read: { made: { gt: claim('iat') } } }, 'which is of timestamp'],
  ['a claim of JSON', 'shop.orders', { read: { facts: { contains: claim('facts') } } }, 'a claim is compared by eq'],
  ['a path of claims', 'shop.orders', { read: { owner: { eq: claim('.a..b') } } }, 'is not a path of claims'],
  ['a hidden column', 'shop.orders', { hide: ['costs'] }, 'there is no column costs'],
  ['a hidden key', 'shop.orders', { hide: ['id'] }, 'id is a column of the key of the table'],
  ['a rule of a role', 'shop.orders', { roles: { support: { read: { nope: { eq: 1 } } } } }, 'has no field nope'],
  ['read', 'shop.orders', { write: { owner: { eq: claim('userId') } } }, 'it has `write` and no `read`'],
  ['write', 'shop.orders', { read: true }, 'it has `read: true` and no `write`'],
  ['a key', 'shop.log', { read: { owner: { eq: claim('userId') } } }, 'rows of the table have no key'],
])('refuses without %s', async (_what, table, rule, message) => {
  await expect(run({ [table]: rule })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(message) as unknown,
  });
});

test('a table without a key takes a rule that lets nobody write', async () => {
  await expect(run({ 'shop.log': { read: { owner: { eq: claim('userId') } }, write: false } })).resolves.toBeDefined();
  await expect(run({ 'shop.totals': { read: { owner: { eq: claim('userId') } } } })).resolves.toBeDefined();
});

test('a server whose rules do not fit its tables does not start, and says which', async () => {
  const generated = await importGenerated({ catalog, model: buildModel(catalog) });
  const start = (rules: Readonly<Record<string, RowRule>>) =>
    createServer({ generated: { ...generated, rules }, environment: { DATABASE_URL: unreachable } }).listen({
      ownsProcess: false,
    });
  await expect(start({ 'shop.orders': { read: { ownr: { eq: claim('userId') } } } })).rejects.toMatchObject({
    code: 'TW018',
    message: expect.stringContaining(
      "rules['shop.orders'].read cannot be used: ShopOrders has no field ownr",
    ) as string,
  });
  await expect(start({ 'shop.bills': { hide: ['cost'] } })).rejects.toMatchObject({
    code: 'TW018',
    message: expect.stringContaining("rules['shop.bills'] cannot be used: there is no such table") as string,
  });
});

test('rules are written as data, a line for each part; without rules there is no file', () => {
  const rules = { 'shop.orders': { read: { owner: { eq: claim('userId') } }, write: false, hide: ['cost'] } };
  const inputs = { catalog: serializeCatalog(catalog), settings: {} };
  const files = emitProject(buildModel(catalog, { rules }), inputs);
  expect(files.get('rules.ts')).toContain(`export const rules: RowRules = {
  'shop.orders': {
    read: { owner: { eq: { claim: 'userId' } } },
    write: false,
    hide: ['cost'],
  },
};`);
  expect(files.get('index.ts')).toContain('  rules,');
  // A runtime that does not know rules refuses the code.
  expect(files.get('index.ts')).toContain('  format: 3,');
  const openapi = files.get('openapi.json') ?? '';
  expect(openapi).not.toContain('"cost"');
  const without = emitProject(buildModel(catalog), inputs);
  expect(without.has('rules.ts')).toBe(false);
  expect(without.get('index.ts')).not.toContain('rules');
  expect(without.get('index.ts')).toContain('  format: 2,');
  expect(without.get('openapi.json')).toContain('"cost"');
});
