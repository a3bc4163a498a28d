import { errorOf, query } from '../../runtime/rest/support/client.js';
import { openServed, type Served, type ServedServer } from '../../support/served-as-role.js';
import { computedSql } from './computed-schema.js';
import { createAsker, type Asker } from './served.js';

let served: Served;
let server: ServedServer;
let asker: Asker;
let root: Readonly<Record<string, string>>;

beforeAll(async () => {
  served = await openServed({ name: 'computed', schema: 'crew', sql: computedSql });
  server = await served.start();
  asker = createAsker(served, server);
  root = { authorization: `Bearer ${await served.token('root')}` };
});

afterAll(async () => {
  await server.stop();
  await served.drop();
});

const data = (document: string, user = 'root') => asker.data(document, user);

describe('arguments of computed fields over GraphQL', () => {
  it('are typed, take their defaults, and differ from alias to alias', async () => {
    const { crewPeople } = await data(
      `{ crewPeople(where: {id: {eq: 1}}) {
           full_name dashed: full_name(separator: "-") turned: full_name(reversed: true) null: full_name(separator: null)
           raised(by: 10) rank rank_above(salary: 50) within(bounds: {low: 50, high: 100}) tags(tags: ["x", "y"]) bare: tags
           initials initialsByMark(mark: ".") likes(rank: senior) peers } }`,
    );
    expect(crewPeople).toEqual([
      {
        full_name: 'Ada Zorn',
        dashed: 'Ada-Zorn',
        turned: 'Zorn Ada',
        null: null,
        raised: 110,
        rank: 'junior',
        rank_above: 'senior',
        within: true,
        tags: ['Ada', 'x', 'y'],
        bare: ['Ada'],
        initials: 'AZ',
        initialsByMark: 'A.Z.',
        likes: true,
        peers: '1',
      },
    ]);
  });

  it('are given in filters, beside the operators, also below relations, in groups and as variables', async () => {
    const { dashed, related, either, ranked, unranked } = await data(
      `{ dashed: crewPeople(where: {full_name: {args: {separator: "-"}, like: "%-Y%"}}) { id }
         related: crewTeams(where: {crewPeople: {some: {raised: {args: {by: 100}, gte: 600}}}}, orderBy: [{id: ASC}]) { id }
         either: crewPeople(where: {or: [{full_name: {eq: "Ada Zorn"}}, {not: {peers: {args: {at_least: 250}, eq: 0}}}]}, orderBy: [{id: ASC}]) { id }
         ranked: crewPeople(where: {rank: {in: [senior]}, rank_above: {args: {salary: 250}, neq: junior}}, orderBy: [{id: ASC}]) { id }
         unranked: crewPeopleAggregate(where: {tags: {args: {tags: ["x"]}, contains: ["x"]}}) { count } }`,
    );
    expect([dashed, related, either]).toEqual([[{ id: 2 }], [{ id: 1 }, { id: 2 }], [{ id: 1 }, { id: 3 }]]);
    expect([ranked, unranked]).toEqual([[{ id: 2 }, { id: 4 }], { count: 4 }]);
    const asked = await server.send(
      'POST',
      '/graphql',
      { ...root, 'content-type': 'application/json' },
      JSON.stringify({
        query: `query ($where: CrewPeopleWhereInput, $order: [CrewPeopleOrderByInput!], $s: String) {
          crewPeople(where: $where, orderBy: $order) { full_name(separator: $s) } }`,
        variables: {
          where: { full_name: { args: { separator: '+', reversed: true }, startsWith: 'Zorn+' } },
          order: [{ raised: { args: { by: 3 }, direction: 'DESC' } }],
          s: '/',
        },
      }),
    );
    expect(JSON.parse(asked.text)).toEqual({ data: { crewPeople: [{ full_name: 'Ada/Zorn' }] } });
  });

  it('are given in orders, through relations and in pages', async () => {
    const { byName, descending, byTeam } = await data(
      `{ byName: crewPeople(orderBy: [{full_name: {args: {reversed: true}}}]) { id }
         descending: crewPeople(orderBy: [{raised: {args: {by: 1}, direction: DESC}}, {initialsByMark: {args: {mark: "-"}}}]) { id }
         byTeam: crewPeople(orderBy: [{peers: {args: {at_least: 250}, direction: DESC_NULLS_LAST}}, {rank: DESC}]) { id } }`,
    );
    expect(byName).toEqual([{ id: 3 }, { id: 4 }, { id: 2 }, { id: 1 }]);
    expect(descending).toEqual([{ id: 2 }, { id: 4 }, { id: 3 }, { id: 1 }]);
    expect(byTeam).toEqual([{ id: 1 }, { id: 3 }, { id: 2 }, { id: 4 }]);
    const page = async (after: string) => {
      const document = `{ crewPeopleConnection(first: 2, ${after} orderBy: [{full_name: {args: {separator: ",", reversed: true}}}]) {
        nodes { id } pageInfo { endCursor } } }`;
      const answer = await data(document);
      return answer['crewPeopleConnection'] as { nodes: unknown; pageInfo: { endCursor: string } };
    };
    const first = await page('');
    expect(first.nodes).toEqual([{ id: 3 }, { id: 4 }]);
    expect((await page(`after: "${first.pageInfo.endCursor}",`)).nodes).toEqual([{ id: 2 }, { id: 1 }]);
    const [failed] = await asker.errors(
      `{ crewPeopleConnection(after: "${first.pageInfo.endCursor}", orderBy: [{full_name: {args: {separator: ";"}}}]) { nodes { id } } }`,
      'root',
    );
    expect(failed?.message).toContain('another order');
  });

  it('are given to aggregates; groups and distinctOn take fields that a name alone tells', async () => {
    const { crewPeopleAggregate, distinct, crewTeams } = await data(
      `{ crewPeopleAggregate(groupBy: [rank], having: {sum: {salary: {gte: 300}}, max: {full_name: {gt: "A"}}}) {
           count countDistinct { rank within(bounds: {low: 0, high: 150}) }
           sum { raised(by: 10) double: raised(by: 100) peers } avg { raised(by: 50) }
           min { full_name(separator: "_") rank } max { peers(at_least: 1) }
           groups { key { rank } count sum { raised(by: 0) } } }
         distinct: crewPeople(distinctOn: [rank], orderBy: [{salary: ASC}]) { rank full_name(separator: "") }
         crewTeams(orderBy: [{id: ASC}]) { crewPeopleAggregate(where: {rank: {eq: senior}}) { max { initialsByMark(mark: "!") } } } }`,
    );
    expect(crewPeopleAggregate).toEqual({
      count: 4,
      countDistinct: { rank: 2, within: 2 },
      sum: { raised: 990, double: 1800, peers: 4 },
      avg: { raised: 337.5 },
      min: { full_name: 'Ada_Zorn', rank: 'junior' },
      max: { peers: '1' },
      groups: [
        { key: { rank: 'junior' }, count: 2, sum: { raised: 300 } },
        { key: { rank: 'senior' }, count: 2, sum: { raised: 600 } },
      ],
    });
    expect(distinct).toEqual([
      { rank: 'junior', full_name: 'AdaZorn' },
      { rank: 'senior', full_name: expect.stringMatching(/BoYoung|DiBest/) as unknown },
    ]);
    expect(crewTeams).toEqual([
      { crewPeopleAggregate: { max: { initialsByMark: 'B!Y!' } } },
      { crewPeopleAggregate: { max: { initialsByMark: 'D!B!' } } },
    ]);
  });

  it('say which rows are written, and are selected of them', async () => {
    const { updateCrewPeople } = await data(
      `mutation { updateCrewPeople(where: {full_name: {args: {separator: "*"}, eq: "Di*Best"}}, input: {last: "Best"}) { full_name(separator: "*") } }`,
    );
    expect(updateCrewPeople).toEqual([{ full_name: 'Di*Best' }]);
    const written = await server.send(
      'POST',
      '/graphql',
      { ...root, 'content-type': 'application/json' },
      JSON.stringify({
        query: `mutation ($s: String, $id: Int, $n: Int) {
          updateCrewPeople(id: $id, input: {team_id: 2}) {
            full_name(separator: $s) crewTeamId { crewPeople(where: {id: {eq: $id}}, limit: $n) { full_name(separator: $s) } } } }`,
        variables: { s: '/', id: 4, n: 1 },
      }),
    );
    const row = { full_name: 'Di/Best' };
    expect(JSON.parse(written.text)).toEqual({
      data: { updateCrewPeople: [{ ...row, crewTeamId: { crewPeople: [row] } }] },
    });
  });

  it('are null where they are left out and have no default', async () => {
    const document = `{ crewPeople(where: {id: {eq: 1}, raised: {isNull: true}}) { raised }
      none: crewPeople(where: {raised: {gt: 1}}) { id } }`;
    expect(await data(document)).toEqual({ crewPeople: [{ raised: null }], none: [] });
  });

  it('are refused where they are wrong, and leave out what a field cannot be', async () => {
    const messages = async (document: string) => (await asker.errors(document, 'root')).map(({ message }) => message);
    expect(await messages('{ crewPeople(where: {raised: {args: null, gt: 1}}) { id } }')).toEqual([
      'raised: args is null.',
    ]);
    expect(await messages('{ crewPeople(orderBy: [{full_name: {direction: null}}]) { id } }')).toEqual([
      'orderBy: the direction of full_name is null.',
    ]);
    expect(await messages('{ crewPeople { raised(by: "x") } }')).not.toEqual([]);
    const [domain] = await messages('{ crewPeople { raised(by: 101) } }');
    expect(domain).not.toContain('people_raised');
    const { __type: type } = await data('{ __type(name: "CrewPeople") { fields { name } } }');
    const names = (type as { fields: { name: string }[] }).fields.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['full_name', 'secret']));
    for (const left of ['renamed', 'twin', 'any']) expect(names).not.toContain(left);
    expect(await messages('{ crewPeopleAggregate(groupBy: [raised]) { count } }')).not.toEqual([]);
  });

  it('are values: nothing of them is SQL', async () => {
    const hostile = `'); drop table crew.people; --`;
    const { crewPeople } = await data(
      `{ crewPeople(where: {full_name: {args: {separator: ${JSON.stringify(hostile)}}, contains: ${JSON.stringify(hostile)}}}, orderBy: [{id: ASC}], limit: 1) {
           full_name(separator: ${JSON.stringify(hostile)}) } }`,
    );
    expect(crewPeople).toEqual([{ full_name: `Ada${hostile}Zorn` }]);
  });

  it('run as the one who asks: policies hold inside, and a function that may not be executed is refused', async () => {
    const peers = (user: string) => data('{ crewPeople(orderBy: [{id: ASC}]) { id peers } }', user);
    expect(await peers('ann')).toEqual({
      crewPeople: [
        { id: 1, peers: '1' },
        { id: 2, peers: '1' },
        { id: 4, peers: '0' },
      ],
    });
    expect(await peers('bob')).toEqual({
      crewPeople: [
        { id: 3, peers: '1' },
        { id: 4, peers: '1' },
      ],
    });
    for (const document of [
      '{ crewPeople { secret(key: "k") } }',
      '{ crewPeople(where: {secret: {args: {key: "k"}, eq: "secret k"}}) { id } }',
      '{ crewPeople(orderBy: [{secret: {args: {key: "k"}}}]) { id } }',
      '{ crewPeopleAggregate { max { secret(key: "k") } } }',
    ]) {
      const [failed] = await asker.errors(document, 'root');
      expect([document, failed?.extensions.code]).toEqual([document, 'FORBIDDEN']);
    }
  });
});

describe('functions of a row that answer rows', () => {
  it('are relations over GraphQL: selected, filtered, sorted, counted and filtered by', async () => {
    const answered = await data(
      `{ one: crewPeople(orderBy: [{id: ASC}]) { id richest_mate { first team: crewTeamId { name } } }
         many: crewTeams(orderBy: [{stars: {_count: DESC}}, {id: ASC}]) {
           name stars(where: {full_name: {contains: "o"}}, orderBy: [{first: DESC}], limit: 1) { first mates { first } } starsAggregate { count max { salary } } }
         having: crewPeople(where: {richest_mate: {first: {eq: "Bo"}}}) { id }
         some: crewPeople(where: {mates: {some: {salary: {lt: 200}}}}) { id }
         sorted: crewPeople(orderBy: [{richest_mate: {first: DESC_NULLS_LAST}}, {id: ASC}]) { id } }`,
    );
    expect(answered).toEqual({
      one: [
        { id: 1, richest_mate: { first: 'Bo', team: { name: 'Red' } } },
        { id: 2, richest_mate: null },
        { id: 3, richest_mate: { first: 'Di', team: { name: 'Blue' } } },
        { id: 4, richest_mate: null },
      ],
      many: [
        {
          name: 'Red',
          stars: [{ first: 'Bo', mates: [{ first: 'Ada' }] }],
          starsAggregate: { count: 1, max: { salary: 300 } },
        },
        { name: 'Blue', stars: [], starsAggregate: { count: 1, max: { salary: 300 } } },
      ],
      having: [{ id: 1 }],
      some: [{ id: 2 }],
      sorted: [{ id: 3 }, { id: 1 }, { id: 2 }, { id: 4 }],
    });
    const { updateCrewPeople } = await data(
      'mutation { updateCrewPeople(id: 1, input: {last: "Zorn"}) { mates { first } richest_mate { id } } }',
      'ann',
    );
    expect(updateCrewPeople).toEqual([{ mates: [{ first: 'Bo' }], richest_mate: { id: 2 } }]);
    expect(
      await asker.errors('mutation { createCrewTeams(input: {id: 9, name: "x", stars: {data: []}}) { id } }'),
    ).not.toEqual([]);
  });

  it('keep policies', async () => {
    expect(
      await data(
        '{ crewPeople(where: {id: {eq: 1}}) { mates { id } } crewTeams(where: {id: {eq: 2}}) { stars { id } } }',
        'ann',
      ),
    ).toEqual({
      crewPeople: [{ mates: [{ id: 2 }] }],
      crewTeams: [{ stars: [{ id: 4 }] }],
    });
    expect(await data('{ crewPeople(where: {id: {eq: 3}}) { richest_mate { id } mates { id } } }', 'ann')).toEqual({
      crewPeople: [],
    });
  });

  it('are embedded over REST by their name, and do not make that of a table ambiguous', async () => {
    const get = (path: string) => server.rows(`/api/v1/${path}`, root);
    expect(await get('people?select=id,richest_mate(first)&id=lte.2&order=id')).toEqual([
      { id: 1, richest_mate: { first: 'Bo' } },
      { id: 2, richest_mate: null },
    ]);
    expect(await get('teams?select=name,stars!inner(first),people(id)&stars.first=eq.Di&people.order=id')).toEqual([
      { name: 'Blue', stars: [{ first: 'Di' }], people: [{ id: 3 }, { id: 4 }] },
    ]);
    expect((await server.get('/api/v1/people?select=starz(id)', root)).status).toBe(400);
  });
});

describe('arguments of computed fields over REST', () => {
  const get = async (parameters: Readonly<Record<string, string>>, table = 'people') =>
    server.rows(`/api/v1/${table}?${query(parameters)}`, root);

  it('are parameters, and hold wherever the field is used', async () => {
    expect(await get({ select: 'full_name', id: 'eq.1' })).toEqual([{ full_name: 'Ada Zorn' }]);
    expect(
      await get({
        select: 'full_name',
        'full_name(separator)': ', ',
        'full_name(reversed)': 'true',
        full_name: 'gt.B',
        order: 'full_name.desc',
      }),
    ).toEqual([{ full_name: 'Zorn, Ada' }, { full_name: 'Young, Bo' }, { full_name: 'Best, Di' }]);
    expect(
      await get({
        select: 'id',
        or: '(raised.gte.330,rank_above.eq.junior)',
        'raised(by)': '10',
        'rank_above(salary)': '150',
        order: 'id',
      }),
    ).toEqual([{ id: 1 }, { id: 2 }, { id: 4 }]);
    expect(
      await get({
        select: 'within,likes,tags',
        id: 'eq.1',
        'within(bounds)': '(1,2)',
        'likes(rank)': 'senior',
        'tags(tags)': '{x}',
      }),
    ).toEqual([{ within: false, likes: true, tags: ['Ada', 'x'] }]);
    expect(await server.rows(`/api/v1/people?select=tags&id=eq.1&tags(tags)=x&tags(tags)=y`, root)).toEqual([
      { tags: ['Ada', 'x', 'y'] },
    ]);
  });

  it('are of one selection where its alias is named, and of embedded tables along the path', async () => {
    expect(
      await get({
        select: 'a:full_name,b:full_name,full_name',
        id: 'eq.1',
        'a(separator)': '-',
        'b(separator)': '+',
        'full_name(separator)': '',
      }),
    ).toEqual([{ a: 'Ada-Zorn', b: 'Ada+Zorn', full_name: 'AdaZorn' }]);
    expect(
      await get(
        {
          select: 'name,people(full_name)',
          'people.full_name(separator)': '_',
          'people.full_name': 'neq.Bo_Young',
          'people.order': 'full_name.desc',
          order: 'id',
        },
        'teams',
      ),
    ).toEqual([
      { name: 'Red', people: [{ full_name: 'Ada_Zorn' }] },
      { name: 'Blue', people: [{ full_name: 'Di_Best' }, { full_name: 'Cy_Abel' }] },
    ]);
  });

  it('say which rows are written', async () => {
    const json = { ...root, 'content-type': 'application/json' };
    const path = `/api/v1/people?${query({ full_name: 'eq.Di#Best', 'full_name(separator)': '#', select: 'id,full_name' })}`;
    const written = await server.send('PATCH', path, json, '{"last":"Best"}');
    expect([written.status, JSON.parse(written.text)]).toEqual([200, [{ id: 4, full_name: 'Di#Best' }]]);
    const unfiltered = await server.send('PATCH', '/api/v1/people?full_name(separator)=x', json, '{"last":"Best"}');
    expect(unfiltered.status).toBe(400);
  });

  it('are refused where nothing has them, and where they are missing or there twice', async () => {
    const refused = async (path: string) => {
      const reply = await server.get(`/api/v1/people?${path}`, root);
      return [reply.status, errorOf(reply).message, errorOf(reply).hint];
    };
    expect(await refused('full_nam(separator)=x')).toEqual([
      400,
      'Parameter "full_nam(separator)": "people" has no computed field "full_nam".',
      'Did you mean "full_name"?',
    ]);
    expect((await refused('id(separator)=x'))[1]).toContain('no computed field');
    expect(await refused('select=full_name&full_name(by)=x')).toEqual([
      400,
      expect.stringContaining('no such argument'),
      'Arguments: separator, reversed.',
    ]);
    expect((await refused('select=rank&rank(by)=x'))[2]).toBe('It has no arguments.');
    expect((await refused('select=full_name&full_name(separator)=x&full_name(separator)=y'))[1]).toContain('twice');
    expect((await refused('select=raised'))[1]).toBe('raised needs the argument "by".');
    expect((await server.get('/api/v1/people?select=raised&raised(by)=x', root)).status).toBe(500);
    expect((await server.get('/api/v1/people?select=secret&secret(key)=k', root)).status).toBe(403);
    expect((await server.get('/api/v1/people?select=*&people.full_name(separator)=x', root)).status).toBe(400);
  });

  it('are described in openapi.json', async () => {
    const { paths } = JSON.parse((await server.get('/api/v1')).text) as {
      paths: Record<string, Record<string, { parameters: { name?: string }[] }>>;
    };
    const names = paths['/people']?.['get']?.parameters.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining(['full_name', 'full_name(separator)', 'full_name(reversed)', 'raised(by)']),
    );
  });
});
