import type { Intent } from '../../../runtime/src/plan/intent.js';
import type { Registry, Table } from '../../../runtime/src/descriptor/registry.js';
import { parseRead } from '../../../runtime/src/request/rest/read/parse-read.js';
import { readBoard } from './support/board.js';

let registry: Registry;

beforeAll(async () => {
  registry = (await readBoard()).registry;
});

function tableNamed(field: string): Table {
  const table = registry.table.get(field);
  if (table === undefined) throw new Error(`no table ${field}`);
  return table;
}

const read = (query: string, headers: Record<string, string> = {}, field = 'boardIssues') =>
  parseRead({ table: tableNamed(field), query, headers }, 30);

function rowsIntent(query: string): Extract<Intent, { kind: 'rows' }> {
  const intent = read(query).intent(registry);
  if (intent.kind !== 'rows') throw new Error(`not rows but ${intent.kind}`);
  return intent;
}

describe('the shape of a request', () => {
  test.each([
    ['id=eq.1', 'id=eq.2'],
    ['id=in.(1,2)', 'id=in.()'],
    ['limit=1&offset=2', 'limit=3&offset=4'],
    ['or=(id.eq.1,title.like.a*)', 'or=(id.eq.2,title.like."b,c")'],
    ['search=fts(english).a', 'search=fts(german).b'],
    ['title=eq.a%3Db', 'title=eq.%D9%85'],
    ['v=vector.{"near":[1]}', 'v=vector.{"near":[2,3]}'],
  ])('%s and %s differ in values only', (one, other) => {
    expect(read(one).shape).toBe(read(other).shape);
    expect(read(one).inputs).not.toEqual(read(other).inputs);
  });

  test.each([
    ['id=eq.1', 'id=neq.1'],
    ['id=eq.1', 'id=not.eq.1'],
    ['id=eq.1', 'points=eq.1'],
    ['id=eq.1', 'id=eq.1&id=eq.1'],
    ['id=is.null', 'id=is.notnull'],
    ['limit=1', 'offset=1'],
    ['select=id', 'select=title'],
    ['order=id', 'order=id.desc'],
    ['or=(id.eq.1,id.eq.2)', 'and=(id.eq.1,id.eq.2)'],
    ['or=(id.eq.1,id.eq.2)', 'not.or=(id.eq.1,id.eq.2)'],
    ['or=(id.eq.1,and(id.eq.2,id.eq.3))', 'or=(id.eq.1,and(id.eq.2),id.eq.3)'],
    ['search=fts.a', 'search=fts(english).a'],
    ['v=vector.{"near":[1]}', 'v=vector.{"near":[1],"limit":1}'],
    ['v=vector.{"near":[1]}', 'v=vector.{"near":[1],"distance":"IP"}'],
    ['comments.limit=1', 'limit=1'],
  ])('%s and %s need different statements', (one, other) => {
    expect(read(one).shape).not.toBe(read(other).shape);
  });

  test('tables, counts, formats and ranges need different statements', () => {
    const shapes = [
      read(''),
      read('', {}, 'boardUsers'),
      read('', { prefer: 'count=exact' }),
      read('', { prefer: 'count=planned' }),
      read('', { accept: 'text/csv' }),
      read('', { range: '0-9' }),
    ].map(({ shape }) => shape);
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('a value cannot pass for structure', () => {
    expect(read('title=eq.a%01id').shape).toBe(read('title=eq.a').shape);
    expect(() => read('title=eq.a%00id%00%3Deq')).toThrow('NUL');
  });
});

describe('the page', () => {
  test.each([
    ['', {}, 30, 0],
    ['limit=10', {}, 10, 0],
    ['limit=0', {}, 0, 0],
    ['limit=1000&offset=7', {}, 30, 7],
    ['offset=100000000000000000000', {}, 30, Number.MAX_SAFE_INTEGER],
    ['', { range: '5-9' }, 5, 5],
    ['', { range: '5-' }, 30, 5],
    ['', { range: '0-999' }, 30, 0],
    ['limit=3', { range: '0-9' }, 3, 0],
    ['limit=5&offset=2', { range: '4-20' }, 3, 4],
    ['limit=5&offset=2', { range: '10-20' }, 0, 10],
    ['v=vector.{"near":[1],"limit":4}&limit=2', {}, 4, 0],
    ['v=vector.{"near":[1]}&limit=2', {}, 2, 0],
  ])('%s %o: limit %i, offset %i', (query, headers, limit, offset) => {
    expect(read(query, headers)).toMatchObject({ limit, offset });
  });
});

describe('the intent', () => {
  test('without parameters is every column of the table', () => {
    const { read: asked, count, format } = rowsIntent('');
    expect(asked.select).toEqual(
      tableNamed('boardUsers').columns.length > 0 &&
        tableNamed('boardIssues').columns.map(({ name }) => ({ kind: 'column', as: name, column: name, ofAll: true })),
    );
    expect({ count, format, where: asked.where }).toEqual({ count: 'none', format: 'json', where: undefined });
  });

  test('reads values from the inputs, by number', () => {
    const query = 'id=in.(1,2)&or=(title.eq."a,b",points.gt.3)';
    const { inputs } = read(query);
    const { where } = rowsIntent(query).read;
    expect(where).toMatchObject({
      kind: 'and',
      filters: [
        { kind: 'compare', column: 'id', operator: 'in', values: [{ form: 'text' }] },
        {
          kind: 'or',
          filters: [
            { kind: 'compare', column: 'title', operator: 'eq' },
            { kind: 'compare', column: 'points', operator: 'gt' },
          ],
        },
      ],
    });
    expect(inputs).toEqual([['1', '2'], 'a,b', '3']);
  });

  test('finds the operator by the kind of the column', () => {
    const operators = (query: string) => {
      const { where } = rowsIntent(query).read;
      return where?.kind === 'and' ? where.filters.map((each) => (each.kind === 'compare' ? each.operator : '')) : [];
    };
    expect(operators('metadata=cs.{}&labels=cs.{a}&slot=cs.[1,2)')).toEqual([
      'jsonContains',
      'arrayContains',
      'rangeContains',
    ]);
    expect(() => rowsIntent('id=cs.{1}')).toThrow('does not apply');
  });

  test('embeds along foreign keys, with filters, order and limits of their own', () => {
    const { read: asked } = rowsIntent(
      'select=id,comments(body,users(name)),who:users!assignee_id!inner(*)&comments.body=like.a*&comments.order=id.desc&comments.limit=2',
    );
    expect(asked.select).toMatchObject([
      { kind: 'column', as: 'id' },
      {
        kind: 'relation',
        as: 'comments',
        relation: 'boardComments',
        read: {
          where: { column: 'body', operator: 'like' },
          orderBy: [{ by: { kind: 'column', column: 'id' }, direction: 'desc' }],
          select: [{ as: 'body' }, { kind: 'relation', as: 'users', relation: 'boardAuthorId' }],
        },
      },
      { kind: 'relation', as: 'who', relation: 'boardAssigneeId', inner: true },
    ]);
  });

  test('prefers a foreign key to the way through a junction', () => {
    const relationOf = (query: string) => {
      const [first] = rowsIntent(query).read.select;
      return first?.kind === 'relation' ? first.relation : undefined;
    };
    expect(relationOf('select=labels(*)')).toBe('boardLabelsViaIssueLabels');
    expect(relationOf('select=issue_labels(*)')).toBe('boardIssueLabels');
    expect(relationOf('select=users!issues_reporter_id_fkey(*)')).toBe('boardReporterId');
    expect(relationOf('select=assignee_id(*)')).toBe('boardAssigneeId');
    expect(() => relationOf('select=users(*)')).toThrow('several relations');
    expect(() => relationOf('select=coments(*)')).toThrow('no relation');
  });

  test('a vector search leaves out order and limit', () => {
    const { read: asked } = rowsIntent('v=vector.{"near":[1,2],"distance":"COSINE"}&order=id&limit=3&id=gt.1');
    expect(asked).toMatchObject({ vector: { column: 'v', distance: 'COSINE' }, where: { column: 'id' } });
    expect(asked.orderBy).toBeUndefined();
    expect(asked.limit).toBeUndefined();
  });

  test('a quoted name is a column, whatever it is called', () => {
    const where = (query: string) => {
      const intent = read(query, {}, 'boardOddName1').intent(registry);
      return intent.kind === 'rows' && intent.read.where?.kind === 'compare' ? intent.read.where.column : undefined;
    };
    expect(where('%22select%22=eq.a')).toBe('select');
    expect(where('a.b=eq.a')).toBe('a.b');
    expect(where('%22a.b%22=eq.a')).toBe('a.b');
    expect(where('%22quo%5C%22te%22=eq.a')).toBe('quo"te');
    expect(where('p->q=eq.a')).toBe('p->q');
    expect(where('constructor=eq.a')).toBe('constructor');
  });
});
