import type { Client } from 'graphql-ws';
import { Random } from '../../oracle/random.js';
import type { ServedServer } from '../../support/served-as-role.js';
import { openClient, openLive, watch, type Live, type Watching } from './support/live.js';
import { shown } from './support/shown.js';

/**
 * What a client shows by `snapshot: true` and the events after it is what a query of the same
 * identity answers, under rules, policies, both together, and grants of columns to roles. Random
 * writes move rows between owners and in and out of conditions, and give them other keys.
 * `SEED` repeats a run.
 */
const seed = Number(process.env['SEED'] ?? 44);

const [full, narrow, keyless] = ['snapshot_full', 'snapshot_narrow', 'snapshot_keyless'] as const;
const roles = [full, narrow, keyless];

const columns = `id int primary key, owner text not null, state text not null, title text not null,
  secret text not null default 'SECRET'`;
const tables = ['ruled', 'secured', 'mixed'] as const;
const sql = `
  ${tables.map((name) => `create table ${name} (${columns});`).join('\n')}
  ${['secured', 'mixed']
    .map(
      (name) => `alter table ${name} enable row level security;
        create policy own on ${name} using (owner = nullif(current_setting('request.user_id', true), ''));`,
    )
    .join('\n')}
  ${roles.map((role) => `do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$;`).join('')}
  grant usage on schema live to ${roles.join()};
  ${tables
    .map(
      (name) => `grant select on ${name} to ${full};
        grant select (id, owner, title) on ${name} to ${narrow}; grant select (title) on ${name} to ${keyless};`,
    )
    .join('\n')}
  -- What a rule reads needs a grant, too.
  grant select (state) on mixed to ${narrow};`;

const config = {
  rules: {
    'live.ruled': { read: { owner: { eq: { claim: 'userId' } } }, hide: ['secret'] },
    // A row that is shut is nobody's, whatever its policy says.
    'live.mixed': { read: { state: { neq: 'shut' } }, hide: ['secret'] },
    'live.secured': { read: true, write: true, roles: { [full]: { read: true, write: true, hide: ['secret'] } } },
  },
};

let live: Live;
const servers: ServedServer[] = [];
const clients: Client[] = [];

beforeAll(async () => {
  live = await openLive('notify', [], undefined, config, {
    sql,
    watched: tables.map((name) => ({ schema: 'live', name, key: ['id'] })),
  });
  await live.run(`grant ${roles.join()} to ${new URL(live.served.roleUrl).username}`);
  for (const byRole of ['true', 'false'])
    servers.push(
      await live.start({
        APP_LOG_LEVEL: 'warn',
        APP_SECURITY_ROLE_CLAIM: 'role',
        APP_SECURITY_ALLOWED_ROLES: roles.join(),
        APP_SECURITY_ANONYMOUS_ROLE: full,
        APP_SECURITY_SCHEMA_BY_ROLE: byRole,
      }),
    );
});
afterAll(async () => {
  for (const client of clients) await client.dispose();
  for (const server of servers) expect(await server.stop()).toBe(0);
  await live.stop();
});

interface Identity {
  readonly user: string | undefined;
  readonly role: string;
}
const identities: readonly Identity[] = [
  { user: undefined, role: full },
  ...['ada', 'bob'].flatMap((user) => [full, narrow].map((role) => ({ user, role }))),
];
const fieldsOf = ({ role }: Identity): string => (role === full ? 'id owner state title' : 'id owner title');

/** A subscription, and how to ask for the same rows. */
interface Shown {
  readonly watching: Watching;
  readonly identity: Identity;
  readonly query: () => Promise<readonly unknown[]>;
  readonly what: string;
}

const tokenOf = async ({ user, role }: Identity): Promise<string | undefined> =>
  user === undefined ? undefined : live.served.token(user, { role });

async function subscribe(random: Random): Promise<Shown> {
  const [identity, table, server] = [random.pick(identities), random.pick(tables), random.pick(servers)];
  const conditions = ['', 'title: { like: "a%" }', 'id: { gte: 20 }'];
  if (identity.role === full) conditions.push('state: { eq: "in" }', 'state: { neq: "out" }');
  const condition = random.pick(conditions);
  const token = await tokenOf(identity);
  const client = openClient(server, token);
  clients.push(client);
  const fields = fieldsOf(identity);
  const name = `live${table.charAt(0).toUpperCase()}${table.slice(1)}`;
  const given = condition === '' ? '' : `where: { ${condition} }, `;
  const watching = await watch(
    client,
    `subscription { ${name}Changes(${given}snapshot: true) { operation key data { ${fields} } } }`,
  );
  const headers: Readonly<Record<string, string>> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return {
    watching,
    identity,
    what: `${table} as ${JSON.stringify(identity)} where ${condition}`,
    query: async () => {
      const { text } = await server.ask(`{ ${name}(${given}orderBy: { id: ASC }) { ${fields} } }`, headers);
      const { data } = JSON.parse(text) as { readonly data?: Readonly<Record<string, readonly unknown[]>> };
      return data?.[name] ?? [text];
    },
  };
}

async function write(random: Random): Promise<void> {
  const [table, id] = [random.pick(tables), random.below(60)];
  const [owner, state] = [random.pick(['ada', 'bob', 'eve']), random.pick(['in', 'out', 'shut'])];
  const title = `${random.pick(['a', 'b'])}${String(random.below(1000))}`;
  const values = [id, owner, state, title];
  await random.pick([
    () => live.run(`delete from live.${table} where id = $1`, [id]),
    () => live.run(`update live.${table} set secret = 'SECRET' || $1::int where id > $1`, [id]),
    () => live.run(`update live.${table} set state = $2 where id between $1 and $1 + 5`, [id, state]),
    () =>
      live.run(
        `update live.${table} set id = $2 where id = $1 and not exists (select from live.${table} where id = $2)`,
        [id, random.below(60)],
      ),
    () =>
      live.run(
        `insert into live.${table} (id, owner, state, title) values ($1, $2, $3, $4)
         on conflict (id) do update set owner = excluded.owner, state = excluded.state, title = excluded.title`,
        values,
      ),
  ])();
}

test(`each identity shows what it is answered (SEED=${String(seed)})`, async () => {
  const random = new Random(seed);
  const all: Shown[] = [];
  for (let turn = 0; turn < 600; turn += 1) {
    await write(random);
    if (turn % 20 === 19) all.push(await subscribe(random));
  }
  for (const table of tables)
    await live.run(
      `insert into live.${table} (id, owner, state, title)
       select 1000000 + case owner when 'ada' then 0 else 1 end, owner, 'in', 'a last'
       from unnest(array['ada', 'bob']) owner`,
    );
  for (const { watching, identity, query, what } of all) {
    if (identity.user !== undefined)
      await watching.until((events) => events.some(({ key }) => Number(key?.['id']) >= 1_000_000));
    expect([what, shown(watching.events)]).toEqual([what, await query()]);
    expect(JSON.stringify(watching.events)).not.toContain('SECRET');
    watching.stop();
  }
  const operations = all.flatMap(({ watching: { events } }) => events.map(({ operation }) => operation));
  expect(new Set(operations)).toEqual(new Set(['SNAPSHOT', 'INSERT', 'UPDATE', 'DELETE']));
});

test('a role that may not read the key is told nothing', async () => {
  for (const server of servers)
    for (const table of ['Ruled', 'Secured', 'Mixed']) {
      const client = openClient(server, await tokenOf({ user: 'ada', role: keyless }));
      clients.push(client);
      const watching = await watch(client, `subscription { live${table}Changes(snapshot: true) { data { title } } }`);
      await expect(watching.until((events) => events.length > 0)).rejects.toThrow(
        /Permission denied|has no subscriptions/,
      );
      expect(watching.events).toEqual([]);
    }
});
