import { describeMysql } from '../../../support/mysql.js';
import { serveMysql, type ServedMysql } from '../served.js';
import { columnCases, configuration, tables, type ColumnCase } from './columns.js';

interface Row {
  readonly id: number;
  /** The JSON text of the value. */
  readonly v: string;
}

/** Rows of REST, with the JSON text of `v` as it stands in the answer. */
const rowsOf = (answer: string): readonly Row[] =>
  [...answer.matchAll(/\{"id":(\d+),"v":(.*?)\}(?=,\{"id"|\])/gs)].map(([, id = '', v = '']) => ({
    id: Number(id),
    v,
  }));

/** A value as an address has it. */
function plain(json: string): string {
  const value: unknown = JSON.parse(json.startsWith('"') || json.startsWith('[') ? json : JSON.stringify(json));
  return Array.isArray(value) ? `{${value.join(',')}}` : String(value);
}

const inAddress = ({ lacks }: ColumnCase, json: string): string =>
  encodeURIComponent(lacks === 'order' && !json.startsWith('"POINT') ? json : plain(json));

/** The same in a list, `in.(…)`. */
const inList = (each: ColumnCase, json: string): string => {
  const text = decodeURIComponent(inAddress(each, json));
  return encodeURIComponent(`"${text.replace(/[\\"]/g, '\\$&')}"`);
};

describeMysql('every type of MariaDB', () => {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql({}, '', tables, () => ({ config: configuration }));
  });

  afterAll(() => served.stop());

  const json = (method: string, body: string): RequestInit => ({
    method,
    body,
    headers: { 'content-type': 'application/json', prefer: 'return=representation' },
  });

  /** Each value twice, and null twice: no order of values alone decides between two rows. */
  const fill = async ({ name, values }: ColumnCase, table: string): Promise<void> => {
    const twice = [...values, 'null', ...values, 'null'];
    const rows = twice.map((value, at) => `{"id":${String(at + 1)},"v":${value}}`);
    await served.rest(`${table}_${name}?id=gt.0`, { method: 'DELETE' });
    const { status, text } = await served.rest(`${table}_${name}`, json('POST', `[${rows.join(',')}]`));
    expect([status, status === 201 ? '' : text]).toEqual([201, '']);
  };

  const ids = async (path: string): Promise<readonly number[]> => {
    const { status, text } = await served.rest(path);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return rowsOf(text).map(({ id }) => id);
  };

  describe.each(columnCases)('$name: $type', (each) => {
    const { name, type, values, lacks } = each;
    const last = values.length;
    /** The ids of the rows with one of the values from `first` to before `end`. */
    const between = (first: number, end: number): readonly number[] =>
      [...values.keys()].slice(first, end).flatMap((at) => [at + 1, at + 2 + last]);
    const sorted = (all: readonly number[]): readonly number[] => [...all].sort((a, b) => a - b);

    beforeAll(() => fill(each, 'o'));

    test('is read as it was written', async () => {
      const { text } = await served.rest(`o_${name}?select=id,v&order=id&limit=${String(last)}`);
      expect(rowsOf(text).map(({ v }) => v)).toEqual(values);
    });

    test.each(values.map((value, at) => ({ value, at })))('$value is found by filters', async ({ value, at }) => {
      const filtered = async (filter: string): Promise<readonly number[]> =>
        sorted(await ids(`o_${name}?select=id,v&v=${filter}`));
      const text = inAddress(each, value);
      expect(await filtered(`eq.${text}`)).toEqual(sorted(between(at, at + 1)));
      const others = sorted([...between(0, at), ...between(at + 1, last)]);
      expect(await filtered(`neq.${text}`)).toEqual(others);
      expect(await filtered(`isdistinct.${text}`)).toEqual(sorted([...others, last + 1, 2 * last + 2]));
      if (!type.startsWith('set')) {
        expect(await filtered(`in.(${inList(each, value)})`)).toEqual(sorted(between(at, at + 1)));
        expect(await filtered(`notin.(${inList(each, value)})`)).toEqual(others);
      }
      if (lacks === 'order') return;
      expect(await filtered(`gt.${text}`)).toEqual(sorted(between(at + 1, last)));
      expect(await filtered(`gte.${text}`)).toEqual(sorted(between(at, last)));
      expect(await filtered(`lt.${text}`)).toEqual(sorted(between(0, at)));
      expect(await filtered(`lte.${text}`)).toEqual(sorted(between(0, at + 1)));
    });

    const directions = lacks === 'order' ? [] : (['ASC', 'DESC'] as const);

    if (directions.length > 0)
      test.each(directions)('pages by cursors have each row once: %s', async (direction) => {
        const expected = [...between(0, last), last + 1, 2 * last + 2];
        const down = [...values.keys()].reverse().flatMap((at) => [at + 1, at + 2 + last]);
        const all = direction === 'ASC' ? expected : [last + 1, 2 * last + 2, ...down];
        const field = `$$O${name.charAt(0).toUpperCase()}${name.slice(1).replace(/_(.?)/g, (_, next: string) => next.toUpperCase())}`;
        const found: number[] = [];
        let after = '';
        for (let pages = 0; pages <= all.length; pages += 1) {
          const document = `{ page: ${field.slice(1)}Connection(first: 3, orderBy: {v: ${direction}}${after}) {
          nodes { id } pageInfo { endCursor hasNextPage } } }`;
          const { body, text } = await served.ask(document);
          expect(text).not.toContain('"errors"');
          const { page } = (
            body as {
              data: { page: { nodes: { id: number }[]; pageInfo: { endCursor: string; hasNextPage: boolean } } };
            }
          ).data;
          found.push(...page.nodes.map(({ id }) => id));
          if (!page.pageInfo.hasNextPage) break;
          after = `, after: "${page.pageInfo.endCursor}"`;
        }
        expect(found).toEqual(all);
        expect(await ids(`o_${name}?select=id,v&order=v.${direction.toLowerCase()},id`)).toEqual(all);
      });

    test('CSV that the server writes is read back', async () => {
      const { text: csv } = await served.rest(`o_${name}?select=id,v&order=id`, { headers: { accept: 'text/csv' } });
      await served.rest(`c_${name}?id=gt.0`, { method: 'DELETE' });
      const { status, text } = await served.rest(`c_${name}`, {
        method: 'POST',
        body: csv,
        headers: { 'content-type': 'text/csv', prefer: 'return=minimal' },
      });
      expect([status, text]).toEqual([expect.any(Number), '']);
      const rows = async (table: string): Promise<readonly Row[]> =>
        rowsOf((await served.rest(`${table}_${name}?select=id,v&order=id`)).text);
      expect(await rows('c')).toEqual(await rows('o'));
    });

    if (lacks !== undefined) return;

    test('is a key of rows: POST with Location, PATCH, PUT and DELETE', async () => {
      await served.rest(`k_${name}?note=eq.x`, { method: 'DELETE' });
      for (const value of values) {
        const created = await served.rest(`k_${name}`, {
          ...json('POST', `{"v":${value},"note":"a"}`),
          headers: { 'content-type': 'application/json', prefer: 'return=headers-only' },
        });
        expect([created.status, created.text]).toEqual([201, '']);
        const location = created.headers.get('location') ?? 'none';
        const found = await fetch(new URL(location, served.base));
        expect([found.status, await found.text()]).toEqual([200, expect.stringContaining('"note":"a"')]);
        const path = `k_${name}?v=eq.${inAddress(each, value)}`;
        const patched = await served.rest(path, json('PATCH', `{"note":"b","v":${value}}`));
        expect([patched.status, patched.text]).toEqual([200, expect.stringContaining('"note":"b"')]);
        const put = await served.rest(path, json('PUT', '{"note":"c"}'));
        expect([put.status, put.text]).toEqual([200, expect.stringContaining('"note":"c"')]);
        const merged = await served.rest(`k_${name}?on_conflict=v`, {
          ...json('POST', `{"note":"d","v":${value}}`),
          headers: { 'content-type': 'application/json', prefer: 'resolution=merge-duplicates,return=representation' },
        });
        expect([merged.status, merged.text]).toEqual([200, expect.stringContaining('"note":"d"')]);
        const deleted = await served.rest(path, json('DELETE', ''));
        expect([deleted.status, deleted.text]).toEqual([200, expect.stringContaining('"note":"d"')]);
      }
    });
  });

  describe('a SET', () => {
    const tags = columnCases.find(({ name }) => name === 'tags')?.values ?? [];
    const found = async (filter: string): Promise<readonly string[]> => {
      const { status, text } = await served.rest(`o_tags?select=id,v&order=id&limit=${String(tags.length)}&${filter}`);
      expect([status, status === 200 ? '' : text]).toEqual([200, '']);
      return [...new Set(rowsOf(text).map(({ v }) => v))];
    };
    const over = async (where: string): Promise<readonly string[]> => {
      const { body, text } = await served.ask(`{ rows: $OTags(where: {v: {${where}}}, orderBy: {id: ASC}) { v } }`);
      expect(text).not.toContain('"errors"');
      const { rows } = (body as { readonly data: { readonly rows: readonly { readonly v: unknown }[] } }).data;
      return [...new Set(rows.map(({ v }) => JSON.stringify(v)))];
    };

    test.each([
      ['cs.{z}', ['["z"]', '["z","m"]', '["z","a b"]']],
      ['cs.{z,"a b"}', ['["z","a b"]']],
      ['cs.{}', tags],
      ['ov.{m,a b}', ['["m"]', '["z","m"]', '["a b"]', '["z","a b"]']],
      ['ov.{}', []],
      ['cd.{z,m}', ['[]', '["z"]', '["m"]', '["z","m"]']],
      ['eq.{m,z}', ['["z","m"]']],
    ])('is filtered by members: %s', async (filter, expected) => {
      expect(await found(`v=${encodeURIComponent(filter)}`)).toEqual(expected);
    });

    test.each([
      ['contains: [z]', ['["z"]', '["z","m"]', '["z","a_b"]']],
      ['hasAll: [z, m]', ['["z","m"]']],
      ['hasAny: [m, a_b]', ['["m"]', '["z","m"]', '["a_b"]', '["z","a_b"]']],
      ['containedBy: [z]', ['[]', '["z"]']],
    ])('is filtered by members over GraphQL: %s', async (where, expected) => {
      expect(await over(where)).toEqual(expected);
    });

    test('refuses a member that it does not have', async () => {
      expect(await served.rest('o_tags?v=cs.%7Bnobody%7D')).toMatchObject({ body: { code: '22P02' } });
    });
  });

  test.each(['eq', 'neq', 'gt', 'like', 'isdistinct'])(
    'a character that the column cannot have is a mistake of the client: %s',
    async (operator) => {
      const answer = await served.rest(`o_fixed?v=${operator}.${encodeURIComponent('😀')}`);
      expect(answer).toMatchObject({ status: 400, body: { code: '22P05' } });
    },
  );
});
