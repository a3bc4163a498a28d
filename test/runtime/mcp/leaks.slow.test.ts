import { variantsWhere } from '../../support/describe-where.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled, type Source, type Who } from '../rules/support/ruled.js';
import { connectAgent, type Agent } from './support/agent.js';
import { volume } from '../../support/volume.js';

/**
 * Identities call tools at once, over few connections: none of them sees or changes a row of
 * another one, whether policies of the database or rules of the configuration say so.
 */
const users = Array.from({ length: 11 }, (_, at) => `user${String(at)}`);
const roles = ['mcp_leaks_one', 'mcp_leaks_two'];
/** Their roles count where the server has them. */
const identities: readonly Who[] = [null, ...users.map((sub, at) => ({ sub, role: roles[at % roles.length] }))];
/** How often each identity calls every tool. */
const turns = volume(3, 40);

const sql = `
  create table notes (id {id}, owner varchar(40) not null, body varchar(40) not null, kind varchar(10) not null);
  create table parts (id {id}, note_id int not null, body varchar(40) not null,
    constraint parts_note foreign key (note_id) references notes (id) on delete cascade);
  ${users.map((user) => `insert into notes (owner, body, kind) values ('${user}', '${user}', 'anchor');`).join('\n')}
  insert into parts (note_id, body) select id, owner from notes`;

const policies = `;
  alter table notes enable row level security; alter table parts enable row level security;
  create policy own on notes using (owner = current_setting('request.jwt.claims', true)::json->>'sub');
  create policy own on parts using (exists (select from notes n where n.id = note_id))`;

const own = { owner: { eq: { claim: 'userId' } } };
const rules: Source['rules'] = (schema) => ({
  [`${schema}.notes`]: { read: own },
  [`${schema}.parts`]: { read: { note: own } },
});

const environment = {
  APP_MCP: 'true',
  APP_MCP_WRITES: 'true',
  APP_DATASOURCE_POOL_SIZE: '3',
  APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
};

const suites: readonly (readonly [string, OpenRuled, Omit<Source, 'name'>])[] = [
  ['policies of PostgreSQL', onPostgres, { sql: sql + policies, rules: () => ({}), environment }],
  ['rules on PostgreSQL', onPostgres, { sql, rules, environment }],
  [
    'an API for each role',
    onPostgres,
    {
      ...{ sql: sql + policies, roles, environment: { ...environment, APP_SECURITY_SCHEMA_BY_ROLE: 'true' } },
      rules: (schema) => ({
        [`${schema}.parts`]: { read: true, write: true, roles: { mcp_leaks_two: { read: true, write: false } } },
      }),
    },
  ],
  ...variantsWhere('mariadb', ['rules on MariaDB', onMysql, { sql, rules, environment }]),
];

describe.each(suites)('agents and %s', (_name, open, source) => {
  let served: Ruled;
  beforeAll(async () => {
    served = await open({ name: 'mcp_leaks', ...source });
  });
  afterAll(() => served.stop());

  /** Every answer has only texts of the identity, whatever the tool said. */
  async function act(agent: Agent, who: Who, turn: number): Promise<void> {
    const me = who?.sub ?? 'nobody';
    const other = users[turn % users.length] ?? '';
    const answers = [
      await agent.call('query_rows', { table: 'notes', embed: [{ relation: 'parts' }], order: ['id.desc'] }),
      await agent.call('query_rows', { table: 'notes', filters: [{ column: 'owner', operator: 'eq', value: other }] }),
      await agent.call('aggregate_rows', { table: 'notes', compute: [{ function: 'max', column: 'owner' }] }),
      await agent.call('graphql', { query: '{ notes { owner parts { body } } parts { note { owner } } }' }),
      await agent.call('update_rows', {
        table: 'notes',
        filters: [{ column: 'kind', operator: 'eq', value: 'anchor' }],
        values: { body: me },
      }),
      await agent.call('delete_rows', {
        table: 'notes',
        filters: [
          { column: 'kind', operator: 'eq', value: 'temp' },
          { column: 'id', operator: 'gt', value: 0 },
        ],
      }),
      await agent.call('insert_rows', { table: 'notes', rows: [{ owner: me, body: me, kind: 'temp' }] }),
    ];
    for (const { text } of answers)
      expect([me, [...new Set(text.match(/user\d+/g) ?? [])].filter((name) => name !== me)]).toEqual([me, []]);
    if (other === me) return;
    const stolen = await agent.call('insert_rows', {
      table: 'notes',
      rows: [{ owner: other, body: me, kind: 'temp' }],
    });
    expect([me, stolen.isError]).toEqual([me, true]);
  }

  test('no row of another identity is seen or changed', async () => {
    await Promise.all(
      identities.map(async (who) => {
        const agent = await connectAgent(served.base, await served.headersOf(who));
        for (let turn = 0; turn < turns; turn += 1) await act(agent, who, turn);
        await agent.close();
      }),
    );
    expect(await served.rows('select * from shop.notes where owner <> body')).toEqual([]);
    expect(await served.rows("select * from shop.notes where kind = 'anchor'")).toHaveLength(users.length);
  });
});
