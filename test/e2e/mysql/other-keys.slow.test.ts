import { connectAgent, type Agent } from '../../runtime/mcp/support/agent.js';
import { describeMysql } from '../../support/mysql.js';
import { asOnMysql, bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

/**
 * An upsert merges by keys of the model alone: by no other columns, and by no unique index that
 * only the database knows.
 */
const schema = `
  create table teams (id int primary key, name varchar(20));
  create table prefixed (id int primary key, email varchar(100), v int, team_id int,
    unique by_email (email(10)), foreign key (team_id) references teams (id));
  create table numbered (id int auto_increment primary key, email varchar(100), v int, unique (email(10)));
  create table secrets (id int primary key, v int, email varchar(20) as (concat('s', v % 10)) stored unique);
  create table longer (id int primary key, email text, v int, unique (email) using hash);
  create table moved (id int primary key, email varchar(100), v int, unique (email(10)));
  create trigger moves before insert on moved for each row set new.id = abs(new.id);
  create table later (id int primary key, email varchar(100), v int);
  create table dropped (id int primary key, email varchar(100), v int, unique gone (email));
  create view shown as select id, email, v from prefixed;`;

const reset = `
  delete from prefixed; delete from teams; delete from numbered; delete from secrets; delete from longer;
  delete from moved; delete from later; delete from dropped;
  insert into dropped values (1, 'a', 1), (2, 'a', 2);
  insert into prefixed (id, email, v) values (1, 'abcdefghij-one', 1);
  insert into numbered values (1, 'abcdefghij-one', 1);
  insert into secrets (id, v) values (1, 1);
  insert into longer values (1, 'abcdefghij-one', 1);
  insert into moved values (1, 'abcdefghij-one', 1);
  insert into later values (1, 'abcdefghij-one', 1);`;

const other = { id: 2, email: 'abcdefghij-two', v: 2 };
/** PUT takes whole rows. */
const whole = { ...other, team_id: null };
const merge = 'resolution=merge-duplicates';

describe.each(bothWays)('keys of the database on MariaDB%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    let agent: Agent;
    beforeAll(async () => {
      const switches = { APP_REST_POSTGREST: '/rest/v1', APP_MCP: 'true', APP_MCP_WRITES: 'true' };
      served = await serveMysql({ ...environment, ...switches }, '', schema, ({ name }) => ({
        config: { exclude: [`${name}.secrets.email`] },
      }));
      await served.load('create unique index newer on later (email); alter table dropped drop index gone;');
      agent = await connectAgent(served.base);
    });
    afterAll(async () => {
      await agent.close();
      await served.stop();
    });
    beforeEach(() => served.load(reset));

    const send = async (method: string, path: string, body: unknown, prefer = '') => {
      const reply = await fetch(`${served.base}${path}`, {
        method,
        headers: { 'content-type': 'application/json', prefer },
        body: JSON.stringify(body),
      });
      const text = await reply.text();
      return { status: reply.status, code: /"code": ?"(\w+)"/.exec(text)?.[1] };
    };
    const rows = async (table: string): Promise<unknown> =>
      (await (await fetch(`${served.base}/rest/v1/${table}?select=id,v&order=id`)).json()) as unknown;
    const before = [{ id: 1, v: 1 }];
    const taken = { status: 409, code: '23505' };
    const noKey = { status: 400, code: '42P10' };

    describe.each(['/api/v1', '/rest/v1'])('at %s', (base) => {
      test.each([
        ['a prefix of a column', 'prefixed', whole],
        ['a prefix, beside a key that the database makes', 'numbered', { email: 'abcdefghij-two', v: 2 }],
        ['a column that is excluded', 'secrets', { id: 2, v: 11 }],
        ['a prefix, and a trigger that changes the key', 'moved', { ...other, id: -2 }],
      ])('a row with the value of another row is 409: %s', async (__, table, row) => {
        const path = `${base}/${table}`;
        for (const prefer of [merge, `${merge},return=representation`, 'resolution=ignore-duplicates']) {
          for (const to of prefer.includes('ignore') ? [`${path}?on_conflict=id`] : [path, `${path}?on_conflict=id`])
            expect(await send('POST', to, row, prefer)).toEqual(taken);
          expect(
            await send('POST', path, [{ ...row, id: 7, email: 'new', v: 5 }, row].map(without(table)), merge),
          ).toEqual(taken);
          expect(await rows(table)).toEqual(before);
        }
        if ('id' in row) expect(await send('PUT', `${path}?id=eq.${String(row.id)}`, row)).toEqual(taken);
        expect(await rows(table)).toEqual(before);
      });

      // The server may learn of the index meanwhile: then a merge without on_conflict uses it.
      test.each([merge, 'resolution=ignore-duplicates'])(
        'so it is in an index that is newer than the model: %s',
        async (prefer) => {
          const row = { ...other, email: 'abcdefghij-one' };
          expect(await send('POST', `${base}/later?on_conflict=id`, row, prefer)).toEqual(taken);
          expect(await rows('later')).toEqual(before);
        },
      );

      test.each([merge, 'resolution=ignore-duplicates'])(
        'columns whose index is gone, and that several rows share, are 42P10: %s',
        async (prefer) => {
          const row = { id: 1, email: 'a', v: 5 };
          expect(await send('POST', `${base}/dropped?on_conflict=email`, row, prefer)).toEqual(noKey);
          expect(await rows('dropped')).toEqual([...before, { id: 2, v: 2 }]);
        },
      );

      test('a long text with a hash of its own is a key like others', async () => {
        const row = { ...other, email: 'abcdefghij-one' };
        expect(await send('POST', `${base}/longer?on_conflict=id`, row, merge)).toEqual(taken);
        expect(await send('POST', `${base}/longer?on_conflict=id`, row, 'resolution=ignore-duplicates')).toEqual(taken);
        expect(await rows('longer')).toEqual(before);
        expect((await send('POST', `${base}/longer?on_conflict=email`, { ...row, id: 1 }, merge)).status).toBe(200);
      });

      test('the key that a trigger makes merges', async () => {
        const { code } = await send('POST', `${base}/moved`, { id: -1, v: 5 }, merge);
        // Without RETURNING a key that a trigger changes is not known.
        expect([code, await rows('moved')]).toEqual(
          environment === asOnMysql
            ? [base === '/rest/v1' ? 'PGRST127' : 'TW017', before]
            : [undefined, [{ id: 1, v: 5 }]],
        );
      });

      test.each([merge, 'resolution=ignore-duplicates'])('columns that are no key are 42P10: %s', async (prefer) => {
        const row = { id: 1, email: 'abcdefghij-one', v: 5 };
        for (const columns of ['v', 'email', 'id,v'])
          for (const table of ['prefixed', 'shown'])
            expect(await send('POST', `${base}/${table}?on_conflict=${columns}`, row, prefer)).toEqual(noKey);
        expect(await rows('prefixed')).toEqual(before);
        expect((await send('POST', `${base}/shown?on_conflict=id`, row, prefer)).code).toBeUndefined();
      });
    });

    test('over GraphQL, in rows inside rows, and by an agent', async () => {
      const conflict = {
        errors: [expect.objectContaining({ extensions: expect.objectContaining({ code: '23505' }) as unknown })],
      };
      const given = '{ id: 2, email: "abcdefghij-two", v: 2 }';
      const byKey = 'onConflict: { constraint: PRIMARY }';
      for (const document of [
        `mutation { create$$Prefixed(input: ${given}, ${byKey}) { id } }`,
        `mutation { createMany$$Prefixed(inputs: [{ id: 7, email: "new" }, ${given}], ${byKey}) { id } }`,
        `mutation { create$$Teams(input: { id: 1, $Prefixed: { data: [${given}], ${byKey} } }) { id } }`,
      ])
        expect((await served.ask(document)).body).toMatchObject(conflict);
      const reply = await agent.call('insert_rows', { table: 'prefixed', rows: [other], onConflict: 'update' });
      expect(reply).toMatchObject({ isError: true, text: expect.stringContaining('23505') as unknown });
      expect(await rows('prefixed')).toEqual(before);
      expect(await (await fetch(`${served.base}/rest/v1/teams`)).json()).toEqual([]);
    });

    // InnoDB may end one of two writes of a table with several unique indexes as a deadlock.
    test('of requests at once, none changes the row of another one', async () => {
      const same = await Promise.all(
        Array.from({ length: 12 }, (__, v) => send('POST', '/api/v1/prefixed', { id: 3, email: 'same', v }, merge)),
      );
      expect(same.filter(({ status, code }) => status >= 300 && code !== '40P01')).toEqual([]);
      const others = await Promise.all(
        Array.from({ length: 12 }, (__, at) =>
          send('POST', '/api/v1/prefixed', { id: 10 + at, email: `0123456789${String(at)}`, v: 10 + at }, merge),
        ),
      );
      expect(others.filter(({ status }) => status === 201)).toHaveLength(1);
      expect(others.filter(({ code }) => code === '23505' || code === '40P01')).toHaveLength(11);
      const [, , third] = (await rows('prefixed')) as readonly { id: number; v: number }[];
      expect(third?.v).toBe(third?.id);
    });
  });
});

/** Not every table shows the column. */
const without =
  (table: string) =>
  ({ email, ...row }: Record<string, unknown>): Record<string, unknown> =>
    table === 'secrets' ? row : { email, ...row };
