/** What the contract needs: a server with both forms of REST, and a table. */
export interface Guarding {
  /** Without a slash at the end. */
  readonly base: string;
  /** Empties the tables `counters (id, n, note)` and `notes (id, counter)`. */
  readonly reset: () => Promise<void>;
}

type Answered = Awaited<ReturnType<typeof answered>>;

async function answered(response: Response) {
  const text = await response.text();
  return { status: response.status, etag: response.headers.get('etag') ?? '', text };
}

/** Decision 006: `If-Match` and `If-None-Match` of PATCH, PUT and DELETE of one row. */
export function ifMatchContract(given: () => Guarding): void {
  describe.each(['/api/v1', '/rest/v1'])('conditions on the state of a row at %s', (form) => {
    const send = async (method: string, path: string, headers: object, body?: unknown): Promise<Answered> =>
      answered(
        await fetch(`${given().base}${form}/${path}`, {
          method,
          headers: { 'content-type': 'application/json', prefer: 'return=representation', ...headers },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      );
    const get = (path: string, headers: object = {}): Promise<Answered> =>
      send('GET', path, { prefer: '', ...headers });
    const row = async (id = 1): Promise<unknown> => {
      const { text } = await get(`counters?id=eq.${String(id)}&select=n,note`, {
        accept: 'application/vnd.pgrst.array+json',
      });
      const read = JSON.parse(text) as readonly unknown[] | { readonly data: readonly unknown[] };
      return ('data' in read ? read.data : read)[0];
    };
    const put = (id: number, headers: object): Promise<Answered> =>
      send('PUT', `counters?id=eq.${String(id)}`, headers, { id, n: 5, note: 'put' });

    beforeEach(async () => {
      await given().reset();
      for (const id of [1, 2]) await send('POST', 'counters', {}, { id, n: 1, note: 'old' });
      await send('POST', 'notes', {}, { id: 1, counter: 1 });
    });

    test.each([
      ['counters?id=eq.1', 'counters?id=eq.1', {}],
      ['counters?id=eq.1', 'counters?id=eq.1', { accept: 'application/vnd.pgrst.object+json' }],
      ['counters?id=eq.1', 'counters?id=eq.1', { accept: 'text/csv' }],
      ['counters?id=eq.1', 'counters?id=eq.1', { prefer: 'count=exact' }],
      ['counters?id=eq.1', 'counters?id=eq.1', { 'accept-encoding': 'gzip' }],
      ['counters?id=eq.1', 'counters?id=eq.1&select=id', {}],
      ['counters?id=eq.1&select=n,notes(id)', 'counters?id=eq.1&select=n,notes(id)', {}],
      ['counters?id=eq.1', 'counters?id=eq.1&columns=n', {}],
      ...(form === '/api/v1' ? [['counters/1', 'counters?id=eq.1', {}] as const] : []),
    ] as const)('the tag of %s lets %s write once, with %j', async (read, write, headers) => {
      const { etag } = await get(read, headers);
      expect(etag).not.toBe('');
      const { accept } = headers as { readonly accept?: string };
      const guard = { 'if-match': `"other", ${etag}`, ...(accept !== undefined && { accept }) };
      expect((await send('PATCH', write, guard, { n: 2 })).status).toBe(200);
      expect(await row()).toEqual({ n: 2, note: 'old' });
      const again = await send('PATCH', write, guard, { n: 3 });
      expect([again.status, again.text]).toEqual([412, expect.stringContaining('TW021')]);
      expect(await row()).toEqual({ n: 2, note: 'old' });
    });

    test('an embedded row is part of what the client has read', async () => {
      const path = 'counters?id=eq.1&select=n,notes(id)';
      const { etag } = await get(path);
      await send('POST', 'notes', {}, { id: 2, counter: 1 });
      expect((await send('PATCH', path, { 'if-match': etag }, { n: 2 })).status).toBe(412);
    });

    test('PUT and DELETE compare, too, and so does a PATCH that changes nothing', async () => {
      const { etag } = await get('counters?id=eq.1');
      expect((await send('PATCH', 'counters?id=eq.1', { 'if-match': '"x"' }, {})).status).toBe(412);
      for (const wrong of ['"x"', `W/${etag}`]) {
        expect((await put(1, { 'if-match': wrong })).status).toBe(412);
        expect((await send('DELETE', 'counters?id=eq.1', { 'if-match': wrong })).status).toBe(412);
      }
      expect(await row()).toEqual({ n: 1, note: 'old' });
      expect((await put(1, { 'if-match': etag })).status).toBe(200);
      const next = await get('counters?id=eq.1');
      await send('DELETE', 'notes?id=eq.1', {});
      expect((await send('DELETE', 'counters?id=eq.1', { 'if-match': next.etag })).status).toBe(200);
      expect(await row()).toBeUndefined();
    });

    test('where there is no row, nothing matches; `If-None-Match: *` only inserts', async () => {
      for (const tag of ['*', '"x"']) {
        expect((await put(3, { 'if-match': tag })).status).toBe(412);
        expect((await send('PATCH', 'counters?id=eq.3', { 'if-match': tag }, { n: 2 })).status).toBe(412);
      }
      expect(await row(3)).toBeUndefined();
      expect((await put(3, { 'if-none-match': '*' })).status).toBe(201);
      expect((await put(3, { 'if-none-match': '*' })).status).toBe(412);
      expect((await send('PATCH', 'counters?id=eq.3', { 'if-match': '*' }, { n: 2 })).status).toBe(200);
    });

    test('a list, and a POST, are 400', async () => {
      const { etag } = await get('counters?id=eq.1');
      const guard = { 'if-match': etag };
      for (const path of [
        'counters?n=eq.1',
        'counters?id=gt.1',
        'counters?id=not.eq.1',
        'counters?or=(id.eq.1,n.eq.1)',
      ])
        for (const method of ['PATCH', 'DELETE'])
          expect((await send(method, path, guard, method === 'PATCH' ? { n: 2 } : undefined)).status).toBe(400);
      expect((await send('POST', 'counters', guard, { id: 9, n: 1 })).status).toBe(400);
      expect((await send('POST', 'counters', { 'if-none-match': '*' }, { id: 9, n: 1 })).status).toBe(400);
      expect([await row(1), await row(9)]).toEqual([{ n: 1, note: 'old' }, undefined]);
    });

    test('a dry run compares, and changes nothing', async () => {
      const { etag } = await get('counters?id=eq.1');
      const prefer = 'return=representation, tx=rollback';
      expect((await send('PATCH', 'counters?id=eq.1', { 'if-match': etag, prefer }, { n: 2 })).status).toBe(200);
      expect((await get('counters?id=eq.1')).etag).toBe(etag);
    });

    test('of writers that have read the same state one writes; none is lost', async () => {
      const { etag } = await get('counters?id=eq.1');
      const writes = Array.from({ length: 8 }, (_, at) =>
        send('PATCH', 'counters?id=eq.1', { 'if-match': etag }, { n: at + 10 }),
      );
      const statuses = (await Promise.all(writes)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
      await send('PATCH', 'counters?id=eq.1', {}, { n: 0 });
      const counting = async (): Promise<void> => {
        for (let done = 0; done < 5;) {
          const now = await get('counters?id=eq.1');
          const n = Number(/"n": ?(\d+)/.exec(now.text)?.[1]);
          const { status } = await send('PATCH', 'counters?id=eq.1', { 'if-match': now.etag }, { n: n + 1 });
          if (status === 200) done += 1;
          else expect([412, 409]).toContain(status);
        }
      };
      await Promise.all(Array.from({ length: 4 }, counting));
      expect(await row()).toEqual({ n: 20, note: 'old' });
    });
  });
}
