import { openServed, type Served } from '../../support/served-as-role.js';

let served: Served;

const sql = 'create schema shop; create table shop.items (id int primary key, name text)';

const custom = `
  const tenant = () => 'acme';
  const tenants = { acme: process.env.DATABASE_URL };
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
])(
  'a server with tenants and %s does not start, and says why',
  async (_, environment, message) => {
    const said = await served.start(environment()).then(
      async (server) => {
        await server.stop();
        return 'It started.';
      },
      (error: unknown) => String(error),
    );
    expect(said).toContain(message);
  },
  60_000,
);
