import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { createConnection, type Connection, type RowDataPacket } from 'mysql2/promise';
import { describeMysql, loadMysql } from '../../support/mysql.js';
import { bothWays } from './features.js';
import { routines as schema } from './routines.js';
import { serveMysql, type ServedMysql } from './served.js';

describe.each(bothWays)('a server of a MariaDB database%s', (_, environment) => {
  describeMysql('', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    let served: ServedMysql;
    let user = '';
    let token = '';
    beforeAll(async () => {
      const signed = new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).setSubject('ann').setExpirationTime('1h');
      token = await signed.sign(privateKey);
      const fixed = {
        ...environment,
        APP_REST_POSTGREST: '/rest/v1',
        APP_DATASOURCE_POOL_SIZE: '1',
        APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '8000',
        APP_SECURITY_JWT_ENABLED: 'true',
        APP_SECURITY_AUTH_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      };
      served = await serveMysql(fixed, '', schema, async ({ name, url }) => {
        user = `u_${name.slice(-10)}`;
        const all = 'select, insert, update, delete, execute, create temporary tables';
        await loadMysql(
          url,
          `create user ${user}@'%' identified by 'secret'; grant ${all}, create routine, alter routine on \`${name}\`.* to ${user}@'%';
           create definer = ${user}@'%' sql security invoker view asked as select 1 as id;
           create database \`${name}_x\`; create function \`${name}_x\`.hidden() returns int deterministic no sql return 42;
           create function secret() returns int sql security invoker reads sql data return (select hidden from (select \`${name}_x\`.hidden() as hidden) as h);`,
        );
        const address = new URL(url);
        address.username = user;
        address.password = 'secret';
        const of = (called: string, ...columns: string[]) => ({ function: `${name}.${called}`, columns });
        const items = {
          label: of('label', 'n'),
          times: of('times', 'n'),
          state: of('state', 'id'),
          bits: of('bits', 'id'),
          who: of('who_for', 'id'),
        };
        const config = {
          'app.rest.procedures': true,
          functions: [`${name}.*`],
          computed: { [`${name}.items`]: items },
        };
        return { config, environment: { DATABASE_URL: address.href } };
      });
    });
    afterAll(async () => {
      await served.load(`drop database \`${served.database}_x\`; drop user ${user}@'%'`);
      await served.stop();
    });

    const as = () => ({ authorization: `Bearer ${token}` });
    const ask = async (document: string, headers?: Readonly<Record<string, string>>): Promise<unknown> => {
      const { body } = await served.ask(document, headers);
      return (body as { readonly data?: unknown }).data ?? body;
    };
    const post = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const postgrest = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(`${served.base}/rest/v1/${path}`, init);
      const text = await response.text();
      return { status: response.status, body: parsed(text) };
    };

    test('calls procedures that write, whatever they say of their access', async () => {
      const call = async (name: string, given = ''): Promise<unknown> => {
        const { body } = await served.ask(`mutation { answer: call$$${name}${given} }`);
        const { data } = body as { readonly data?: { readonly answer: string } };
        return data === undefined ? body : JSON.parse(data.answer);
      };
      expect(await call('Total')).toEqual({ sum: 24 });
      expect(await call('RaiseAll', '(step: 1)')).toEqual({ result: 'OK' });
      expect(await call('Total')).toEqual({ sum: 28 });
      expect(await call('Commits', '(step: 1)')).toEqual({ result: 'OK' });
      expect(await call('Total')).toEqual({ sum: 36 });
      expect(await call('RaiseAll', '(step: -3)')).toEqual({ result: 'OK' });
    });

    test('procedures over REST, by POST alone', async () => {
      for (const path of ['rest/v1/rpc', 'api/v1/rpc']) {
        const rest = async (name: string, init?: RequestInit): Promise<readonly [number, unknown]> => {
          const response = await fetch(`${served.base}/${path}/${name}`, init);
          return [response.status, parsed(await response.text())];
        };
        expect(await rest('total', post({}))).toEqual([200, { sum: 24 }]);
        expect(await rest('raise_all', post({ step: 1 }))).toEqual([200, { result: 'OK' }]);
        expect(await rest('total', post({}))).toEqual([200, { sum: 28 }]);
        expect(await rest('raise_all', post({ step: -1 }))).toEqual([200, { result: 'OK' }]);
        expect(await rest('twice', post({ n: 21, big: '18446744073709551615' }))).toMatchObject([
          200,
          { n: 42, big: 18446744073709552000, at: '2024-02-03T04:05:06', state: 'in progress' },
        ]);
        expect((await rest('total'))[0]).toBe(405);
        expect((await rest('raise_all', post({})))[0]).toBe(path.startsWith('rest') ? 404 : 400);
        expect((await rest('raise_all', post({ step: 'many' })))[0]).toBe(path.startsWith('rest') ? 400 : 500);
        expect((await rest('raise_all', post({ step: 1, more: 2 })))[0]).toBe(path.startsWith('rest') ? 404 : 400);
        const [status, body] = await rest('raise_all', post({ step: 5 }, { prefer: 'tx=rollback' }));
        expect([status, JSON.stringify(body)]).toEqual([400, expect.stringMatching(/TW017|PGRST127/)]);
        expect(await rest('total', post({}))).toEqual([200, { sum: 24 }]);
      }
      expect((await served.rest('rpc/total', { method: 'OPTIONS' })).headers.get('allow')).toBe('POST, OPTIONS');
    });

    test('functions are fields of Query, and those that say that they write, of Mutation', async () => {
      expect(await ask('{ $Label(n: 3) $LabelOfNull: $Label(n: null) }')).toEqual({
        [`${served.prefix}Label`]: 'item 3',
        [`${served.prefix}LabelOfNull`]: null,
      });
      const given = `small: 255, price: "12.34", state: in_progress, marks: [red, blue], day: "2024-02-29", at: "2024-02-29T01:02:03.5", bytes: "\\\\x00ff", doc: "{\\"a\\": 1}"`;
      expect(await ask(`{ a: $All(${given}) }`)).toEqual({
        a: '255|12.34|in progress|red,blue|2024-02-29|2024-02-29 01:02:03.500000|00FF|{"a": 1}',
      });
      expect(await ask('{ a: $State(n: 2) b: $Marks c: $Price d: $Raw e: $At f: $Big g: $Truth }')).toEqual({
        a: 'done',
        b: ['red', 'blue'],
        c: 12.5,
        d: '\\x00ff',
        e: '2024-02-03T04:05:06.5',
        f: '18446744073709551615',
        g: 1,
      });
      expect(await ask('{ a: $CountItems }')).toEqual({ a: 2 });
      expect(await ask('mutation { a: call$$AddItem(id: 3, n: 9) b: call$$AddItem(id: 4, n: 9) }')).toEqual({
        a: 3,
        b: 4,
      });
      expect(await ask('{ a: $CountItems b: $Items(where: { id: { gt: 2 } }) { id } }')).toEqual({
        a: 4,
        b: [{ id: 3 }, { id: 4 }],
      });
      await served.load('delete from items where id > 2');
    });

    test('functions over REST, in both forms', async () => {
      expect((await served.rest('rpc/label?n=3')).body).toBe('item 3');
      expect((await served.rest('rpc/label', post({ n: 4 }))).body).toBe('item 4');
      expect((await postgrest('rpc/label?n=3')).body).toBe('item 3');
      expect((await postgrest('rpc/label', post({ n: null }))).body).toBeNull();
      expect((await postgrest('rpc/marks')).body).toEqual(['red', 'blue']);
      const all =
        'small=255&price=12.34&state=in%20progress&marks=%7Bred,blue%7D&day=2024-02-29&at=2024-02-29%2001:02:03.5&bytes=%5Cx00ff&doc=%7B%7D';
      const text = '255|12.34|in progress|red,blue|2024-02-29|2024-02-29 01:02:03.500000|00FF|{}';
      expect((await served.rest(`rpc/all?${all}`)).body).toBe(text);
      expect((await postgrest(`rpc/all?${all}`)).body).toBe(text);
      const counted = { headers: { prefer: 'count=exact' } };
      const calls = async () => Number((await postgrest('rpc/counts_calls', counted)).body);
      expect((await calls()) - (await calls())).toBe(-1);
      const single = { headers: { prefer: 'count=exact', accept: 'application/vnd.pgrst.object+json' } };
      expect((await postgrest('items?select=id&id=eq.1', single)).body).toEqual({ id: 1 });
      expect((await served.rest('rpc/add_item', post({ id: 5, n: 1 }))).body).toBe(5);
      expect((await postgrest('rpc/add_item', post({ id: 6, n: 1 }, { prefer: 'count=exact' }))).body).toBe(6);
      const undone = post({ id: 7, n: 1 }, { prefer: 'tx=rollback' });
      expect((await served.rest('rpc/add_item', undone)).body).toBe(7);
      expect((await postgrest('rpc/add_item', undone)).body).toBe(7);
      expect((await served.rest('items?select=id&id=gt.2&order=id')).body).toMatchObject({
        data: [{ id: 5 }, { id: 6 }],
      });
      await served.load('delete from items where id > 2');
    });

    test.each([
      ['label?n=many', 500, '22P02'],
      ['label', 400, 'TW005'],
      ['label?n=99999999999', 500, '22003'],
      ['all?small=256&price=1&state=done&marks=red&day=2024-02-29&at=2024-02-29&bytes=&doc=', 500, '22003'],
      ['state_of?state=gone', 500, '22P02'],
      ['writes?id=9', 500, '25006'],
      ['secret', 403, '42501'],
      ['fails', 400, '45000'],
      ['sleeps', 504, '57014'],
      ['add_item?id=1&n=1', 405, 'TW015'],
      ['nothing', 404, 'TW008'],
    ])('rpc/%s answers %d', async (path, status, code) => {
      const answer = await served.rest(`rpc/${path}`);
      expect([answer.status, answer.body]).toMatchObject([status, { code }]);
    });

    test('a function that writes without saying so is refused in both forms, and writes nothing', async () => {
      expect((await postgrest('rpc/writes?id=9')).status).toBe(405);
      const { body } = await served.ask('{ $Writes(id: 9) }');
      expect(JSON.stringify(body)).toContain('MODIFIES SQL DATA');
      expect(await ask('{ a: $CountItems }')).toEqual({ a: 2 });
    });

    test('an error that a function signals is that of its author', async () => {
      const { body, status } = await served.rest('rpc/fails');
      expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('Not today.')]);
      expect(JSON.stringify((await served.ask('{ $Fails }')).body)).toContain('Not today.');
      expect(JSON.stringify((await postgrest('rpc/fails')).body)).toContain('Not today.');
      expect((await served.ask('mutation { a: call$$AddItem(id: 1, n: 1) }')).body).toMatchObject({
        errors: [{ extensions: { code: '23505' } }],
      });
    });

    test('functions know who asks, and leave nothing in the session', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        expect(await ask('{ $Who }', as())).toEqual({ [`${served.prefix}Who`]: 'ann' });
        expect(await ask('{ $Spoil }')).toEqual({ [`${served.prefix}Spoil`]: 1 });
        expect(await ask('{ $Who $Items { id } }')).toEqual({
          [`${served.prefix}Who`]: 'nobody',
          [`${served.prefix}Items`]: [{ id: 1 }, { id: 2 }],
        });
        expect((await postgrest('rpc/spoil')).body).toBe(1);
        expect((await served.rest('rpc/who', { headers: as() })).body).toBe('ann');
        expect((await served.rest('items?select=id&order=id')).body).toMatchObject({ data: [{ id: 1 }, { id: 2 }] });
      }
    });

    test('functions of columns are fields of the table, in selections, filters, orders and aggregates', async () => {
      expect(
        await ask(`{
          a: $Items(where: { label: { endsWith: "7" } }) { id label state twice: times(factor: 2) }
          b: $Items(where: { label: { eq: "item 5" } }) { id }
          c: $Items(where: { times: { args: { factor: 3 }, gt: 15 } }, orderBy: { label: DESC }) { label }
          d: $Items(orderBy: { state: DESC }) { state }
          h: $Items(orderBy: { state: ASC }) { state }
          i: $Items(orderBy: { bits: DESC }) { bits }
          e: $ItemsAggregate(groupBy: [state]) { groups { key { state } count } max { label times(factor: 10) } }
          f: $ItemsConnection(first: 1, orderBy: { label: DESC }) { nodes { label } pageInfo { endCursor } }
          g: $Items(where: { state: { eq: done } }) { id }
        }`),
      ).toMatchObject({
        a: [{ id: 2, label: 'item 7', state: 'done', twice: '14' }],
        b: [{ id: 1 }],
        c: [{ label: 'item 7' }],
        d: [{ state: 'done' }, { state: 'open' }],
        h: [{ state: 'open' }, { state: 'done' }],
        i: [{ bits: ['blue'] }, { bits: ['red', 'green'] }],
        e: {
          groups: expect.arrayContaining([
            { key: { state: 'open' }, count: 1 },
            { key: { state: 'done' }, count: 1 },
          ]) as unknown,
          max: { label: 'item 7', times: '70' },
        },
        f: { nodes: [{ label: 'item 7' }] },
        g: [{ id: 2 }],
      });
      const rest = await served.rest('items?select=label,times&times(factor)=2&label=like.*7&order=label.desc');
      expect(rest.body).toMatchObject({ data: [{ label: 'item 7', times: 14 }] });
      expect((await postgrest('items?select=id,label&label=eq.item%205')).body).toEqual([{ id: 1, label: 'item 5' }]);
      expect((await served.rest('items?select=who&id=eq.1', { headers: as() })).body).toMatchObject({
        data: [{ who: 'ann 1' }],
      });
      expect(await ask('mutation { a: create$$Items(input: { id: 8, n: 1 }) { id label } }')).toEqual({
        a: { id: 8, label: 'item 1' },
      });
      await served.load('delete from items where id > 2');
    });

    test('a lock that a function takes is not kept after its request', async () => {
      const other = await createConnection(served.url);
      try {
        expect(await ask('{ $TakesLock }')).toEqual({ [`${served.prefix}TakesLock`]: 1 });
        expect(await isFree(other, `${served.database}.lock`)).toBe(true);
        expect(await ask('mutation { call$$TakesLockWriting }')).toBeDefined();
        expect(await isFree(other, `${served.database}.lock`)).toBe(true);
        await served.rest('rpc/locks', post({}));
        expect(await isFree(other, `${served.database}.lock`)).toBe(true);
      } finally {
        await other.end();
      }
    });

    test('a function that meets another transaction waits no longer than the time limit', async () => {
      const other = await createConnection(served.url);
      try {
        await other.query('start transaction');
        await other.query('update items set n = n where id = 1');
        const { status } = await served.rest('rpc/raise_item', post({ id: 1 }));
        expect([409, 503, 504]).toContain(status);
        await other.query('rollback');
        expect((await served.rest('rpc/raise_item', post({ id: 1 }))).status).toBe(200);
      } finally {
        await other.end();
      }
      await served.load('update items set n = 5 where id = 1');
    });
  });
});

/** The connection is cleaned after the answer is sent. */
async function isFree(other: Connection, name: string): Promise<boolean> {
  for (let turn = 0; turn < 50; turn += 1) {
    const [rows] = await other.query<RowDataPacket[]>('select is_free_lock(?) as free', [name]);
    if (rows[0]?.['free'] === 1) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
