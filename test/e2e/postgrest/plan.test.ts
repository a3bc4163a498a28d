import { errorOf, type Reply } from '../../runtime/rest/support/client.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { logged } from '../../support/until.js';
import { orchestraFunctions, orchestraSql } from './schema.js';

const custom = `
export const custom = {
  hooks: { 'public.quotes': { beforeInsert: () => { console.error('a hook was called'); } } },
};
`;

const sql = `${orchestraSql}
create table notes (id int primary key, owner text not null);
alter table notes enable row level security;
create policy own on notes using (owner = nullif(current_setting('request.jwt.claims', true), '')::json ->> 'sub');
create function slow() returns text language plpgsql stable as $$ begin perform pg_sleep(60); return 'done'; end $$;
insert into notes values (1, 'ada'), (2, 'bo');
`;

let served: Served;
let server: ServedServer;

beforeAll(async () => {
  const config = { 'app.rest.postgrest': '/rest/v1', functions: orchestraFunctions };
  served = await openServed({ name: 'pgrst_plan', schema: 'public', sql, config, custom });
  server = await served.start({ APP_REST_PLAN_ENABLED: 'true' });
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

type Headers = Readonly<Record<string, string>>;

const json = { 'content-type': 'application/json' };
const plan = (rest = '+json'): Headers => ({ ...json, accept: `application/vnd.pgrst.plan${rest}` });

const ask = (method: string, path: string, headers: Headers = plan(), body?: unknown): Promise<Reply> =>
  server.send(method, `/rest/v1${path}`, headers, body === undefined ? undefined : JSON.stringify(body));

interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly Plans?: readonly Node[];
}

const nodes = (node: Node): readonly Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)];

/** The nodes of a plan, from its root. */
function nodesOf({ status, text }: Reply): readonly Node[] {
  expect(status).toBe(200);
  const [first] = JSON.parse(text) as readonly { readonly Plan: Node }[];
  return first === undefined ? [] : nodes(first.Plan);
}

const relations = (reply: Reply): readonly unknown[] => [
  ...new Set(nodesOf(reply).flatMap((node) => node['Relation Name'] ?? [])),
];

describe('the plan of a read', () => {
  test('is text, or JSON', async () => {
    const text = await ask('GET', '/teams?id=eq.1', plan(''));
    expect([text.status, text.headers['content-type']]).toEqual([
      200,
      'application/vnd.pgrst.plan+text; for="application/json"; charset=utf-8',
    ]);
    expect(text.text).toMatch(/^Aggregate {2}\(cost=[^\n]+\n {2}->/);
    const answered = await ask('GET', '/teams?id=eq.1');
    expect(answered.headers['content-type']).toBe(
      'application/vnd.pgrst.plan+json; for="application/json"; charset=utf-8',
    );
    expect(relations(answered)).toEqual(['teams']);
  });

  test('is that of the form which would be answered', async () => {
    const reply = await ask('GET', '/teams', plan('+text; for="text/csv"; options=verbose;'));
    expect(reply.headers['content-type']).toBe(
      'application/vnd.pgrst.plan+text; for="text/csv"; options=verbose; charset=utf-8',
    );
    expect(reply.text).toContain('Output: ');
    expect(reply.text).toContain('id,team_name');
  });

  test('runs the read where it is analyzed, as the caller', async () => {
    const scan = async (headers: Headers): Promise<Node | undefined> => {
      const reply = await ask('GET', '/notes', { ...plan('+json; options=analyze|buffers'), ...headers });
      return nodesOf(reply).find((node) => node['Relation Name'] === 'notes');
    };
    expect(await scan({ authorization: `Bearer ${await served.token('ada')}` })).toMatchObject({ 'Actual Rows': 1 });
    expect(await scan({})).toMatchObject({ 'Actual Rows': 0 });
  });

  test('has the statement and its parameters beside it, where it asks for them', async () => {
    const reply = await ask('GET', '/teams?id=eq.1', plan('+json; options=statement'));
    const answer = JSON.parse(reply.text) as {
      readonly statements: readonly { readonly text: string; readonly values: readonly string[] }[];
      readonly plan: readonly { readonly Plan: Node }[];
    };
    expect(answer.statements).toEqual([
      { text: expect.stringContaining('"teams"') as string, values: expect.arrayContaining(['1']) as string[] },
    ]);
    expect(answer.plan[0]?.Plan).toHaveProperty(['Node Type']);
  });

  test('takes no longer than the read may', async () => {
    const short = await served.start({
      APP_REST_PLAN_ENABLED: 'true',
      APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '5000',
      APP_DATASOURCE_WRITE_TIMEOUT_MS: '60000',
    });
    const reply = await short.get('/rest/v1/rpc/slow', plan('+json; options=analyze'));
    await short.stop();
    expect([reply.status, errorOf(reply).code]).toEqual([500, '57014']);
  });

  test('has embedded tables, counts and functions', async () => {
    expect(relations(await ask('GET', '/users?select=name,teams(team_name)&limit=1'))).toEqual(
      expect.arrayContaining(['users', 'teams', 'users_teams']),
    );
    expect(relations(await ask('GET', '/rpc/get_instruments?dearest=1000'))).toEqual(['instruments']);
    expect(relations(await ask('POST', '/rpc/get_instruments', plan(), {}))).toEqual(['instruments']);
    // As in PostgREST, the result of every function is rows: an aggregate over the call.
    const [whole, ...inner] = nodesOf(await ask('GET', '/rpc/echo?say=x'));
    expect(whole).toMatchObject({ 'Node Type': 'Aggregate' });
    expect(inner).toContainEqual(expect.objectContaining({ 'Node Type': 'Result' }));
    expect((await ask('HEAD', '/teams')).text).toBe('');
  });

  test.each([
    ['an unknown column', '/teams?nope=eq.1', plan(), 400, '42703'],
    ['a form that is not served', '/teams', plan('+json; for="image/png"'), 406, 'PGRST107'],
    ['another plan', '/teams', plan('+xml'), 406, 'PGRST107'],
    ['an option without what it needs', '/teams', plan('+json; options=wal'), 400, '22023'],
  ])('is none of %s', async (_, path, headers, status, code) => {
    const reply = await ask('GET', path, headers);
    expect([reply.status, errorOf(reply).code]).toEqual([status, code]);
  });
});

describe('the plan of a write', () => {
  const key = 'id=eq.1';

  test.each([
    ['POST', '/teams', { id: 70, team_name: 'x' }],
    [
      'POST',
      '/teams?select=team_name',
      [
        { id: 70, team_name: 'x' },
        { id: 71, team_name: 'y' },
      ],
    ],
    ['PATCH', `/teams?${key}`, { team_name: 'x' }],
    ['PUT', `/teams?${key}`, { id: 1, team_name: 'x' }],
    ['DELETE', `/messages?${key}`, undefined],
    ['POST', '/rpc/rename_instrument', { which: 1, word: 'x' }],
  ])('%s %s: nothing is kept, even where it is analyzed', async (method, path, body) => {
    const before = await served.query('select * from teams, instruments, messages order by 1, 3');
    for (const prefer of ['return=minimal', 'return=representation', 'return=representation, tx=rollback']) {
      for (const options of ['', '; options=analyze']) {
        const reply = await ask(method, path, { ...plan(`+json${options}`), prefer }, body);
        expect(nodesOf(reply).length).toBeGreaterThan(0);
      }
    }
    expect(await served.query('select * from teams, instruments, messages order by 1, 3')).toEqual(before);
  });

  test('is that of one which asks for a single object', async () => {
    const headers = { ...plan('+json; for="application/vnd.pgrst.object+json"'), prefer: 'return=representation' };
    expect(nodesOf(await ask('PATCH', '/teams?id=eq.1', headers, { team_name: 'x' }))).not.toHaveLength(0);
  });

  test('is none where hooks decide about it, and none of them is called', async () => {
    const reply = await ask('POST', '/quotes', plan(), { id: 9, catchphrase: 'x' });
    expect([reply.status, errorOf(reply).code]).toEqual([400, 'PGRST127']);
    expect((await ask('POST', '/quotes', json, { id: 9, catchphrase: 'x' })).status).toBe(201);
    await logged(server, 'a hook was called');
    // The insert called it, the plan did not.
    expect(server.log().match(/a hook was called/g)).toHaveLength(1);
  });

  test('needs the rights of the write', async () => {
    const reply = await ask('POST', '/loud', plan(), { id: 9, name: 'x' });
    expect(reply.status).toBeGreaterThanOrEqual(400);
  });
});

test('where plans are off there is none, and the way of a request is the same', async () => {
  const off = await served.start();
  const reply = await off.get('/rest/v1/teams', plan());
  const own = await server.get('/api/v1/teams', plan());
  await off.stop();
  expect([reply.status, errorOf(reply).code]).toEqual([406, 'PGRST107']);
  expect([own.status, errorOf(own).code]).toEqual([406, 'TW010']);
});
