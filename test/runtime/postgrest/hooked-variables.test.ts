import { sql } from 'kysely';
import { play, type Case } from './support/mount.js';
import { startSecured, type Secured } from './support/secured.js';

/** Code of the server runs in the transaction of the request, between its statements. */
const schema = `
grant usage on schema public to :anon, :user;
create table visits (id int primary key, visitor text default (current_setting('request.headers', true)::json ->> 'x-own'));
create function count_visit() returns trigger language plpgsql as $$ begin
  perform set_config('response.status', '202', true);
  perform set_config('response.headers', '[{"X-Visit": "' || new.id || '"}]', true);
  return new; end $$;
create trigger count_visit before insert on visits for each row execute function count_visit();
grant select, insert on visits to :anon, :user;
`;

const said: unknown[] = [];
let mount: Secured;

beforeAll(async () => {
  mount = await startSecured(
    'hooked_variables',
    schema,
    {},
    {
      hooks: {
        'public.visits': {
          beforeInsert: async ({ rows, transaction }) => {
            if (rows.some(({ id }) => id === 5)) return;
            await transaction(async (db) => {
              const read = sql<{
                own: string;
              }>`select current_setting('request.headers', true)::json ->> 'x-own' as own`;
              said.push((await read.execute(db)).rows[0]?.own);
              await sql`select set_config('request.headers', '{}', true)`.execute(db);
            });
          },
        },
      },
    },
  );
});
afterAll(() => mount.stop());

const prefer = 'return=representation';
const cases: readonly Case[] = [
  {
    ask: 'POST /visits',
    body: { id: 5 },
    headers: { 'x-own': 'a', prefer },
    status: 202,
    json: [{ id: 5, visitor: 'a' }],
    has: { 'x-visit': '5' },
  },
  {
    ask: 'POST /visits',
    body: { id: 1 },
    headers: { 'x-own': 'b', prefer },
    status: 202,
    json: [{ id: 1, visitor: 'b' }],
    has: { 'x-visit': '1' },
  },
  {
    ask: 'POST /visits',
    body: [{ id: 2 }, { id: 3 }],
    headers: { 'x-own': 'c', prefer: 'return=representation, tx=rollback' },
    status: 202,
    json: [
      { id: 2, visitor: 'c' },
      { id: 3, visitor: 'c' },
    ],
    has: { 'x-visit': '3' },
  },
  {
    ask: '/visits?select=id,visitor&order=id',
    json: [
      { id: 1, visitor: 'b' },
      { id: 5, visitor: 'a' },
    ],
  },
];

test('hooks see the variables, and what they change of them does not last', async () => {
  for (const each of cases) await play(mount, each);
  expect(said).toEqual(['b', 'c']);
});
