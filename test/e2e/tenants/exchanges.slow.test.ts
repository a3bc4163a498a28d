import type { ServedServer } from '../../support/served-as-role.js';
import { until } from '../../support/until.js';
import { openSchemas, openTenants, type ServedTenants } from './support.js';

const objects = `
  create table letters (id int, line text, secret text);
  create table papers (id int, owner text, body text);
  create table drafts (id int, owner text, body text);
  create view own as select id, body from drafts where owner = 'ada';
  create view every as select id, body from drafts;`;

const config = {
  names: { schemaPrefix: 'never' },
  exclude: ['shop.every'],
  rules: { 'shop.letters': { hide: ['secret'] }, 'shop.drafts': { read: { owner: { eq: 'ada' } }, write: false } },
};

const rows = `
  insert into shop.letters values (1, 'open', 'SECRET');
  insert into shop.papers values (1, 'bob', 'open');
  insert into shop.drafts values (1, 'bob', 'SECRET'), (2, 'ada', 'mine');`;

/** A change whose undoing is the change itself. */
const swapNames = (kind: string, one: string, other: string) => {
  const change = `alter ${kind} shop.${one} rename to x; alter ${kind} shop.${other} rename to ${one};
    alter ${kind} shop.x rename to ${other};`;
  return { change, undo: change };
};

const taken = `alter table shop.letters drop column line; alter table shop.letters rename secret to line;
  alter table shop.letters add column secret text;`;

/** After each, the catalogue reads as before. */
const exchanges: readonly { tenant: string; what: string; change: string; undo?: string }[] = [
  {
    tenant: 't0',
    what: 'a hidden column takes a name that is dropped, and a new one has its name',
    change: taken,
  },
  { tenant: 't1', what: 'a table with a rule and another one swap names', ...swapNames('table', 'papers', 'drafts') },
  { tenant: 't2', what: 'an excluded view and another one swap names', ...swapNames('view', 'own', 'every') },
];

describe.each([
  ['databases', openTenants],
  ['schemas', openSchemas],
] as const)('names that are exchanged in tenants with %s', (_, open) => {
  let tenants: ServedTenants;
  let server: ServedServer;

  beforeAll(async () => {
    tenants = await open(5, { objects, config });
    for (const name of tenants.names) await tenants.run(name, rows);
    server = await tenants.start({}, { APP_DRIFT_PROBE_MS: '100' });
  });
  afterAll(async () => {
    await server.stop();
    await tenants.drop();
  });

  const document = '{ letters { line } papers { owner body } drafts { owner body } own { body } }';
  const answers = async (tenant: string) => {
    const headers = { 'x-tenant': tenant };
    const all = await Promise.all([
      server.ask(document, headers),
      ...['letters', 'papers', 'drafts', 'own'].map((path) => server.send('GET', `/api/v1/${path}`, headers)),
    ]);
    return { statuses: [...new Set(all.map(({ status }) => status))], text: all.map(({ text }) => text).join('\n') };
  };
  const statuses = async (tenant: string) => (await answers(tenant)).statuses;
  const becomes = (tenant: string, status: number) =>
    until(async () => {
      const found = await statuses(tenant);
      return found.length === 1 && found[0] === status;
    });

  test.each(exchanges)('$what', async ({ tenant, change, undo }) => {
    const before = await answers(tenant);
    expect(before.statuses).toEqual([200]);
    expect(before.text).not.toContain('SECRET');
    await tenants.run(tenant, change);
    await becomes(tenant, 503);
    expect((await answers(tenant)).text).not.toContain('SECRET');
    expect(await statuses('t4')).toEqual([200]);
    if (undo === undefined) return;
    await tenants.run(tenant, undo);
    await becomes(tenant, 200);
    expect((await answers(tenant)).text).toBe(before.text);
  });

  test('a migration of all tenants: the one that also exchanges names is not answered', async () => {
    const { names, run, served } = tenants;
    expect(await statuses('t3')).toEqual([200]);
    const add = 'alter table shop.papers add column more int;';
    await run('t3', taken);
    for (const name of names) await run(name, add);
    await served.query(add);
    await until(async () => {
      const { text } = await server.ask('{ papers { more } }', { 'x-tenant': 't4' });
      return text.includes('"more":null');
    });
    await becomes('t3', 503);
    expect((await answers('t3')).text).not.toContain('SECRET');
    await becomes('t1', 200);
  });
});
