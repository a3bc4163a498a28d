import { createMysqlDatabase, describeMysql, loadMysql } from '../../support/mysql.js';
import { followingServer } from '../../support/following-server.js';
import { buildGenerated } from '../../support/generated-program.js';
import { createTestDatabase, loadSql } from '../../support/postgres.js';
import type { RunningServer } from '../../support/running-server.js';
import { startServerHere } from '../../support/server-here.js';
import type { Transpiled } from '../../support/transpile.js';

/** One project with the shortest names, as clients of both protocols see it, on both databases. */

interface Board {
  readonly url: string;
  readonly load: (sql: string) => Promise<void>;
  readonly drop: () => Promise<void>;
}

const tables = (text: string, json: string): string => `
  create table people (id int primary key, full_name ${text} not null, last_seen_at timestamp null,
    constraint people_name unique (full_name));
  create table labels (id int primary key, label_name ${text} not null);
  create table issues (
    id int primary key, issue_title ${text} not null, story_points int, extra_data ${json},
    reporter_id int not null, assignee_id int, parent_id int,
    constraint issues_points check (story_points < 100),
    constraint issues_reporter foreign key (reporter_id) references people (id),
    constraint issues_assignee foreign key (assignee_id) references people (id),
    constraint issues_parent foreign key (parent_id) references issues (id));
  create table issue_labels (
    issue_id int not null, label_id int not null, primary key (issue_id, label_id),
    constraint issue_labels_issue foreign key (issue_id) references issues (id),
    constraint issue_labels_label foreign key (label_id) references labels (id));
  create table day_notes (
    day_no int not null, note_no int not null, note_text ${text}, primary key (day_no, note_no));
`;

const rows = `
  insert into people (id, full_name) values (1, 'Ada'), (2, 'Bob');
  insert into labels values (1, 'bug'), (2, 'idea');
  insert into issues (id, issue_title, story_points, reporter_id, assignee_id, parent_id) values
    (1, 'Slow', 3, 1, 2, null), (2, 'Crash', 5, 1, null, 1), (3, 'Typo', null, 2, 2, 1);
  insert into issue_labels values (1, 1), (1, 2), (2, 1);
  insert into day_notes values (1, 1, 'first');
`;

const config = { names: { schemaPrefix: 'never', columns: 'camel', relations: 'simple' } };

async function postgresBoard(): Promise<Board> {
  const database = await createTestDatabase('short_names');
  const text = `create schema board; set search_path = board; ${tables('text', 'jsonb')} ${rows}`;
  await loadSql(database.url, text);
  return { url: database.url, load: (sql) => loadSql(database.url, sql), drop: () => database.drop() };
}

async function mysqlBoard(): Promise<Board> {
  const database = await createMysqlDatabase('short_names');
  await loadMysql(database.url, tables('varchar(80)', 'json') + rows);
  return { url: database.url, load: (sql) => loadMysql(database.url, sql), drop: () => database.drop() };
}

const json = { 'content-type': 'application/json' };

function describeBoard(open: () => Promise<Board>, isPostgres: boolean): void {
  let board: Board;
  let program: Transpiled;
  let server: RunningServer;
  const { ask, rest, until, hasField } = followingServer(() => server);
  const body = async (path: string, init?: RequestInit): Promise<unknown> =>
    JSON.parse((await rest(path, init)).text) as unknown;
  const data = async (path: string): Promise<unknown> => ((await body(path)) as { data: unknown }).data;
  const send = (method: string, path: string, value: unknown, headers: Record<string, string> = {}) =>
    rest(path, { method, headers: { ...json, ...headers }, body: JSON.stringify(value) });

  beforeAll(async () => {
    board = await open();
    program = await buildGenerated(board.url, { 'tablewright.config.json': JSON.stringify(config) });
    server = await startServerHere(program.folder, {
      DATABASE_URL: board.url,
      APP_LOG_LEVEL: 'warn',
      APP_CACHE_SCHEMA_TTL_MINUTES: '1',
    });
  });

  afterAll(async () => {
    await server.stop();
    await program.remove();
    await board.drop();
  });

  describe('GraphQL', () => {
    test('columns, relations and types have their short names', async () => {
      const document = `{
        issues(where: { storyPoints: { gte: 3 }, assignee: { fullName: { eq: "Bob" } } }, orderBy: { issueTitle: ASC }) {
          __typename id issueTitle storyPoints assignee { fullName } reporter { __typename fullName } labels(orderBy: { id: ASC }) { labelName }
          issues(orderBy: { id: ASC }) { id parent { id } } issuesAggregate { count sum { storyPoints } }
        }
        people(orderBy: { id: ASC }) { issuesByAssignee(orderBy: { id: ASC }) { id } issuesByReporter(orderBy: { id: ASC }) { id } }
      }`;
      expect(await ask(document)).toEqual({
        data: {
          issues: [
            {
              __typename: 'Issues',
              id: 1,
              issueTitle: 'Slow',
              storyPoints: 3,
              assignee: { fullName: 'Bob' },
              reporter: { __typename: 'People', fullName: 'Ada' },
              labels: [{ labelName: 'bug' }, { labelName: 'idea' }],
              issues: [
                { id: 2, parent: { id: 1 } },
                { id: 3, parent: { id: 1 } },
              ],
              issuesAggregate: { count: 2, sum: { storyPoints: expect.anything() as unknown } },
            },
          ],
          people: [
            { issuesByAssignee: [], issuesByReporter: [{ id: 1 }, { id: 2 }] },
            { issuesByAssignee: [{ id: 1 }, { id: 3 }], issuesByReporter: [{ id: 3 }] },
          ],
        },
      });
    });

    test('root fields, aggregates, connections and cursors work', async () => {
      const document = `{
        issuesByPk(id: 1) { issueTitle }
        dayNotesByPk(dayNo: 1, noteNo: 1) { noteText }
        issuesAggregate(groupBy: [reporterId]) { groups { key { reporterId } max { storyPoints } } }
        issuesConnection(first: 1, orderBy: { storyPoints: DESC_NULLS_LAST }) { nodes { storyPoints } pageInfo { hasNextPage } totalCount }
      }`;
      const answer = (await ask(document)) as { data: { issuesAggregate: { groups: unknown[] } } };
      expect(answer).toMatchObject({
        data: {
          issuesByPk: { issueTitle: 'Slow' },
          dayNotesByPk: { noteText: 'first' },
          issuesConnection: { nodes: [{ storyPoints: 5 }], pageInfo: { hasNextPage: true }, totalCount: 3 },
        },
      });
      expect(answer.data.issuesAggregate.groups).toEqual(
        expect.arrayContaining([
          { key: { reporterId: 1 }, max: { storyPoints: 5 } },
          { key: { reporterId: 2 }, max: { storyPoints: null } },
        ]),
      );
    });

    test('writes take them, rows inside rows and upserts too', async () => {
      const create = `mutation {
        createIssues(input: { id: 20, issueTitle: "New", reporter: { data: { id: 20, fullName: "Cy" } },
          issueLabels: { data: [{ labelId: 1 }] } }) { id reporter { fullName } labels { id } }
        updateIssues(id: 20, input: { storyPoints: 8, extraData: { a_b: 1 } }) { storyPoints extraData }
        createManyPeople(inputs: [{ id: 20, fullName: "Cyd" }], onConflict: { constraint: ${isPostgres ? 'people_pkey' : 'PRIMARY'}, updateColumns: [fullName] }) { fullName }
      }`;
      expect(await ask(create)).toEqual({
        data: {
          createIssues: { id: 20, reporter: { fullName: 'Cy' }, labels: [{ id: 1 }] },
          updateIssues: [{ storyPoints: 8, extraData: { a_b: 1 } }],
          createManyPeople: [{ fullName: 'Cyd' }],
        },
      });
      expect(
        await ask(
          'mutation { a: deleteIssueLabels(where: { issueId: { eq: 20 } }) { labelId } b: deleteIssues(id: 20) { id } c: deletePeople(id: 20) { id } }',
        ),
      ).toEqual({ data: { a: [{ labelId: 1 }], b: [{ id: 20 }], c: [{ id: 20 }] } });
    });

    test('the names of before are not there', async () => {
      const { errors = [] } = await ask('{ issues { story_points } boardIssues { id } }');
      expect(errors.length).toBeGreaterThan(0);
      expect(await hasField('Issues', 'story_points')).toBe(false);
    });

    test('errors speak of the names that clients have', async () => {
      const { errors } = await ask('mutation { createPeople(input: { id: 30, fullName: "Ada" }) { id } }');
      expect(JSON.stringify(errors)).toContain('fullName');
      expect(JSON.stringify(errors)).not.toContain('\\"full_name\\"');
    });
  });

  describe('REST', () => {
    test('selects, filters and sorts', async () => {
      expect(
        await data('/issues?select=id,issueTitle,points:storyPoints&storyPoints=gte.3&order=storyPoints.desc'),
      ).toEqual([
        { id: 2, issueTitle: 'Crash', points: 5 },
        { id: 1, issueTitle: 'Slow', points: 3 },
      ]);
      expect(await data('/issues?or=(storyPoints.is.null,issueTitle.eq.Slow)&order=id&select=id')).toEqual([
        { id: 1 },
        { id: 3 },
      ]);
      expect(await body('/people/1')).toEqual({ id: 1, fullName: 'Ada', lastSeenAt: null });
      expect(Object.keys(((await data('/issues?limit=1')) as object[])[0] ?? {})).toEqual([
        'id',
        'issueTitle',
        'storyPoints',
        'extraData',
        'reporterId',
        'assigneeId',
        'parentId',
      ]);
    });

    test('embeds by the name of the relation, the table or the column', async () => {
      const expected = [
        { id: 1, assignee: { fullName: 'Bob' }, labels: [{ labelName: 'bug' }, { labelName: 'idea' }] },
      ];
      const labels = 'labels(labelName)&labels.order=labelName';
      expect(await data(`/issues?id=eq.1&select=id,assignee(fullName),${labels}`)).toEqual(expected);
      expect(await data(`/issues?id=eq.1&select=id,assignee:assigneeId(fullName),${labels}`)).toEqual(expected);
      expect(await data(`/issues?id=eq.1&select=id,assignee:people!assigneeId(fullName),${labels}`)).toEqual(expected);
      expect(
        await data('/issues?assignee.fullName=eq.Bob&order=assignee(fullName),id&select=id,assignee!inner(fullName)'),
      ).toEqual([
        { id: 1, assignee: { fullName: 'Bob' } },
        { id: 3, assignee: { fullName: 'Bob' } },
      ]);
      expect(await data('/people?id=eq.2&select=issuesByReporter(id)')).toEqual([{ issuesByReporter: [{ id: 3 }] }]);
    });

    test('writes bodies of JSON and CSV, and answers by the same names', async () => {
      const one = await send('POST', '/issues', { id: 40, issueTitle: 'REST', reporterId: 1, extraData: { x_y: 1 } });
      expect([one.status, JSON.parse(one.text)]).toEqual([
        201,
        {
          id: 40,
          issueTitle: 'REST',
          storyPoints: null,
          extraData: { x_y: 1 },
          reporterId: 1,
          assigneeId: null,
          parentId: null,
        },
      ]);
      const many = await send('POST', '/issues?select=id,storyPoints', [
        { id: 41, issueTitle: 'a', reporterId: 1, storyPoints: 1 },
        { id: 42, issueTitle: 'b', reporterId: 1 },
      ]);
      expect(JSON.parse(many.text)).toEqual([
        { id: 41, storyPoints: 1 },
        { id: 42, storyPoints: null },
      ]);
      const csv = await rest('/people?select=id,fullName', {
        method: 'POST',
        headers: { 'content-type': 'text/csv', accept: 'text/csv' },
        body: 'id,fullName\n40,Dee\n',
      });
      expect([csv.status, csv.text.trim().split(/\r?\n/)]).toEqual([201, ['id,fullName', '40,Dee']]);
      const patched = await send('PATCH', '/issues?id=in.(41,42)&select=id,storyPoints', { storyPoints: 9 });
      expect(JSON.parse(patched.text)).toEqual([
        { id: 41, storyPoints: 9 },
        { id: 42, storyPoints: 9 },
      ]);
      const merged = await send(
        'POST',
        '/people?on_conflict=fullName&columns=id,fullName,lastSeenAt&select=id,fullName',
        [{ id: 40, fullName: 'Dee', ignored: 1 }],
        { prefer: 'resolution=merge-duplicates' },
      );
      expect([merged.status, JSON.parse(merged.text)]).toEqual([200, [{ id: 40, fullName: 'Dee' }]]);
      const deleted = await rest('/issues?id=gte.40&select=id,issueTitle', { method: 'DELETE' });
      expect(JSON.parse(deleted.text)).toHaveLength(3);
      expect((await rest('/people?id=eq.40', { method: 'DELETE' })).status).toBe(200);
    });

    test('replaces by a key, and names the row in Location', async () => {
      const path = '/day_notes?dayNo=eq.2&noteNo=eq.1';
      const put = await send('PUT', path, { noteText: 'put' });
      expect([put.status, JSON.parse(put.text)]).toEqual([201, [{ dayNo: 2, noteNo: 1, noteText: 'put' }]]);
      const again = await send('PUT', path, { dayNo: 2, noteNo: 1, noteText: 'twice' });
      expect([again.status, JSON.parse(again.text)]).toEqual([200, [{ dayNo: 2, noteNo: 1, noteText: 'twice' }]]);
      const made = await send('POST', '/day_notes', { dayNo: 3, noteNo: 1 }, { prefer: 'return=headers-only' });
      expect(made.headers.get('location')).toBe('/api/v1/day_notes?dayNo=eq.3&noteNo=eq.1');
      expect(await data((made.headers.get('location') ?? '').replace('/api/v1', ''))).toHaveLength(1);
      expect((await rest('/day_notes?dayNo=gte.2', { method: 'DELETE' })).status).toBe(200);
    });

    test('refuses the names of the database, and says which are meant', async () => {
      for (const path of [
        '?story_points=eq.1',
        '?select=story_points',
        '?order=story_points',
        '?or=(story_points.eq.1)',
      ]) {
        const { status, text } = await rest(`/issues${path}`);
        expect([path, status, JSON.parse(text)]).toEqual([
          path,
          400,
          expect.objectContaining({ code: 'TW002', hint: 'Did you mean "storyPoints"?' }),
        ]);
      }
      for (const [method, path, value] of [
        ['POST', '/issues', { story_points: 1 }],
        ['POST', '/issues?columns=story_points', { storyPoints: 1 }],
        ['PATCH', '/issues?id=eq.1', { story_points: 1 }],
      ] as const) {
        const { status, text } = await send(method, path, value);
        expect([path, status, JSON.parse(text)]).toEqual([path, 400, expect.objectContaining({ code: 'TW002' })]);
      }
    });

    test('errors of the database speak of the names that clients have', async () => {
      const taken = await send('POST', '/people', { id: 50, fullName: 'Ada' });
      expect([taken.status, (JSON.parse(taken.text) as { details: string }).details]).toEqual([
        409,
        expect.stringContaining('"fullName"'),
      ]);
      const missing = await send('POST', '/people', { id: 50 });
      expect([missing.status, missing.text]).toEqual([400, expect.stringContaining('fullName')]);
      expect(`${taken.text}${missing.text}`).not.toContain('full_name"');
      const lacking = await send('PUT', '/day_notes?dayNo=eq.9&noteNo=eq.9', {});
      expect(lacking.text).toContain('noteText');
      const wrong = await rest('/day_notes', { method: 'PUT', headers: json, body: '{}' });
      expect(wrong.text).toContain('dayNo=eq.…&noteNo=eq.…');
    });

    test('is described by the same names', async () => {
      const { components, paths } = (await body('')) as {
        components: { schemas: Record<string, { properties?: object }> };
        paths: Record<string, { get: { parameters: { name?: string }[] } }>;
      };
      expect(Object.keys(components.schemas['People']?.properties ?? {})).toEqual(['id', 'fullName', 'lastSeenAt']);
      expect(paths['/people']?.get.parameters.map(({ name }) => name)).toContain('fullName');
      expect(JSON.stringify({ components, paths })).not.toContain('full_name');
    });
  });

  test('a changed database is followed by the same rules', async () => {
    await board.load(
      isPostgres
        ? 'alter table board.people add home_town text; create table board.town_halls (hall_id int primary key, mayor_id int references board.people); notify tablewright'
        : 'alter table people add home_town varchar(20); create table town_halls (hall_id int primary key, mayor_id int, constraint halls_mayor foreign key (mayor_id) references people (id))',
    );
    await until(async () => {
      // Without a notification the server reads its database when a request needs the change.
      await ask('{ people { id } }');
      return hasField('People', 'homeTown');
    });
    expect(
      await ask('mutation { createTownHalls(input: { hallId: 1, mayorId: 1 }) { mayor { fullName homeTown } } }'),
    ).toEqual({
      data: { createTownHalls: { mayor: { fullName: 'Ada', homeTown: null } } },
    });
    expect(await data('/people?select=homeTown,townHalls(hallId)&id=eq.1')).toEqual([
      { homeTown: null, townHalls: [{ hallId: 1 }] },
    ]);
    expect((await rest('/people?select=home_town')).status).toBe(400);
    expect(JSON.stringify(await body(''))).not.toContain('home_town');
  });
}

describe('short names on PostgreSQL', () => {
  describeBoard(postgresBoard, true);
});

describeMysql('short names on MariaDB', () => {
  describeBoard(mysqlBoard, false);
});
