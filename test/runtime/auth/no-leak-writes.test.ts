import fc from 'fast-check';
import { openShop, until, type Shop, type ShopServer } from '../session/support/shop.js';

/**
 * Like no-leak.test.ts, for a generated server that also writes, with its two connections new and
 * in use.
 */
const users = ['ada', 'bob', 'cyd', "d'eve"] as const;

describe.each(['policies', 'rules'] as const)('%s decide', (decidedBy) => {
  let shop: Shop;
  let server: ShopServer;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    shop = await openShop(undefined, decidedBy);
    server = await shop.start({
      APP_DATASOURCE_POOL_SIZE: '2',
      APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
      APP_LOG_LEVEL: 'silent',
    });
    for (const user of users) tokens.set(user, await shop.token(user));
  });
  afterAll(async () => {
    expect(await server.stop()).toBe(0);
    await shop.drop();
  });

  type Action = 'read' | 'insert' | 'update' | 'delete' | 'refused' | 'rolled back';

  interface Asked {
    readonly as: string | null;
    readonly over: 'rest' | 'graphql';
    readonly action: Action;
  }

  const asked: fc.Arbitrary<Asked> = fc.record({
    as: fc.option(fc.constantFrom(...users)),
    over: fc.constantFrom('rest', 'graphql'),
    action: fc.constantFrom<Action>('read', 'read', 'insert', 'insert', 'update', 'delete', 'refused', 'rolled back'),
  });

  const documents: Readonly<Record<Action, string>> = {
    read: '{ rows: shopNotes { owner } }',
    insert: 'mutation { rows: createManyShopNotes(inputs: [{}, {}]) { owner } }',
    update: 'mutation { rows: updateShopNotes(where: {}, input: {number: 1}) { owner } }',
    delete: 'mutation { rows: deleteShopNotes(where: {body: {eq: ""}}) { owner } }',
    refused: 'mutation { rows: createShopNotes(input: {number: -1}) { owner } }',
    'rolled back':
      'mutation { a: createShopNotes(input: {body: "never"}) { owner } rows: createShopNotes(input: {number: -1}) { owner } }',
  };

  const requests: Readonly<Record<Action, readonly [method: string, path: string, body?: string, prefer?: string]>> = {
    read: ['GET', 'notes'],
    insert: ['POST', 'notes', '[{}, {}]'],
    update: ['PATCH', 'notes?id=gt.0', '{"number": 2}'],
    delete: ['DELETE', 'notes?body=eq.'],
    refused: ['POST', 'notes', '{"number": -1}'],
    'rolled back': ['POST', 'notes', '{"body": "never"}', 'tx=rollback'],
  };

  interface Row {
    readonly owner: string | null;
  }

  /** The rows of an answer; undefined for an error. */
  async function ask({ as, over, action }: Asked): Promise<readonly Row[] | undefined> {
    const headers: Record<string, string> = as === null ? {} : { authorization: `Bearer ${tokens.get(as) ?? ''}` };
    if (over === 'graphql') {
      const { text } = await server.ask(documents[action], headers);
      const { data } = JSON.parse(text) as { readonly data?: { readonly rows: Row[] } | null };
      return data?.rows;
    }
    const [method, path, body, prefer] = requests[action];
    if (body !== undefined) headers['content-type'] = 'application/json';
    if (prefer !== undefined) headers['prefer'] = prefer;
    const { status, text } = await server.send(method, `/api/v1/${path}`, headers, body);
    if (status >= 400) return undefined;
    const answer = JSON.parse(text) as { readonly data: Row[] } | Row[] | Row;
    if ('data' in answer) return answer.data;
    return 'owner' in answer ? [answer] : answer;
  }

  /**
   * Every user sees, writes and rolls back only their own rows, and a request without a user sees
   * none.
   */
  async function verify(each: Asked): Promise<void> {
    const { as, over, action } = each;
    const rows = await ask(each);
    const fails =
      action === 'refused' || (action === 'rolled back' && over === 'graphql') || (as === null && action === 'insert');
    if (fails || (as === null && action === 'rolled back')) expect([each, rows]).toEqual([each, undefined]);
    else {
      if (action === 'insert') expect(rows).toHaveLength(2);
      expect([each, rows?.filter(({ owner }) => owner !== as)]).toEqual([each, []]);
      if (as === null) expect(rows).toEqual([]);
    }
  }

  /**
   * Ends the server's connections, so that the next requests find new ones. The server itself may
   * have opened new ones when this looks.
   */
  async function cool(): Promise<void> {
    const role = new URL(shop.roleUrl).username;
    const ended = await shop.query<{ pid: number }>(
      'select pid, pg_terminate_backend(pid) from pg_stat_activity where usename = $1',
      [role],
    );
    const pids = ended.map(({ pid }) => pid);
    await until(async () => {
      const left = await shop.query('select from pg_stat_activity where pid = any ($1)', [pids]);
      return left.length === 0;
    });
    await until(async () => (await server.get('/health/ready')).status === 200);
  }

  test('whoever reads and writes, in whatever order, on cold and warm connections, touches their own rows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(asked, { minLength: 5, maxLength: 25 }), async (cold, several) => {
        if (cold) await cool();
        await Promise.all(several.map(verify));
      }),
      { numRuns: 40 },
    );
    expect(await shop.query(`select * from shop.notes where body = 'never'`)).toEqual([]);
  });

  test('an anonymous write is refused, and reads nothing, on a cold connection and after every sort of write', async () => {
    await cool();
    for (const over of ['rest', 'graphql'] as const) {
      for (const action of ['insert', 'refused', 'rolled back', 'update', 'delete'] as const) {
        await verify({ as: null, over, action: 'insert' });
        await verify({ as: null, over, action: 'update' });
        await verify({ as: 'ada', over, action });
      }
    }
  });
});
