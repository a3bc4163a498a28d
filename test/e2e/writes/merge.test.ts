import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { ifMatchContract } from './if-match-contract.js';
import { mergeContract } from './merge-contract.js';

const sql = `
create schema merges;
create table merges.teams (id int primary key, name text);
create table merges.users (id int primary key, a text unique, b text unique, v text, team int references merges.teams);
create table merges.counters (id int primary key, n int, note varchar(9));
create table merges.notes (id int primary key, counter int references merges.counters);
`;

describe('a server of PostgreSQL', () => {
  let served: Served;
  let server: ServedServer;
  beforeAll(async () => {
    served = await openServed({ name: 'merges', schema: 'merges', sql });
    server = await served.start({ APP_SECURITY_JWT_ENABLED: 'false', APP_REST_POSTGREST: '/rest/v1' });
  });
  afterAll(async () => {
    await server.stop();
    await served.drop();
  });

  ifMatchContract(() => ({
    base: server.base,
    reset: async () => {
      await served.query('truncate merges.counters, merges.notes');
    },
  }));

  describe('merges by onConflict', () => {
    mergeContract(() => ({
      ask: async (document) =>
        JSON.parse((await server.ask(document.replaceAll('$$', 'Merges').replaceAll('$', 'merges'))).text) as unknown,
      constraints: { id: 'users_pkey', a: 'users_a_key' },
      reset: async () => {
        await served.query(`truncate merges.users, merges.teams;
        insert into merges.users values (1, 'a1', 'b1', 'v1'), (2, 'a2', 'b2', 'v2')`);
      },
      rows: () => served.query('select id, a, b, v from merges.users order by id'),
    }));
  });
});
