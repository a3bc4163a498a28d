import { hers, policyCases } from '../../write/support/policy-cases.js';
import type { Ruled, Source, Who } from './ruled.js';

/** The notes of the suites of policies. Note 4 has a parent that Ada does not see. */
export const notesSql = `
  create table notes (id int primary key, owner varchar(40), body varchar(40) not null, shared int not null default 0,
    parent_id int, constraint notes_parent foreign key (parent_id) references notes (id));`;

/** What the policies of test/runtime/write/support/schema.sql say. */
export const notesRules: Source['rules'] = (schema) => ({
  [`${schema}.notes`]: {
    read: { or: [{ shared: { eq: 1 } }, { owner: { eq: { claim: 'userId' } } }] },
    write: { owner: { eq: { claim: 'userId' } } },
  },
});

const rows = `insert into shop.notes (id, owner, body, shared, parent_id) values
  (1, 'ada', 'mine', 0, null), (2, 'grace', 'hers', 0, null), (3, 'grace', 'ours', 1, null), (4, 'ada', 'child', 0, 2)`;

const ada: Who = { sub: 'ada' };
const grace: Who = { sub: 'grace' };
const idOf = (type: string, key: number): string =>
  Buffer.from(JSON.stringify([type, String(key)])).toString('base64url');

/** The cases of the suites of row level security, decided by rules. `served` has one connection. */
export function counterparts(served: () => Ruled): void {
  const everything = () => served().rows('select * from shop.notes order by id');
  const data = async (who: Who, query: string): Promise<unknown> => {
    const answer = await served().ask(who, query);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };
  const codeOf = async (who: Who, mutation: string): Promise<unknown> => {
    const before = await everything();
    const { errors } = await served().ask(who, `mutation { ${mutation} }`);
    expect(await everything()).toEqual(before);
    return (errors as readonly { readonly extensions: unknown }[] | undefined)?.[0]?.extensions;
  };

  beforeEach(async () => {
    await served().rows('delete from shop.notes where parent_id is not null');
    await served().rows('delete from shop.notes');
    await served().rows(rows);
  });

  describe('what policies reject, rules reject', () => {
    const others = "select * from shop.notes where owner <> 'ada' order by id";

    test.each(policyCases)('REST: $how', async ({ method, path, prefer, body, byRule, ...byPolicy }) => {
      const { status, answer } = byRule ?? byPolicy;
      const before = await served().rows(others);
      // A boolean of MariaDB is a number. PUT takes all columns.
      const whole = method === 'PUT' ? { ...(body as object), parent_id: null } : body;
      const sent = body === undefined ? undefined : (JSON.parse(JSON.stringify(whole, numbers)) as unknown);
      const reply = await served().rest(ada, method, path, sent, prefer);
      expect(reply).toMatchObject({ status, ...(status === 403 && { body: { code: 'TW016' } }) });
      if (answer !== undefined) expect(reply.body).toEqual(answer);
      expect(await served().rows(others)).toEqual(before);
    });

    test('the identity of a write is not there for the next one on its connection', async () => {
      const post = (who: Who, id: number, prefer?: string) =>
        served().rest(who, 'POST', 'notes', { id, owner: 'ada', body: 'x' }, prefer);
      expect((await post(ada, 20)).status).toBe(201);
      expect((await post(null, 21)).status).toBe(403);
      expect((await post(ada, 21, 'tx=rollback')).status).toBe(201);
      expect((await post(null, 22)).status).toBe(403);
      expect((await post(grace, 22)).status).toBe(403);
      expect(await served().rest(null, 'GET', 'notes?id=in.(20,21,22)')).toMatchObject({ body: { data: [] } });
    });

    const created = (id: number, owner: string) => `{ id: ${String(id)}, owner: "${owner}", body: "x" }`;
    test.each([
      ['create', `createNotes(input: ${created(10, hers.owner)}) { id }`],
      ['createMany', `createManyNotes(inputs: [${created(10, 'ada')}, ${created(11, hers.owner)}]) { id }`],
      ['update that gives away', 'updateNotes(where: { id: { eq: 1 } }, input: { owner: "grace" }) { id }'],
      [
        'the second field',
        `a: createNotes(input: ${created(10, 'ada')}) { id } b: updateNotes(where: { id: { eq: 1 } }, input: { owner: "grace" }) { id }`,
      ],
      [
        'create, then away',
        'a: createNotes(input: { id: 10, owner: "ada", body: "x", parent: { connect: { id: 2 } } }) { id }',
      ],
    ])('GraphQL: %s', async (_how, mutation) => {
      expect(await codeOf(ada, mutation)).toMatchObject({ code: expect.stringMatching(/TW008|TW016/) as unknown });
    });
  });

  describe('rows inside rows', () => {
    const children = (part: string) => `updateNotes(where: { id: { eq: 1 } }, input: { notes: { ${part} } }) { id }`;
    const parent = (part: string) => `updateNotes(where: { id: { eq: 4 } }, input: { parent: { ${part} } }) { id }`;
    test.each([
      children('connect: [{ id: 2 }]'),
      children('update: [{ where: { id: 2 }, data: { body: "x" } }]'),
      children('delete: [{ id: 2 }]'),
      children('disconnect: [{ id: 2 }]'),
      parent('upsert: { create: { id: 30, owner: "ada", body: "x" }, update: { body: "y" } }'),
      parent('update: { body: "x" }'),
      parent('delete: true'),
      parent('connect: { id: 2 }'),
    ])('hidden ones are neither connected, updated nor deleted: %s', async (mutation) => {
      expect(await codeOf(ada, mutation)).toMatchObject({ code: 'TW008' });
    });

    test.each([
      children('connect: [{ id: 3 }]'),
      children('create: [{ id: 30, owner: "grace", body: "x" }]'),
      children('upsert: [{ where: { id: 2 }, create: { id: 2, owner: "ada", body: "x" }, update: { body: "y" } }]'),
      children('connectOrCreate: [{ where: { id: 2 }, create: { id: 2, owner: "ada", body: "x" } }]'),
      parent('create: { id: 30, owner: "grace", body: "x" }'),
      parent('upsert: { create: { id: 30, owner: "grace", body: "x" }, update: { body: "y" } }'),
      'createNotes(input: { id: 40, owner: "ada", body: "x", parent: { data: { id: 41, owner: "grace", body: "x" } } }) { id }',
      'createNotes(input: { id: 40, owner: "ada", body: "x", notes: { data: [{ id: 41, owner: "grace", body: "x" }] } }) { id }',
      'createNotes(input: { id: 40, owner: "ada", body: "x", notes: { data: [{ id: 2, owner: "ada", body: "x" }], onConflict: { constraint: notes_pkey, updateColumns: [owner, body] } } }) { id }',
    ])('none is written that the rule does not allow: %s', async (mutation) => {
      const code = expect.stringMatching(/^(TW008|TW016|23505)$/) as unknown;
      const text = mutation.replace('notes_pkey', served().primaryKey);
      expect(await codeOf(ada, text)).toMatchObject({ code });
    });

    test('a hidden parent is left', async () => {
      expect(await data(ada, `mutation { ${parent('disconnect: true')} }`)).toEqual({ updateNotes: [{ id: 4 }] });
      expect(await data(ada, '{ notesByPk(id: 4) { parent_id parent { id } } }')).toEqual({
        notesByPk: { parent_id: null, parent: null },
      });
    });
  });

  describe('what one identity was given', () => {
    test('global identifiers find no rows of others', async () => {
      const asked = `{ node(id: "${idOf('Notes', 2)}") { __typename ... on Notes { body } }
        nodes(ids: ["${idOf('Notes', 1)}", "${idOf('Notes', 2)}", "${idOf('Notes', 3)}", "${idOf('Orders', 3)}"]) { nodeId } }`;
      const [mine, hidden, shared] = [1, 2, 3].map((id) => ({ nodeId: idOf('Notes', id) }));
      for (const [who, found, listed] of [
        [ada, null, [mine, null, shared, null]],
        [grace, { __typename: 'Notes', body: 'hers' }, [null, hidden, shared, null]],
        [null, null, [null, null, shared, null]],
        [ada, null, [mine, null, shared, null]],
      ] as const)
        expect(await data(who, asked)).toEqual({ node: found, nodes: listed });
      expect(await served().ask(ada, `{ node(id: "${idOf('Orders', 1)}") { ... on Orders { cost } } }`)).toMatchObject({
        errors: [{ extensions: { code: 'TW016' } }],
      });
    });

    test('a cursor of another identity begins no page of theirs', async () => {
      const page = async (who: Who, after?: string) => {
        const at = after === undefined ? '' : `, after: "${after}"`;
        const answer = await data(
          who,
          `{ notesConnection(first: 1, orderBy: { body: ASC, id: ASC }${at}) { edges { cursor node { id } } pageInfo { hasNextPage hasPreviousPage } totalCount } }`,
        );
        return (answer as { readonly notesConnection: Page }).notesConnection;
      };
      const first = await page(grace);
      expect([first.edges[0]?.node.id, first.totalCount]).toEqual([2, 2]);
      const [cursor = ''] = first.edges.map((edge) => edge.cursor);
      // Ada's notes are `child`, `mine` and `ours`: those after `hers` are the last two.
      expect(await page(ada, cursor)).toMatchObject({
        edges: [{ node: { id: 1 } }],
        pageInfo: { hasNextPage: true },
        totalCount: 3,
      });
      expect(await page(null, cursor)).toMatchObject({
        edges: [{ node: { id: 3 } }],
        pageInfo: { hasNextPage: false, hasPreviousPage: false },
        totalCount: 1,
      });
    });

    test('an entity tag of another identity matches no other answer', async () => {
      const get = (who: Who, tag?: string) =>
        served().send(who, 'GET', '/api/v1/notes?order=id', tag === undefined ? {} : { 'if-none-match': tag });
      const [hersRead, mine, open] = [await get(grace), await get(ada), await get(null)];
      const tags = [hersRead, mine, open].map(({ headers }) => headers.etag ?? '');
      expect(new Set(tags).size).toBe(3);
      for (const [who, own] of [
        [grace, 0],
        [ada, 1],
        [null, 2],
      ] as const)
        for (const [at, tag] of tags.entries()) {
          const { status, text } = await get(who, tag);
          expect([status, text === '']).toEqual(at === own ? [304, true] : [200, false]);
        }
      expect([mine, open].map(({ headers }) => headers['cache-control'])).toEqual(['private, no-cache', 'no-cache']);
      for (const { headers } of [mine, open]) expect(headers.vary?.toLowerCase()).toContain('authorization');
    });

    test('other forms of an answer, and its length', async () => {
      const csv = async (who: Who) =>
        (await served().send(who, 'GET', '/api/v1/orders?order=id&limit=1', { accept: 'text/csv' })).text;
      expect((await csv(ada)).split('\n')[0]).not.toContain('cost');
      expect(await csv(grace)).not.toContain('ada');
      const head = await served().send(ada, 'HEAD', '/api/v1/notes', { prefer: 'count=exact' });
      expect(head.headers['content-range']).toMatch(/\/3$/);
    });
  });

  describe('requests that share a connection', () => {
    const ids = '{ notes(orderBy: { id: ASC }) { id } }';
    const seen = new Map<Who, readonly number[]>([
      [ada, [1, 3, 4]],
      [grace, [2, 3]],
      [null, [3]],
      [{ sub: 'ADA' }, [3]],
    ]);

    test('many at once, some of which fail: each has the rows of its identity', async () => {
      const fails = 'mutation { createNotes(input: { id: 1, owner: "ada", body: "x" }) { id } }';
      for (let turn = 0; turn < 6; turn += 1)
        await Promise.all(
          [...seen, ...seen, ...seen].map(async ([who, found], at) => {
            if (at % 3 === turn % 3) expect((await served().ask(ada, fails)).errors).toBeDefined();
            const read =
              at % 2 === 0
                ? await data(who, ids)
                : { notes: ((await served().rest(who, 'GET', 'notes?select=id&order=id')).body as Listed).data };
            expect(read).toEqual({ notes: found.map((id) => ({ id })) });
          }),
        );
    });

    test('one after a failed statement, by nobody', async () => {
      for (const failing of ['notes?id=eq.x', 'notes?id=eq.99999999999999'])
        for (const who of [ada, null]) {
          await served().rest(ada, 'GET', failing);
          await served().rest(ada, 'PATCH', 'notes?id=eq.1', { body: null });
          expect(await data(who, ids)).toEqual({ notes: (seen.get(who) ?? []).map((id) => ({ id })) });
        }
    });

    test('writes in turns, until their statements are prepared', async () => {
      const before = await everything();
      for (let turn = 0; turn < 12; turn += 1)
        for (const [who, mine] of [
          [ada, [1, 4]],
          [grace, [2, 3]],
          [null, []],
        ] as const) {
          const { status, body } = await served().rest(
            who,
            'PATCH',
            'notes?id=gt.0&select=id',
            { parent_id: null },
            'tx=rollback',
          );
          expect([status, (body as readonly { readonly id: number }[]).map(({ id }) => id).sort()]).toEqual([
            200,
            mine,
          ]);
        }
      expect(await everything()).toEqual(before);
    });
  });

  test("PostgREST's form merges by the rule, too", async () => {
    const merge = (body: unknown) =>
      served().rest(ada, 'POST', 'notes', body, 'resolution=merge-duplicates,return=representation', '/rest/v1');
    const before = await everything();
    for (const body of [
      { id: 2, owner: 'ada', body: 'x' },
      { id: 3, owner: 'ada', body: 'x' },
      { id: 1, ...hers },
      [
        { id: 1, owner: 'ada', body: 'x' },
        { id: 2, owner: 'ada', body: 'x' },
      ],
      [
        { id: 10, owner: 'ada', body: 'x' },
        { id: 11, ...hers },
      ],
    ])
      expect((await merge(body)).status).toBe(403);
    expect(await everything()).toEqual(before);
    expect(await merge({ id: 1, owner: 'ada', body: 'x' })).toMatchObject({
      status: 200,
      body: [{ id: 1, body: 'x' }],
    });
  });
}

interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly id: number } }[];
  readonly totalCount: number;
}

interface Listed {
  readonly data: unknown;
}

const numbers = (_key: string, value: unknown): unknown => (typeof value === 'boolean' ? Number(value) : value);
