import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ConsoleModel } from '../../../console/src/console-model.js';
import { curlOf, fetchOf, supabaseOf } from '../../../console/src/client/code.js';
import type { ApiRequest } from '../../../console/src/client/requests.js';
import { clients, describeClients } from '../../support/client-packages.js';
import { variantsWhere } from '../../support/describe-where.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled } from '../rules/support/ruled.js';

/** "Copy as…" of the console: a copy leaves the rows that its request leaves. */
const databases: readonly (readonly [string, OpenRuled, string])[] = [
  [
    'PostgreSQL',
    onPostgres,
    `create function add_item(item int, title text) returns int volatile language sql as
      'insert into shop.items (id, name) values (item, title) returning id'`,
  ],
  ...variantsWhere('mariadb', [
    'MariaDB',
    onMysql,
    `create function add_item(item int, title varchar(40)) returns int modifies sql data
      begin insert into items (id, name) values (item, title); return item; end`,
  ] as const),
];

const columns = `id int primary key, name varchar(40) not null unique, size bigint default 7, note varchar(40) default 'none'`;
const seed = "insert into items (id, name, size, note) values (1, 'a', 1, 'x'), (2, 'b', 2, 'y'), (3, 'c', 3, null)";

const run = promisify(execFile);

/** supabase-js wants a WebSocket at once, which Node.js has from version 22. */
const noSockets = 'globalThis.WebSocket ??= class {};\n';

const request = (method: string, path: string, body?: unknown, prefer?: string): ApiRequest => ({
  method,
  path: `/api/v1/${path}`,
  headers: {
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    ...(prefer === undefined ? {} : { Prefer: prefer }),
  },
  body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body, undefined, 2),
});

const merge = 'resolution=merge-duplicates';
const ignore = 'resolution=ignore-duplicates';

const writes: readonly ApiRequest[] = [
  request('POST', 'items', { id: 9, name: "it's" }),
  request('POST', 'items', '[{"id": 9, "name": "d", "note": "n"}, {"id": 10, "name": "e", "size": 5}]'),
  request('POST', 'items', '{"id": 9, "name": "big", "size": 9007199254740993}'),
  request('POST', 'items', { id: 9, name: 'silent' }, 'return=minimal'),
  request('POST', 'items', { id: 1, name: 'z', size: 4 }, merge),
  request('POST', 'items?on_conflict=name', { id: 9, name: 'a', size: 4 }, ignore),
  request(
    'POST',
    'items?on_conflict=name',
    [
      { id: 9, name: 'a' },
      { id: 10, name: 'f' },
    ],
    ignore,
  ),
  request('POST', 'rpc/add_item', { item: 9, title: 'called' }),
  request('PATCH', 'items?id=eq.1', { note: 'changed "it\'s"' }),
  request('PATCH', 'items?and=(size.gt.1,or(name.eq.b,name.eq.c))', { size: 0 }),
  request('PATCH', 'items?or=(id.eq.1,note.is.null)&id=in.(1,3)', { size: 0 }),
  request('PATCH', 'items?id=gt.0', { size: 0 }, 'handling=strict, max-affected=2'),
  request('DELETE', 'items?note=is.null'),
  request('DELETE', 'items?note=not.is.null&name=like.*a*'),
  request('DELETE', 'items?not.or=(id.eq.1,id.eq.2)'),
  request('DELETE', 'items?id=in.(1,2)'),
];

const withRollback = (each: ApiRequest): ApiRequest => ({
  ...each,
  headers: { ...each.headers, Prefer: [each.headers['Prefer'], 'tx=rollback'].filter(Boolean).join(', ') },
});

describe.each(databases)('copies on %s', (_database, open, routine) => {
  let served: Ruled;
  beforeAll(async () => {
    served = await open({
      name: 'copies',
      sql: `create table items (${columns}); ${seed}; ${routine}`,
      config: (schema: string) => ({ functions: [`${schema}.*`] }),
      rules: () => ({}),
      environment: { APP_REST_POSTGREST: '/rest/v1' },
    });
  });
  afterAll(() => served.stop());

  test('a mutation of GraphQL, which supabase-js does not send', async () => {
    const query = 'mutation { updateItems(where: { name: { eq: "b" } }, input: { note: "it\'s" }) { id } }';
    const body = JSON.stringify({ query });
    const each = { method: 'POST', path: '/graphql', headers: { 'Content-Type': 'application/json' }, body };
    const expected = await leftBy(() => send(each));
    expect(JSON.stringify(expected)).toContain("it's");
    expect(await leftBy(() => run('sh', ['-c', curlOf(each, sender())]))).toEqual(expected);
    expect(await leftBy(() => evaluate(fetchOf(each, sender())))).toEqual(expected);
    expect(supabaseOf(model, each, sender())).toBeUndefined();
  });

  test('requests that supabase-js would send as others have no copy', () => {
    for (const each of [
      request('PUT', 'items?id=eq.1', { id: 1, name: 'put' }),
      request('POST', 'items?columns=id,name', { id: 9, name: 'c', size: 1 }),
      request('DELETE', 'items?unknown'),
    ])
      expect([each.method, supabaseOf(model, each, sender())]).toEqual([each.method, undefined]);
  });

  const model = { postgrest: { path: '/rest/v1', plans: false }, functions: [] } as unknown as ConsoleModel;
  const sender = () => ({ origin: served.base, session: { name: 'Nobody', token: undefined } });
  const evaluate = (code: string) => run(process.execPath, ['--input-type=module', '-e', code], { cwd: clients });

  const send = ({ method, path, headers, body }: ApiRequest): Promise<Response> =>
    fetch(served.base + path, { method, headers, ...(body === undefined ? {} : { body }) });

  async function leftBy(act: () => Promise<unknown>): Promise<unknown> {
    const reset = await send(request('DELETE', 'items?id=gt.0'));
    const all = [
      { id: 1, name: 'a', size: 1, note: 'x' },
      { id: 2, name: 'b', size: 2, note: 'y' },
      { id: 3, name: 'c', size: 3, note: null },
    ];
    const seeded = await send(request('POST', 'items', all));
    expect([reset.status, seeded.status]).toEqual([200, 201]);
    await act();
    return (await served.rows('select * from shop.items order by id')).map((row) => JSON.stringify(row));
  }

  describeClients('run as they are', () => {
    test.each(
      [...writes, ...writes.map(withRollback)].map(
        (each) => [each.method, each.path, each.headers['Prefer'], each] as const,
      ),
    )('%s %s with Prefer: %s', async (_method, _path, prefer, each) => {
      const before = await leftBy(() => Promise.resolve());
      let status = 0;
      const expected = await leftBy(async () => {
        ({ status } = await send(each));
      });
      const isTried = prefer?.includes('tx=rollback') === true;
      const isRefused = prefer?.includes('max-affected') === true;
      expect([status < 300, expected]).toEqual([!isRefused, isTried || isRefused ? before : expect.anything()]);
      if (!isTried && !isRefused && prefer !== ignore) expect(expected).not.toEqual(before);
      const supabase = supabaseOf(model, each, sender());
      expect(supabase).toBeDefined();
      const copies = [
        await leftBy(() => run('sh', ['-c', curlOf(each, sender())])),
        await leftBy(() => evaluate(fetchOf(each, sender()).replace(/const answer.*\n/, ''))),
        await leftBy(() => evaluate(`${noSockets}${supabase ?? ''}`)),
      ];
      expect(copies).toEqual([expected, expected, expected]);
    });
  });
});
