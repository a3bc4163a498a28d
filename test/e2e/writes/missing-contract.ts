export interface Missing {
  /** Answers JSON, or `''`. */
  readonly send: (
    method: string,
    path: string,
    body: unknown,
    headers: Readonly<Record<string, string>>,
  ) => Promise<{ readonly status: number; readonly body: unknown }>;
}

const object = 'application/vnd.pgrst.object+json';

/**
 * What a merge does with columns that a row lacks, over both forms of REST. The table `made` has
 * the columns `id`, `name` (unique), `n` (default 7), `note` (default `'young'`).
 */
export function missingContract(given: () => Missing): void {
  describe.each(['/api/v1', '/rest/v1'])('what a merge lacks: %s', (base) => {
    const post = (query: string, body: unknown, prefer = '', accept = 'application/json') => {
      const preferences = `return=representation, resolution=merge-duplicates${prefer}`;
      return given().send('POST', `${base}/made${query}`, body, { prefer: preferences, accept });
    };
    const columns = '?columns=id,name,n,note';
    const old = [1, 2].map((id) => ({ id, name: `old${String(id)}`, n: id, note: 'old' }));

    beforeEach(async () => {
      expect((await post('', old)).status).toBeLessThan(300);
    });
    afterEach(() => given().send('DELETE', `${base}/made?id=gt.0`, undefined, {}));

    test('takes its default in rows that exist, where the client asks for defaults', async () => {
      const rows = [
        { id: 1, n: 5 },
        { id: 2, note: 'new' },
        { id: 3, name: 'x' },
      ];
      // As supabase-js sends upsert(rows, { defaultToNull: false }).
      expect((await post(columns, rows, ', missing=default')).body).toEqual([
        { id: 1, name: null, n: 5, note: 'young' },
        { id: 2, name: null, n: 7, note: 'new' },
        { id: 3, name: 'x', n: 7, note: 'young' },
      ]);
    });

    test('one row, all of whose columns are missing', async () => {
      expect((await post('?columns=id,n,note', [{ id: 1 }], ', missing=default')).body).toEqual([
        { id: 1, name: 'old1', n: 7, note: 'young' },
      ]);
    });

    test('by another key', async () => {
      const body = [{ name: 'old1', note: 'new' }];
      const reply = await post('?on_conflict=name&columns=name,n,note', body, ', missing=default');
      expect(reply.body).toEqual([{ id: 1, name: 'old1', n: 7, note: 'new' }]);
    });

    test('is null, where the client asks for that', async () => {
      expect((await post('?columns=id,n,note', [{ id: 1, n: 5 }], ', missing=null')).body).toEqual([
        { id: 1, name: 'old1', n: 5, note: null },
      ]);
    });

    test('an empty list that would be merged is 200, and no single object', async () => {
      expect(await post('', [])).toEqual({ status: 200, body: [] });
      for (const [method, prefer] of [
        ['POST', 'resolution=merge-duplicates'],
        ['POST', ''],
      ] as const) {
        const reply = await given().send(method, `${base}/made`, [], { prefer, accept: object });
        expect(reply.status).toBe(406);
      }
      const nothing = await given().send('PATCH', `${base}/made?id=eq.1`, {}, { accept: object });
      expect(nothing.status).toBe(406);
      expect((await given().send('POST', `${base}/made`, [], { prefer: 'return=representation' })).status).toBe(201);
    });
  });

  test('a merge by the key that conflicts sets defaults, too', async () => {
    const send = (body: unknown, prefer: string) => given().send('POST', '/api/v1/made', body, { prefer });
    await send([{ id: 1, name: 'a', n: 1 }], '');
    const prefer = 'return=representation, resolution=merge-duplicates, missing=default';
    const rows = [
      { id: 9, name: 'a' },
      { id: 8, name: 'b', n: 2 },
    ];
    expect((await send(rows.slice(0, 1), prefer)).body).toMatchObject([{ id: 1, name: 'a', n: 1 }]);
    expect((await given().send('POST', '/api/v1/made?columns=id,name,n', [rows[0]], { prefer })).body).toMatchObject([
      { id: 1, name: 'a', n: 7 },
    ]);
    await given().send('DELETE', '/api/v1/made?id=gt.0', undefined, {});
  });
}
