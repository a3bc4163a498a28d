import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

const views = `
  create view open_tasks as
    select t.project, t.number, t.title, t.assignee, p.name as worker
    from tasks t left join people p on p.id = t.assignee where not t.done;
  create view open_of_ann as
    select o.project, o.number, 'same' as label from open_tasks o join projects p on p.code = o.project where p.owner_id = 1;
  create view members as select id, handle, note from people;
  create view work as select assignee, count(*) as tasks from tasks group by assignee;`;

/** Searched in full; `title` and `summary` have an index together only. */
const articles = `
  create table articles (
    id int primary key, project varchar(20) collate utf8mb4_unicode_ci, title varchar(100) not null, body text,
    summary text, fulltext index of_body (body), fulltext index of_both (title, summary),
    foreign key (project) references projects (code)
  );
  create view article_list as select id, body as text from articles where id < 100;
  create view article_titles as select distinct title, body from articles;
  insert into articles values
    (1, 'web', 'Foxes', 'The quick brown fox jumps over the lazy dog', null),
    (2, 'web', 'Dogs', 'A quick dog, and a fox that is brown', null),
    (3, 'app', 'None', null, 'fox'),
    (4, 'app', 'Mail', 'O''Brien wrote to me@example.org of a naïve e-mail; don''t panic', null),
    (5, null, 'House', '日本語 テスト, and the house of the rising sun', null),
    (6, null, 'Words', 'v1.2.3 of a well-known snake_case_name', null);`;

describeMysql('a server of a MariaDB database reads', () => {
  let served: ServedMysql;

  beforeAll(async () => {
    served = await serveMysql({}, views + articles);
  });

  afterAll(() => served.stop());

  /** The data of a document that has to succeed, without the prefix of the schema. */
  const data = async (document: string): Promise<unknown> => {
    const { body } = await served.ask(document);
    expect(body).not.toHaveProperty('errors');
    return (body as { readonly data: unknown }).data;
  };

  test('every type as JSON with all of its digits', async () => {
    const { text } = await served.ask(
      `{ rows: $People(where: {id: {eq: 1}}) { id handle name note mood born wakes seen made balance score ratio visits
         is_admin secret tags settings token name_length } }`,
    );
    for (const member of [
      '"id":"1"',
      '"name":"Ann \\"A\\" O\'Neil"',
      '"note":"first\\nline"',
      '"mood":"it_s_bad"',
      '"born":"1980-02-29"',
      '"wakes":"06:30:00.5"',
      '"seen":"2024-02-29T12:00:00.1234+00:00"',
      '"made":"2024-02-29T12:00:00"',
      '"balance":12345678901234567890.0123456789',
      '"ratio":1.1',
      '"visits":"18446744073709551615"',
      '"is_admin":true',
      '"secret":"\\\\x00ff10"',
      '"tags":["a","c_d"]',
      '"settings":{"b": 1, "a": [1, "x", null], "deep": {"k": "v"}}',
      '"token":"6ccd780c-baba-1026-9564-5b8c656024db"',
      '"name_length":14',
    ])
      expect(text).toContain(member);
  });

  test('nested lists, each with its own filter, order and page; rows through a junction; the one row', async () => {
    const document = `{ rows: $Projects(orderBy: {code: ASC}) {
      code owner: $OwnerId { name }
      tasks: $Tasks(where: {points: {gt: 1}}, orderBy: {points: DESC}, limit: 1, offset: 1) { number assignee: $Assignee { handle } }
      people: $PeopleViaMemberships(orderBy: {handle: DESC}, limit: 2) { handle }
    } }`;
    expect(await data(document)).toEqual({
      rows: [
        { code: 'app', owner: { name: 'Ann "A" O\'Neil' }, tasks: [], people: [{ handle: 'ann' }] },
        { code: 'none', owner: null, tasks: [], people: [] },
        { code: 'Öl', owner: { name: 'cy' }, tasks: [], people: [{ handle: 'cy' }] },
        {
          code: 'web',
          owner: { name: 'Ann "A" O\'Neil' },
          tasks: [{ number: 1, assignee: { handle: 'ann' } }],
          people: [{ handle: 'cy' }, { handle: 'bjö' }],
        },
      ],
    });
  });

  test('lists below keys of bytes, of case-sensitive text, and of nothing at all', async () => {
    const document = `{
      blobs: $Blobs(orderBy: {body: ASC}) { id parts: $BlobParts(orderBy: {part: ASC}) { part } }
      people: $People(orderBy: {id: ASC}) { events: $Events(orderBy: {at: DESC}, limit: 2, offset: 1) { kind at } }
    }`;
    expect(await data(document)).toEqual({
      blobs: [
        { id: String.raw`\x000102030405060708090a0b0c0d0e0f`, parts: [{ part: 'A' }, { part: 'a' }] },
        { id: String.raw`\xff0102030405060708090a0b0c0d0e0f`, parts: [{ part: 'a' }] },
      ],
      people: [
        {
          events: [
            { kind: 'login', at: '2024-01-01T00:00:00' },
            { kind: 'login', at: '2024-01-01T00:00:00' },
          ],
        },
        { events: [] },
        { events: [] },
      ],
    });
  });

  test('aggregates, of all rows and of those that belong to one', async () => {
    const document = `{
      all: $PeopleAggregate(groupBy: [mood], having: {count: {gt: 0}}) {
        count min { mood born } max { visits } groups { key { mood } count } }
      projects: $Projects(orderBy: {code: ASC}) {
        tasks: $TasksAggregate(groupBy: [done]) { count sum { points } groups { key { done } count } } }
    }`;
    expect(await data(document)).toEqual({
      all: {
        count: 3,
        min: { mood: 'fine', born: '1980-02-29' },
        max: { visits: '18446744073709551615' },
        groups: ['fine', 'so_so', 'it_s_bad'].map((mood) => ({ key: { mood }, count: 1 })),
      },
      projects: [
        { tasks: { count: 1, sum: { points: 2 }, groups: [{ key: { done: true }, count: 1 }] } },
        { tasks: { count: 0, sum: { points: null }, groups: [] } },
        { tasks: { count: 1, sum: { points: 8 }, groups: [{ key: { done: false }, count: 1 }] } },
        {
          tasks: {
            count: 4,
            sum: { points: 9 },
            groups: [
              { key: { done: false }, count: 3 },
              { key: { done: true }, count: 1 },
            ],
          },
        },
      ],
    });
  });

  test('aggregates of which only the type name is selected', async () => {
    const document = `{
      all: $PeopleAggregate { max { __typename } }
      projects: $Projects(orderBy: {code: ASC}) { tasks: $TasksAggregate { sum { __typename } } }
    }`;
    const name: unknown = expect.stringMatching(/Aggregate|Sum|Max/i);
    expect(await data(document)).toEqual({
      all: { max: { __typename: name } },
      projects: Array.from({ length: 4 }, () => ({ tasks: { sum: { __typename: name } } })),
    });
  });

  test('connections: each page follows the last, forwards and backwards, with nulls in the order', async () => {
    interface Page {
      readonly page: {
        readonly nodes: readonly { readonly title: string }[];
        readonly pageInfo: { readonly endCursor: string; readonly startCursor: string; readonly hasNextPage: boolean };
      };
    }
    const page = async (direction: 'forwards' | 'backwards'): Promise<readonly string[]> => {
      const [size, side, cursor] =
        direction === 'forwards' ? ['first', 'after', 'endCursor'] : ['last', 'before', 'startCursor'];
      const titles: string[] = [];
      let from = '';
      for (let pages = 0; pages < 3; pages += 1) {
        const arguments_ = `${size}: 2, orderBy: [{points: DESC}, {title: ASC}]${from}`;
        const found = (await data(
          `{ page: $TasksConnection(${arguments_}) { nodes { title } pageInfo { endCursor startCursor hasNextPage } } }`,
        )) as Page;
        const rows = found.page.nodes.map(({ title }) => title);
        titles.push(...(direction === 'forwards' ? rows : [...rows].reverse()));
        from = `, ${side}: "${cursor === 'endCursor' ? found.page.pageInfo.endCursor : found.page.pageInfo.startCursor}"`;
      }
      return titles;
    };
    const expected = ['Ship', 'Bohren', 'Build', 'Design', 'Sketch', 'Rest'];
    expect(await page('forwards')).toEqual(expected);
    expect(await page('backwards')).toEqual([...expected].reverse());
  });

  test.each([
    ['handle: {in: ["ann", "BJÖ"]}', ['ann', 'bjö']],
    ['handle: {notIn: ["ann"]}', ['bjö', 'cy']],
    ['$Projects: {some: {code: {eq: "OL"}}}', ['cy']],
    ['handle: {eq: "ann  "}', ['ann']],
    ['handle: {between: ["B", "BK"]}', ['bjö']],
    ['handle: {contains: "bjo"}', []],
    ['handle: {icontains: "JÖ"}', ['bjö']],
    ['handle: {endsWith: " "}', []],
    ['handle: {in: []}', []],
    ['handle: {like: "A%"}', []],
    ['handle: {ilike: "A%"}', ['ann']],
    ['name: {startsWith: "A"}', ['ann']],
    [String.raw`note: {contains: "100% \\"}`, ['cy']],
    ['note: {contains: "_"}', ['cy']],
    ['name: {regex: "^[A-B]"}', ['ann', 'bjö']],
    ['name: {iregex: "^C"}', ['cy']],
    ['note: {isNull: true}', ['bjö']],
    ['note: {isDistinctFrom: "x"}', ['ann', 'bjö', 'cy']],
    ['mood: {in: [it_s_bad, so_so]}', ['ann', 'cy']],
    ['tags: {eq: ["a", "c_d"]}'.replace('"c_d"', 'c_d').replace('"a"', 'a'), ['ann']],
    ['balance: {eq: 12345678901234567890.0123456789}', ['ann']],
    ['balance: {between: [1, 11]}', ['cy']],
    ['ratio: {eq: 1.1}', ['ann']],
    ['visits: {gte: "7"}', ['ann', 'cy']],
    ['seen: {eq: "2024-02-29T13:00:00.1234+01:00"}', ['ann']],
    ['born: {gt: "1999-12-31"}', ['cy']],
    ['wakes: {lt: "01:00"}', ['cy']],
    [String.raw`secret: {eq: "\\x00ff10"}`, ['ann']],
    ['token: {in: ["6CCD780C-baba-1026-9564-5b8c656024db"]}', ['ann']],
    ['settings: {hasKey: "b"}', ['ann']],
    ['settings: {hasKeys: ["a", "b"]}', ['ann']],
    ['settings: {hasAnyKeys: ["x", "q"]}', ['cy']],
    ['settings: {contains: {b: 1}}', ['ann']],
    ['settings: {eq: {deep: {k: "v"}, b: 1, a: [1, "x", null]}}', ['ann']],
    ['settings: {path: "$.deep.k"}'.replace('$', '\\u0024'), ['ann']],
    ['$Tasks: {some: {points: {gt: 4}}}', ['bjö', 'cy']],
    ['$Tasks: {every: {done: {eq: false}}}', ['ann']],
    ['not: {$ProjectsViaMemberships: {some: {code: {eq: "web"}}}}', []],
    ['or: [{id: {eq: 1}}, {id: {eq: 3}}]', ['ann', 'cy']],
  ])('where: {%s}', async (where, handles) => {
    const { rows } = (await data(`{ rows: $People(where: {${where}}, orderBy: {id: ASC}) { handle } }`)) as {
      readonly rows: readonly { readonly handle: string }[];
    };
    expect(rows.map(({ handle }) => handle)).toEqual(handles);
  });

  test('orders through a relation and by a count, with nulls where they are in PostgreSQL; distinctOn', async () => {
    const document = `{
      related: $Tasks(orderBy: [{$Assignee: {handle: DESC}}, {title: ASC}]) { title }
      counted: $People(orderBy: [{$Tasks: {_count: DESC}}, {id: DESC}]) { handle }
      last: $Tasks(orderBy: [{points: ASC}], limit: 10, offset: 5) { title }
      first: $Tasks(distinctOn: [project], orderBy: [{project: ASC}, {points: ASC}]) { title }
    }`;
    expect(await data(document)).toEqual({
      related: ['Ship', 'Bohren', 'Sketch', 'Build', 'Design', 'Rest'].map((title) => ({ title })),
      counted: ['cy', 'ann', 'bjö'].map((handle) => ({ handle })),
      last: [{ title: 'Ship' }],
      first: ['Sketch', 'Bohren', 'Rest'].map((title) => ({ title })),
    });
  });

  test('over REST: select with JSON paths and embedding, counts, CSV, one row', async () => {
    const { body } = await served.rest('people?select=handle,settings->b,settings->deep->>k,born::text&id=lt.3');
    expect(body).toMatchObject({
      data: [
        { handle: 'ann', b: 1, k: 'v', born: '1980-02-29' },
        { handle: 'bjö', b: null, k: null, born: null },
      ],
    });
    const counted = await served.rest('tasks?select=title,projects(title)&points=gt.1&order=points.desc&limit=1', {
      headers: { prefer: 'count=exact' },
    });
    expect(counted.body).toMatchObject({ data: [{ title: 'Bohren', projects: { title: 'Ölprojekt' } }] });
    expect(counted.headers.get('content-range')).toBe('0-0/4');
    const csv = await served.rest('people?select=id,note,secret&order=id', { headers: { accept: 'text/csv' } });
    expect(csv.text).toBe('id,note,secret\n1,"first\nline",\\x00ff10\n2,,\n3,The note of Cy: 100% \\ _,\\x');
    expect((await served.rest('people/2?select=handle')).body).toEqual({ handle: 'bjö' });
    expect((await served.rest('people/99')).status).toBe(404);
    for (const count of ['planned', 'estimated']) {
      const { headers } = await served.rest('people?limit=1', { headers: { prefer: `count=${count}` } });
      expect(headers.get('content-range')).toMatch(/^0-0\/\d+$/);
    }
  });

  test.each([
    ['people?id=eq.1abc', 500, '22P02'],
    ['people?id=eq.-1', 500, '22003'],
    ['people?born=eq.2024-02-30', 500, '22008'],
    ['people?mood=eq.merry', 500, '22P02'],
    ['people?tags=cs.%7Bnobody%7D', 500, '22P02'],
    ['people?note=fts.x', 400, 'TW003'],
    ['people?note=match.(', 400, '2201B'],
    ['people?settings=jsonpath.$.a[*]?(@==1)'.replace('[*]', '%5B*%5D'), 400, 'TW004'],
    ['people?nothing=eq.1', 400, 'TW002'],
  ])('refuses %s', async (path, status, code) => {
    const answer = await served.rest(path);
    expect([answer.status, answer.body]).toEqual([status, expect.objectContaining({ code })]);
  });

  test('a nested list that the database cannot hold is an error, and no list is ever shorter', async () => {
    const id = "x'77000000000000000000000000000000'";
    await served.load(`insert into blobs values (${id}, 'fat')`);
    const add = (from: number, to: number): Promise<void> =>
      served.load(
        Array.from(
          { length: to - from },
          (_, at) => `insert into blob_parts values (${id}, '${String(from + at)}', repeat('x', 1000000));`,
        ).join('\n'),
      );
    const fat =
      '{ rows: $Blobs(where: {body: {eq: "fat"}}) { body parts: $BlobParts(orderBy: {part: ASC}) { part body } } }';
    const flat = '{ rows: $BlobParts(orderBy: {part: ASC}) { part body } }';
    try {
      await add(0, 8);
      const fits = await served.ask(fat);
      expect(fits.text.length).toBeGreaterThan(8_000_000);
      expect(fits.body).toMatchObject({ data: { rows: [{ body: 'fat' }] } });
      await add(8, 17);
      const { body } = await served.ask(fat);
      expect(body).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW011' } }] });
      // Two lists in one document are texts that the database makes, too.
      const two = await served.ask(flat.replace('{ ', '{ first: $BlobParts(limit: 1) { part } '));
      expect(two.body).toMatchObject({ data: null, errors: [{ extensions: { code: 'TW011' } }] });
      const counted = await served.rest('blob_parts?select=body', { headers: { prefer: 'count=exact' } });
      expect(counted.body).toMatchObject({ code: 'TW011' });
      // The rows of one list alone come one by one, and each of them fits.
      const alone = await served.ask(flat);
      expect([alone.status, alone.text.match(/x{1000000}/g)?.length]).toEqual([200, 17]);
      const rest = await served.rest('blob_parts?select=body');
      expect([rest.status, rest.text.match(/x{1000000}/g)?.length]).toEqual([200, 17]);
      // Until there are more bytes than `app.limits.response-bytes`.
      for (const size of [2_000_000, 4_500_000]) {
        await served.load(`update blob_parts set body = repeat('y', ${String(size)}) where blob_id = ${id}`);
        const tooLong = await served.rest('blob_parts?select=body');
        expect([size, tooLong.status, tooLong.body]).toMatchObject([size, 413, { code: 'TW011' }]);
      }
      expect((await served.rest('blob_parts?select=part&limit=1')).status).toBe(200);
    } finally {
      await served.load(`delete from blob_parts where blob_id = ${id}; delete from blobs where id = ${id};`);
    }
  });

  describe('views, with the keys and relations of their tables', () => {
    test('a row by its key, over both protocols', async () => {
      expect(await data('{ row: $OpenTasksByPk(project: "web", number: 1) { title worker } }')).toEqual({
        row: { title: 'Design', worker: 'Ann "A" O\'Neil' },
      });
      expect(await data('{ row: $OpenTasksByPk(project: "web", number: 2) { title } }')).toEqual({ row: null });
      expect(await data('{ row: $OpenOfAnnByPk(project: "web", number: 4) { label } }')).toEqual({
        row: { label: 'same' },
      });
      expect((await served.rest('members/3?select=handle')).body).toEqual({ handle: 'cy' });
      expect((await served.ask('{ $WorkByPk(assignee: 1) { tasks } }')).body).toHaveProperty('errors');
    });

    test('relations both ways', async () => {
      expect(
        await data(`{
          people: $People(orderBy: {id: ASC}) { handle open: $OpenTasksAggregate { count } work: $Work { tasks } }
          tasks: $OpenTasks(where: {$Assignee: {handle: {eq: "cy"}}}) { title project: $Project { title } }
        }`),
      ).toEqual({
        people: [
          { handle: 'ann', open: { count: 2 }, work: [{ tasks: '2' }] },
          { handle: 'bjö', open: { count: 0 }, work: [{ tasks: '1' }] },
          { handle: 'cy', open: { count: 1 }, work: [{ tasks: '2' }] },
        ],
        tasks: [{ title: 'Bohren', project: { title: 'Ölprojekt' } }],
      });
    });

    test('a cursor goes on after its row, among rows that are equal but for the key', async () => {
      const page = async (after: string) => {
        const found = await data(
          `{ page: $OpenOfAnnConnection(first: 2, orderBy: {label: ASC}${after}) { nodes { number } pageInfo { endCursor } } }`,
        );
        return (found as { page: { nodes: { number: number }[]; pageInfo: { endCursor: string } } }).page;
      };
      const first = await page('');
      // A row before the cursor does not move the next page.
      await served.load("insert into tasks values ('web', 0, 'Before', 1, 0, 1)");
      const next = await page(`, after: "${first.pageInfo.endCursor}"`);
      await served.load("delete from tasks where project = 'web' and number = 0");
      expect([first, next].map(({ nodes }) => nodes.map(({ number }) => number))).toEqual([[1, 3], [4]]);
    });

    test('a write through a view returns the rows that it changed', async () => {
      const write =
        'mutation { rows: update$$Members(where: {id: {eq: 2}}, input: {note: "by view"}) { id handle note } }';
      expect(await data(write)).toEqual({ rows: [{ id: '2', handle: 'bjö', note: 'by view' }] });
      await served.load('update people set note = null where id = 2');
    });
  });

  describe('by full-text search', () => {
    const numbers = (rows: unknown): readonly unknown[] =>
      (rows as readonly { readonly id: number }[]).map(({ id }) => id);

    const found = async (filter: string): Promise<readonly unknown[]> =>
      numbers(
        ((await data(`{ rows: $Articles(where: ${filter}, orderBy: [{id: ASC}]) { id } }`)) as { rows: unknown }).rows,
      );

    test.each<[what: string, filter: string, ids: readonly number[]]>([
      ['all words, in any order', '{body: {search: "fox quick"}}', [1, 2]],
      ['whatever the case and the accents', '{body: {search: "NAIVE"}}', [4]],
      ['without stop words and short words', '{body: {search: "the fox of a v1"}}', [1, 2]],
      ['of stop words alone: nothing', '{body: {search: "the of"}}', []],
      ['of nothing: nothing', '{body: {search: ""}}', []],
      ['of marks alone: nothing', String.raw`{body: {search: "\"*-+@ ()~<>%\\ '"}}`, []],
      ['of marks between words', String.raw`{body: {search: "+fox -\"quick @3 (brown* ~\n>"}}`, [1, 2]],
      ['of apostrophes', '{body: {search: "O\'Brien don\'t"}}', [4]],
      ['of an address', '{body: {search: "me@example.org"}}', [4]],
      ['of other scripts', '{body: {search: "日本語"}}', [5]],
      ['of a part of a word: nothing', '{body: {search: "snake"}}', []],
      ['of underscores', '{body: {search: "snake_case_name"}}', [6]],
      ['as on the web: alternatives', '{body: {webSearch: "lazy dog or house sun OR panic"}}', [1, 4, 5]],
      ['as on the web: phrases and exclusions', String.raw`{body: {webSearch: "\"quick dog\" fox -lazy"}}`, [2]],
      ['as on the web: an excluded phrase', String.raw`{body: {webSearch: "fox -\"quick brown\""}}`, [2]],
      ['as on the web: a phrase without its end', String.raw`{body: {webSearch: "\"brown fox"}}`, [1]],
      ['as on the web: a phrase and stop words', String.raw`{body: {webSearch: "the \"brown fox\""}}`, [1]],
      ['as on the web: parts of a word', '{body: {webSearch: "well-known"}}', [6]],
      ['as on the web: exclusions alone find nothing', '{body: {webSearch: "-fox"}}', []],
      ['of another form of a word: nothing', '{body: {search: "foxes"}}', []],
      ['of a phrase with a stop word inside: that one alone', '{body: {phraseSearch: "over the lazy"}}', [1]],
      ['of a phrase with another stop word inside: nothing', '{body: {phraseSearch: "over of lazy"}}', []],
      ['as on the web: a phrase of stop words beside a word', String.raw`{body: {webSearch: "\"of the\" fox"}}`, []],
      ['of a phrase', '{body: {phraseSearch: "the quick, brown"}}', [1]],
      ['in the database’s own syntax', '{body: {rawSearch: "+fox -laz*"}}', [2]],
      ['that does not hold: null is neither', '{not: {body: {search: "fox"}}}', [4, 5, 6]],
      ['of null beside another condition', '{or: [{body: {search: "fox"}}, {body: {isNull: true}}]}', [1, 2, 3]],
      ['beside other conditions', '{body: {search: "fox", startsWith: "A"}}', [2]],
    ])('%s', async (_what, filter, ids) => {
      expect(await found(filter)).toEqual(ids);
    });

    test('of 300 words, and of a phrase of them', async () => {
      const words = Array.from({ length: 300 }, (_, n) => `word${String(n)}`).join(' ');
      await served.load(`insert into articles values (7, null, 'Long', '${words}', null)`);
      expect(await found(`{body: {search: "${words}"}}`)).toEqual([7]);
      expect(await found(`{body: {phraseSearch: "${words}"}}`)).toEqual([7]);
      expect(await found(`{body: {phraseSearch: "${words.replace('word70 word71', 'word71 word70')}"}}`)).toEqual([]);
      await served.load('delete from articles where id = 7');
    });

    test('in relations, pages, counts, groups and views', async () => {
      const document = `{
        some: $Projects(where: {$Articles: {some: {body: {search: "panic"}}}}) { code }
        none: $Projects(where: {$Articles: {none: {body: {search: "fox"}}}}, orderBy: [{code: ASC}]) { code }
        nested: $Projects(where: {code: {eq: "web"}}) { rows: $Articles(where: {body: {phraseSearch: "brown fox"}}) { id } }
        page: $ArticlesConnection(where: {body: {search: "fox"}}, first: 1, orderBy: [{id: DESC}]) {
          nodes { id } totalCount pageInfo { hasNextPage }
        }
        groups: $ArticlesAggregate(where: {body: {search: "fox"}}, groupBy: [project], having: {max: {body: {like: "T%"}}}) {
          count groups { count }
        }
        view: $ArticleList(where: {text: {search: "fox"}}, orderBy: [{id: ASC}]) { id }
      }`;
      expect(await data(document)).toEqual({
        some: [{ code: 'app' }],
        none: [{ code: 'app' }, { code: 'none' }, { code: 'Öl' }],
        nested: [{ rows: [{ id: 1 }] }],
        page: { nodes: [{ id: 2 }], totalCount: 2, pageInfo: { hasNextPage: true } },
        groups: { count: 2, groups: [{ count: 2 }] },
        view: [{ id: 1 }, { id: 2 }],
      });
    });

    test.each([
      ['articles?select=id&body=plfts.fox&order=id', [1, 2]],
      ['articles?select=id&body=not.plfts.fox&order=id', [4, 5, 6]],
      ['articles?select=id&body=wfts.fox%20-lazy&order=id', [2]],
      ['articles?select=id&body=phfts.brown%20fox&order=id', [1]],
      ['articles?select=id&body=fts.%2Bfox%20-lazy&order=id', [2]],
      ['articles?select=id&or=(body.plfts.fox,title.eq.None)&order=id', [1, 2, 3]],
    ])('over REST: %s', async (url, ids) => {
      const { body } = await served.rest(url);
      expect(numbers((body as { readonly data: unknown }).data)).toEqual(ids);
    });

    test.each([
      ['articles?body=fts.%28fox', '42601', 'plfts and wfts'],
      ['articles?body=fts.%2A', '42601', 'plfts and wfts'],
      [`articles?body=fts.${'('.repeat(200)}fox${')'.repeat(200)}`, '42601', 'plfts and wfts'],
      [`articles?body=fts.${encodeURIComponent(`"${'word '.repeat(200)}"`)}`, '42601', 'plfts and wfts'],
      ['articles?body=plfts(english).fox', 'TW017', 'Leave it out'],
      ['articles?title=plfts.fox', 'TW003', 'create fulltext index `title_search` on `DATABASE`.`articles` (`title`)'],
      ['article_titles?body=plfts.fox', 'TW003', 'in the table below the view'],
      ['people?settings=plfts.fox', 'TW003', 'It takes eq'],
    ])('refuses %s', async (url, code, hint) => {
      const { status, body } = await served.rest(url);
      expect([status, body]).toMatchObject([400, { code }]);
      expect((body as { readonly hint: string }).hint).toContain(hint.replace('DATABASE', served.database));
    });

    test('and says where GraphQL has it not', async () => {
      const { body } = await served.ask('{ $Articles(where: {title: {search: "fox"}}) { id } }');
      const { errors } = body as { readonly errors: readonly [{ message: string; extensions: { hint: string } }] };
      expect(errors[0].message).toBe('Field "search" is not defined by type "StringFilterInput".');
      expect(errors[0].extensions.hint).toContain('FULLTEXT index of its own');
      expect(await found('{body: {search: {query: "fox"}}}')).toEqual([1, 2]);
      const named = await served.ask(
        '{ $Articles(where: {body: {search: {query: "fox", config: "english"}}}) { id } }',
      );
      expect(named.body).toMatchObject({ errors: [{ extensions: { code: 'TW017' } }] });
    });

    test('of rows that are committed: a write does not find what its own transaction has written', async () => {
      const document = `mutation {
        create$$Articles(input: {id: 8, title: "New", body: "unicorn"}) { id }
        update$$Articles(where: {body: {search: "unicorn"}}, input: {summary: "found"}) { id }
      }`;
      const { body } = await served.ask(document);
      expect(JSON.stringify(body)).toMatch(/"create\w+":\{"id":8\},"update\w+":\[\]/);
      const gone = await served.ask('mutation { delete$$Articles(where: {body: {search: "unicorn"}}) { id } }');
      expect(JSON.stringify(gone.body)).toContain('"id":8');
    });
  });
});
