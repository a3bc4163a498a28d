import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { buildGenerated } from '../../support/generated-program.js';
import { describeOwnMariadb } from '../../support/describe-own-mariadb.js';
import { loadMysql } from '../../support/mysql.js';
import { createOwnMariadb, type OwnMariadb } from '../../support/own-mariadb.js';
import { succeed } from '../../support/program.js';
import { startServerHere } from '../../support/server-here.js';
import { Random } from '../../oracle/random.js';

const schema = `
  create database shop; use shop;
  create table events (
    id int primary key, at timestamp(6) null, at_random int,
    made timestamp not null default current_timestamp, local datetime not null default current_timestamp,
    day date default (curdate()), changed datetime null on update current_timestamp, touched timestamp null on update current_timestamp,
    seen datetime, written varchar(30), plain datetime(6), key (at));
  create trigger sees before insert on events for each row set new.seen = now(), new.written = cast(new.at as char);
  create table stamps (at timestamp(6) not null primary key, event int not null, note varchar(20), foreign key (event) references events (id));
  create table ruled (id int primary key, at timestamp(6) not null);
  create view reports as select id, at, at + interval 1 hour as later, coalesce(at, made) as either, cast(at as char) as written, date(at) as day, curdate() as today, now() as now_there from events;
  create function next_day(given timestamp(6)) returns varchar(40) deterministic no sql return cast(date(given) + interval 1 day as char);
  create function same(given timestamp(6)) returns timestamp(6) deterministic no sql return given;
  create procedure moments(in given timestamp(6), out same timestamp(6), out written varchar(40)) begin set same = given; set written = cast(given as char); end;
  create procedure listed(in least timestamp(6)) select id, at, plain, cast(at as char) as written from events where at >= least order by events.at;`;

/** Between the two hours of the same name in Europe/Berlin. */
const limit = '2024-10-27T01:00:00Z';

const configuration = {
  rules: { 'shop.ruled': { read: { at: { lt: limit } } } },
  'app.rest.procedures': true,
  functions: ['shop.*'],
  procedures: {
    'shop.listed': { returns: { id: 'int', at: 'timestamp', plain: 'datetime', written: 'text' } },
  },
};

const json = { 'content-type': 'application/json' };

/** Instants around the hours that the zones skip and repeat, and the first and the last instant. */
const instants = ((): readonly string[] => {
  const random = new Random(45);
  const near = ['2024-03-31T01:00:00Z', '2024-10-27T01:00:00Z', '2024-11-03T06:00:00Z', '2024-07-01T00:00:00Z'].flatMap(
    (middle) =>
      Array.from({ length: 6 }, () => {
        const seconds = Date.parse(middle) / 1000 + random.below(3 * 3600) - 5400;
        const micros = String(random.below(1_000_000)).padStart(6, '0');
        return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${micros}`.replace(/\.?0+$/, '');
      }),
  );
  const fixed = ['2024-10-27T00:30:00', '2024-10-27T01:30:00', '1970-01-01T00:00:01', '2038-01-19T03:14:07.999999'];
  return [...new Set([...fixed, ...near])].map((each) => `${each}+00:00`);
})();

describeOwnMariadb('the time zone of the database server', () => {
  let mariadb: OwnMariadb;
  let program: Awaited<ReturnType<typeof buildGenerated>>;

  beforeAll(async () => {
    mariadb = await createOwnMariadb([], undefined, { TZ: 'America/New_York' });
    await mariadb.start();
    const zone = await succeed('mariadb-tzinfo-to-sql', ['/usr/share/zoneinfo/Europe/Berlin', 'Europe/Berlin']);
    await loadMysql(`${mariadb.url}mysql`, zone);
    await loadMysql(mariadb.url, schema);
    program = await buildGenerated(`${mariadb.url}shop`, {
      'tablewright.config.json': JSON.stringify(configuration),
    });
  });
  afterAll(async () => {
    await mariadb.remove();
    await program.remove();
  });

  describe.each(['+00:00', '+05:30', '-03:30', 'Europe/Berlin', 'SYSTEM'])('%s', (zone) => {
    let server: Awaited<ReturnType<typeof startServerHere>>;
    /** Another client of the database, in its zone. */
    let client: Connection;

    beforeAll(async () => {
      const url = `${mariadb.url}shop`;
      await loadMysql(
        url,
        `set global time_zone = '${zone}'; set foreign_key_checks = 0; truncate stamps; truncate events;`,
      );
      client = await createConnection({ uri: url, dateStrings: true });
      server = await startServerHere(program.folder, {
        DATABASE_URL: url,
        APP_SCHEMAS: 'shop',
        APP_DATASOURCE_POOL_SIZE: '2',
        APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
        APP_REST_POSTGREST: '/rest/v1',
      });
    });
    afterAll(async () => {
      await server.stop();
      await client.end();
    });

    const send = async (method: string, path: string, body?: unknown, prefer = 'return=representation') => {
      const reply = await fetch(`${server.base}/rest/v1/${path}`, {
        method,
        headers: { ...json, prefer },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      return text === '' ? undefined : (JSON.parse(text) as unknown);
    };
    const get = (path: string): Promise<unknown> => send('GET', path);
    const ask = async (query: string, variables: object = {}): Promise<unknown> => {
      const reply = await fetch(`${server.base}/graphql`, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({ query, variables }),
      });
      const { data, errors } = (await reply.json()) as { readonly data?: unknown; readonly errors?: unknown };
      return errors ?? data;
    };
    const query = async (text: string): Promise<readonly RowDataPacket[]> =>
      (await client.query<RowDataPacket[]>(text))[0];

    const all = instants.map((at, place) => ({ id: place + 1, at }));
    const inOrder = [...all].sort((one, other) => (one.at.slice(0, -6) < other.at.slice(0, -6) ? -1 : 1));

    test('instants are stored as they are sent, and answered in UTC', async () => {
      expect(await send('POST', 'events?select=id,at', all.slice(0, 20))).toEqual(all.slice(0, 20));
      const created = all
        .slice(20)
        .map(({ id, at }) => `c${String(id)}: createShopEvents(input: {id: ${String(id)}, at: "${at}"}) { id at }`);
      expect(await ask(`mutation { ${created.join(' ')} }`)).toEqual(
        Object.fromEntries(all.slice(20).map((each) => [`c${String(each.id)}`, each])),
      );
      const stored = await query('select id, unix_timestamp(at) as seconds from events order by id');
      expect(stored.map(({ seconds }) => Number(seconds).toFixed(6))).toEqual(
        all.map(({ at }) => {
          const [whole = '', fraction = ''] = at.slice(0, -6).split('.');
          return `${String(Date.parse(`${whole}Z`) / 1000)}.${fraction.padEnd(6, '0')}`;
        }),
      );
      expect(await get('events?select=id,at&order=id')).toEqual(all);
      expect(await ask('{ rows: shopEvents(orderBy: {id: ASC}) { id at } }')).toEqual({ rows: all });
      expect(await get('events?select=id,at&order=at')).toEqual(inOrder);
    });

    test('what the database computes is as for every other client', async () => {
      const [row] = await query(
        `select count(*) as n, sum(abs(timestampdiff(second, local, now())) < 300) as local, sum(abs(timestampdiff(second, made, now())) < 300) as made,
          sum(abs(timestampdiff(second, seen, now())) < 300) as seen, sum(day = date(local)) as day from events`,
      );
      const n = String(all.length);
      expect({ ...row, n: String(row?.['n']) }).toEqual({ n, local: n, made: n, seen: n, day: n });
      await send('PATCH', 'events?id=lt.5', { at_random: 1 });
      await ask('mutation { updateShopEvents(id: 5, input: {at_random: 1}) { id } }');
      const changed = `select count(*) as n from events where abs(timestampdiff(second, changed, now())) < 300 and abs(timestampdiff(second, touched, now())) < 300`;
      expect((await query(changed))[0]?.['n']).toBe(5);
      const reports = await query('select id, written, day from reports order by id');
      const shown = reports.map(({ id, written, day }) => ({
        id: Number(id),
        written: String(written),
        day: String(day),
      }));
      expect(await get('reports?select=id,written,day&order=id')).toEqual(shown);
      const [now] = await query('select curdate() as today, now() as there');
      expect(await get('reports?select=today&id=eq.1')).toEqual([{ today: now?.['today'] as unknown }]);
      const [{ now_there: there = '' } = {}] = (await get('reports?select=now_there&id=eq.1')) as {
        now_there?: string;
      }[];
      expect(
        Math.abs(Date.parse(`${there}Z`) - Date.parse(`${String(now?.['there']).replace(' ', 'T')}Z`)),
      ).toBeLessThan(300_000);
      expect(await get('reports?select=id,at,either&order=id')).toEqual(
        all.map((each) => ({ ...each, either: each.at })),
      );
    });

    test('filters, orders, cursors, aggregates and groups know each instant', async () => {
      for (const { id, at } of all) {
        const given = encodeURIComponent(at);
        expect(await get(`events?select=id&at=eq.${given}`)).toEqual([{ id }]);
        const place = inOrder.findIndex((each) => each.id === id);
        expect(await get(`events?select=id&at=gt.${given}&order=at&limit=3`)).toEqual(
          inOrder.slice(place + 1, place + 4).map((each) => ({ id: each.id })),
        );
        expect(await get(`reports?select=id&at=lte.${given}&order=at.desc&limit=1`)).toEqual([{ id }]);
      }
      const some = all.slice(0, 9);
      const list = some.map(({ at }) => `"${at}"`).join(',');
      expect(await get(`events?select=id&order=id&at=in.(${encodeURIComponent(list)})`)).toEqual(
        some.map(({ id }) => ({ id })),
      );
      const found: unknown[] = [];
      let after: string | undefined;
      do {
        const { page } = (await ask(
          'query ($after: String) { page: shopEventsConnection(first: 3, after: $after, orderBy: [{at: ASC}]) { nodes { id at } pageInfo { endCursor hasNextPage } } }',
          { after },
        )) as { page: { nodes: readonly unknown[]; pageInfo: { endCursor: string; hasNextPage: boolean } } };
        found.push(...page.nodes);
        after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
      } while (after !== undefined);
      expect(found).toEqual(inOrder);
      const [least, most] = [inOrder[0]?.at, inOrder.at(-1)?.at];
      expect(await ask('{ all: shopEventsAggregate { min { at } max { at } count } }')).toEqual({
        all: { min: { at: least }, max: { at: most }, count: all.length },
      });
      const grouped = (await ask('{ all: shopEventsAggregate(groupBy: [at]) { groups { key { at } count } } }')) as {
        all: { groups: readonly { key: { at: string } }[] };
      };
      expect(grouped.all.groups.map(({ key }) => key.at)).toEqual(inOrder.map(({ at }) => at));
    });

    test('keys: embedded rows, upserts, updates, deletes', async () => {
      const stamps = all.slice(0, 12).map(({ id, at }) => ({ at, event: (id % 3) + 1 }));
      expect(await send('POST', 'stamps?select=at,event', stamps)).toEqual(stamps);
      const of = (event: number) =>
        inOrder
          .filter(({ at }) => stamps.some((each) => each.at === at && each.event === event))
          .map(({ at }) => ({ at }));
      const rows = [1, 2, 3].map((id) => ({ id, at: all[id - 1]?.at, stamps: of(id) }));
      expect(await get('events?select=id,at,stamps(at)&id=lt.4&order=id&stamps.order=at')).toEqual(rows);
      expect(
        await ask(
          '{ rows: shopEvents(where: {id: {lt: 4}}, orderBy: {id: ASC}) { id at stamps: shopStamps(orderBy: {at: ASC}) { at } } }',
        ),
      ).toEqual({ rows });
      const merged = stamps.map((each) => ({ ...each, note: 'merged' }));
      expect(
        await send('POST', 'stamps?select=at,event,note', merged, 'return=representation,resolution=merge-duplicates'),
      ).toEqual(merged);
      for (const [place, { at, event }] of stamps.entries()) {
        const note = `n${String(place)}`;
        const key = `stamps?select=at,note&at=eq.${encodeURIComponent(at)}`;
        expect(await send('PATCH', key, { note })).toEqual([{ at, note }]);
        expect(await send('PUT', key, { at, event, note: 'put' })).toEqual([{ at, note: 'put' }]);
        expect(
          await ask(`mutation { rows: updateShopStamps(where: {at: {eq: "${at}"}}, input: {note: "g"}) { at note } }`),
        ).toEqual({ rows: [{ at, note: 'g' }] });
        expect(await ask(`{ row: shopStampsByPk(at: "${at}") { at note } }`)).toEqual({ row: { at, note: 'g' } });
      }
      const at = stamps[0]?.at ?? '';
      expect(await send('DELETE', `stamps?select=at&at=eq.${encodeURIComponent(at)}`)).toEqual([{ at }]);
      const moved = '2024-10-27T01:59:59.5+00:00';
      const second = encodeURIComponent(stamps[1]?.at ?? '');
      expect(await send('PATCH', `stamps?select=at&at=eq.${second}`, { at: moved })).toEqual([{ at: moved }]);
      expect((await query('select count(*) as n from stamps'))[0]?.['n']).toBe(stamps.length - 1);
    });

    test('other forms: text, CSV, related and nested rows, groups, upserts of GraphQL, If-Match', async () => {
      await query('delete from stamps');
      const [first, second] = [inOrder.at(-5)?.at ?? '', '2024-10-27T01:15:00+00:00'];
      const text = await fetch(`${server.base}/rest/v1/events?select=id,at&order=id`, {
        headers: { accept: 'text/csv' },
      });
      expect((await text.text()).trim().split('\n').slice(1)).toEqual(all.map(({ id, at }) => `${String(id)},${at}`));
      expect(await get('events?select=id,at::text&order=id')).toEqual(all);
      const nested = `mutation { row: createShopEvents(input: {id: 950, at: "${second}", shopStamps: {data: [{at: "${first}"}, {at: "${second}"}]}})
        { id at shopStamps(orderBy: {at: ASC}) { at shopEvent { at } } } }`;
      const stamps = [first, second].sort().map((at) => ({ at, shopEvent: { at: second } }));
      expect(await ask(nested)).toEqual({ row: { id: 950, at: second, shopStamps: stamps } });
      const related = `{ rows: shopEvents(where: {shopStamps: {some: {at: {eq: "${second}"}}}}) { id } }`;
      expect(await ask(related)).toEqual({ rows: [{ id: 950 }] });
      const upsert = (note: string) =>
        ask(
          `mutation { rows: createManyShopStamps(inputs: [{at: "${first}", event: 950, note: "${note}"}, {at: "${second}", event: 950, note: "${note}"}], onConflict: {constraint: PRIMARY}) { at note } }`,
        );
      expect(await upsert('u')).toEqual({ rows: [first, second].map((at) => ({ at, note: 'u' })) });
      expect(await get('stamps?select=event,at.max(),count()')).toEqual([{ event: 950, max: stamps[1]?.at, count: 2 }]);
      const having = `{ all: shopStampsAggregate(groupBy: [event], having: {max: {at: {eq: "${stamps[1]?.at ?? ''}"}}}) { groups { count min { at } } } }`;
      expect(await ask(having)).toEqual({ all: { groups: [{ count: 2, min: { at: stamps[0]?.at } }] } });
      const one = `${server.base}/api/v1/stamps/${encodeURIComponent(second)}`;
      const found = await fetch(one);
      const etag = found.headers.get('etag') ?? '';
      expect([found.status, etag === '']).toEqual([200, false]);
      const change = (guard: string) =>
        fetch(`${server.base}/api/v1/stamps?at=eq.${encodeURIComponent(second)}`, {
          method: 'PATCH',
          headers: { ...json, 'if-match': guard },
          body: JSON.stringify({ note: 'if' }),
        });
      expect((await change('"other"')).status).toBe(412);
      expect((await change(etag)).status).toBe(200);
      expect(await get(`stamps?select=note&at=eq.${encodeURIComponent(second)}`)).toEqual([{ note: 'if' }]);
      await query('delete from stamps');
      await query('delete from events where id = 950');
    });

    test('arguments and results of functions and procedures', async () => {
      for (const { at } of [...all.slice(0, 4), ...all.slice(-2)]) {
        const seconds = `timestamp'1970-01-01 00:00:00' + interval ${String(Date.parse(at) / 1000)} second`;
        const [there] = await query(`select convert_tz(${seconds}, '+00:00', @@time_zone) as text`);
        expect(await send('POST', 'rpc/same', { given: at })).toEqual(at);
        expect(await send('POST', 'rpc/moments', { given: at })).toMatchObject({ same: at });
        expect(String(there?.['text'])).toMatch(/^\d{4}/);
      }
      const [, , , last] = all;
      expect(await send('POST', 'rpc/listed', { least: last?.at })).toMatchObject([last]);
    });

    test('zero dates, null, and what no TIMESTAMP can have', async () => {
      const zero = '0000-00-00T00:00:00+00:00';
      expect(await send('POST', 'events?select=at', { id: 900, at: zero })).toEqual([{ at: zero }]);
      expect(await send('POST', 'events?select=at', { id: 901, at: null })).toEqual([{ at: null }]);
      expect(await get(`events?select=id&at=eq.${encodeURIComponent(zero)}`)).toEqual([{ id: 900 }]);
      expect(await get('events?select=id&at=is.null')).toEqual([{ id: 901 }]);
      for (const at of [
        '1970-01-01T00:00:00Z',
        '1969-12-31T21:00:00Z',
        '2038-01-19T03:14:08Z',
        '2038-01-19T06:00:00Z',
        '9999-12-31T23:59:59Z',
      ])
        expect(await send('POST', 'events', { id: 902, at })).toMatchObject({ code: '22P02' });
      expect(await get('events?select=id&at=gt.2038-01-19T06:00:00Z')).toEqual([]);
      expect(await get('events?select=id&at=lt.1969-12-31T21:00:00Z')).toEqual([{ id: 900 }]);
      expect(await send('DELETE', 'events?select=id&id=gte.900')).toEqual([{ id: 900 }, { id: 901 }]);
    });

    test('a rule about an instant is the same for reads, writes and counts', async () => {
      const rows = all.map(({ id, at }) => `(${String(id)}, '${at.slice(0, -6)}')`).join();
      await loadMysql(
        `${mariadb.url}shop`,
        `set time_zone = '+00:00'; truncate ruled; insert into ruled values ${rows};`,
      );
      const early = all.filter(({ at }) => at < limit);
      const late = all.filter(({ at }) => at >= limit);
      expect(await get('ruled?select=id,at&order=id')).toEqual(early);
      expect(await ask('{ rows: shopRuled(orderBy: {id: ASC}) { id at } all: shopRuledAggregate { count } }')).toEqual({
        rows: early,
        all: { count: early.length },
      });
      const [{ at: after } = { at: '' }] = late;
      const refused = { code: '42501' };
      expect(await send('POST', 'ruled', { id: 100, at: after })).toMatchObject(refused);
      expect(await send('PATCH', 'ruled?id=eq.1', { at: after })).toMatchObject(refused);
      expect(await send('PATCH', 'ruled?id=gt.0', { at: after })).toMatchObject(refused);
      expect(await send('DELETE', `ruled?id=in.(${late.map(({ id }) => id).join()})`)).toEqual([]);
      expect(await send('POST', 'ruled?select=at', { id: 101, at: early[0]?.at })).toEqual([{ at: early[0]?.at }]);
      expect(await query('select count(*) as amount, max(id) as last from ruled')).toEqual([
        { amount: all.length + 1, last: 101 },
      ]);
    });

    test('a DATETIME has no zone', async () => {
      const plain = '2024-10-27T02:30:00.25';
      expect(await send('PATCH', 'events?select=plain&id=eq.1', { plain })).toEqual([{ plain }]);
      expect(await get(`events?select=id&plain=eq.${plain}`)).toEqual([{ id: 1 }]);
      expect((await query('select plain from events where id = 1'))[0]?.['plain']).toBe('2024-10-27 02:30:00.250000');
    });
  });
});
