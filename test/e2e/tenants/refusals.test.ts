import { openServed, type Served } from '../../support/served-as-role.js';

let served: Served;

const sql = 'create schema shop; create table shop.items (id int primary key, name text)';

const custom = `
  const tenant = ({ headers }) => headers['x-tenant'];
  const addresses = JSON.parse(process.env.TENANTS ?? '{}');
  const broken = () => new URL('postgres://u:s3cret@127.0.0.1:99999/db').href;
  const tenants = async (name) => (name === 'thrown' ? broken() : addresses[name]);
  export const custom = process.env.ALONE === 'tenant' ? { tenant } : process.env.ALONE === 'tenants' ? { tenants } : { tenant, tenants };`;

beforeAll(async () => {
  served = await openServed({ name: 'refused', schema: 'shop', sql, custom });
});
afterAll(() => served.drop());

test.each([
  ['replicas', () => ({ APP_DATASOURCE_REPLICAS: served.roleUrl }), 'A server with tenants reads from no replicas.'],
  ['schema-by-role', () => ({ APP_SECURITY_SCHEMA_BY_ROLE: 'true' }), 'Tenants have one API for all roles.'],
  ['nothing that finds databases', () => ({ ALONE: 'tenant' }), 'has `tenant` alone'],
  ['nothing that names tenants', () => ({ ALONE: 'tenants' }), 'has `tenants` alone'],
])('a server with tenants and %s does not start, and says why', async (_, environment, message) => {
  const said = await served.start(environment()).then(
    async (server) => {
      await server.stop();
      return 'It started.';
    },
    (error: unknown) => String(error),
  );
  expect(said).toContain(message);
});

/** Each has the secret in another place, and nothing answers. */
const addresses = [
  'postgres://u:s3cret@127.0.0.1:9/db',
  'postgres://u:s3cret@127.0.0.1:99999/db',
  'postgres://u:a%40s3cret@127.0.0.1:9/db',
  'postgres://u:a%s3cret@127.0.0.1:9/db',
  'postgres://u:top@s3cret/x@127.0.0.1:9/db',
  'postgres://u@127.0.0.1:9/db?password=s3cret',
  'postgres://u:a#s3cret@127.0.0.1:9/db',
  's3cret',
];

test('no answer and no line of the log shows a secret in the address of a tenant', async () => {
  const tenants = Object.fromEntries(addresses.map((address, at) => [String(at), address]));
  const server = await served.start({ TENANTS: JSON.stringify(tenants) });
  const names = [...Object.keys(tenants), 'thrown'];
  const replies = await Promise.all(names.map((name) => server.send('GET', '/api/v1/items', { 'x-tenant': name })));
  await server.stop();
  expect(replies.map(({ status }) => status >= 500)).toEqual(names.map(() => true));
  const shown = [server.log(), ...replies.map(({ text }) => text)].join('\n');
  expect(shown).toContain('Invalid URL');
  expect(shown).not.toContain('s3cret');
});
