import { describeMysql } from '../../support/mysql.js';
import { ifMatchContract } from '../writes/if-match-contract.js';
import { missingContract } from '../writes/missing-contract.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

/** A merge touches the row of one key alone, and rows are written in the order of the request. */
const schema = `
  create table users (id int primary key, a varchar(9) unique, b varchar(9) unique, v varchar(9));
  insert into users values (1, 'a1', 'b1', 'v1'), (2, 'a2', 'b2', 'v2');
  create table made (id int auto_increment primary key, name varchar(9), n int default 7, note varchar(9));
  create table defaults (id int auto_increment primary key, name varchar(9) unique, n int default 7,
    note varchar(9) default 'young');
  create table seen (at int auto_increment primary key, id int);
  create trigger see after insert on made for each row insert into seen (id) values (new.id);
  create table counters (id int primary key, n int, note varchar(9));
  create table notes (id int primary key, counter int, foreign key (counter) references counters (id));`;

describe.each(bothWays)('a server of a MariaDB database merges and compares%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    beforeAll(async () => {
      served = await serveMysql({ ...environment, APP_REST_POSTGREST: '/rest/v1' }, '', schema);
    });
    afterAll(() => served.stop());

    ifMatchContract(() => ({
      base: served.base,
      reset: () => served.load('delete from notes; delete from counters'),
    }));

    const ask = async (path: string, init?: RequestInit) => {
      const reply = await fetch(`${served.base}${path}`, init);
      const body: unknown = await reply.json();
      return { status: reply.status, body };
    };
    const post = (path: string, body: unknown, prefer = 'return=representation, resolution=merge-duplicates') =>
      ask(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer },
        body: JSON.stringify(body),
      });
    const users = async () => (await ask('/rest/v1/users?order=id')).body;
    const before = [
      { id: 1, a: 'a1', b: 'b1', v: 'v1' },
      { id: 2, a: 'a2', b: 'b2', v: 'v2' },
    ];

    test.each(['/api/v1', '/rest/v1'])(
      'an existing row that takes the key of another one is 409 at %s',
      async (base) => {
        for (const body of [
          { id: 1, a: 'a2', v: 'mine' },
          [
            { id: 7, a: 'a7' },
            { id: 1, a: 'a2', v: 'mine' },
          ],
          [
            { id: 1, a: 'a2', b: 'b1' },
            { id: 2, a: 'a1' },
          ],
        ])
          expect((await post(`${base}/users`, body)).status).toBe(409);
        expect((await post(`${base}/users?on_conflict=a`, { id: 9, a: 'a9', b: 'b1' })).status).toBe(409);
        expect(await users()).toEqual(before);
      },
    );

    test('a new row merges by another key in the own form alone, and touches no third row', async () => {
      expect((await post('/rest/v1/users', { id: 9, a: 'a2', v: 'mine' })).status).toBe(409);
      expect((await post('/api/v1/users', { id: 9, a: 'a2', b: 'b1', v: 'mine' })).status).toBe(409);
      expect(await users()).toEqual(before);
      expect((await post('/api/v1/users', { id: 9, a: 'a2', v: 'mine' })).status).toBe(200);
      expect(await users()).toEqual([before[0], { id: 2, a: 'a2', b: 'b2', v: 'mine' }]);
    });

    test('rows with different columns keep their order, with the defaults of now', async () => {
      await served.load("alter table made alter note set default 'young'");
      const reply = await post(
        '/api/v1/made?select=id,name,n,note',
        [{ name: 'a' }, { name: 'b', n: 2 }, { name: 'c' }, { name: 'd', note: null }],
        'return=representation',
      );
      expect(reply.body).toEqual([
        { id: 1, name: 'a', n: 7, note: 'young' },
        { id: 2, name: 'b', n: 2, note: 'young' },
        { id: 3, name: 'c', n: 7, note: 'young' },
        { id: 4, name: 'd', n: 7, note: null },
      ]);
      expect((await ask('/rest/v1/seen?select=id&order=at')).body).toEqual([1, 2, 3, 4].map((id) => ({ id })));
    });

    test('a PATCH sets the columns that it names and lacks to their default', async () => {
      const patch = async (path: string, prefer: string, body: unknown) =>
        ask(path, {
          method: 'PATCH',
          headers: { 'content-type': 'application/json', prefer: `return=representation${prefer}` },
          body: JSON.stringify(body),
        });
      await post('/api/v1/made', { id: 90, n: 1, note: 'old' }, '');
      const path = '/made?id=eq.90&columns=n,note';
      for (const base of ['/api/v1', '/rest/v1']) {
        const given = await patch(`${base}${path}`, ', missing=null', { n: 1, note: 'old' });
        expect(given.body).toMatchObject([{ n: 1, note: 'old' }]);
        expect((await patch(`${base}${path}`, ', missing=default', { note: 'new' })).body).toMatchObject([
          { n: 7, note: 'new' },
        ]);
        expect((await patch(`${base}${path}`, ', missing=default', {})).body).toMatchObject([{ n: 7, note: 'young' }]);
        expect((await patch(`${base}${path}`, ', missing=null', { n: 2 })).body).toMatchObject([{ n: 2, note: null }]);
      }
    });

    missingContract(() => ({
      send: async (method, path, body, headers) => {
        const init = { method, headers: { 'content-type': 'application/json', ...headers } };
        const reply = await fetch(`${served.base}${path.replace('/made', '/defaults')}`, {
          ...init,
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const text = await reply.text();
        return { status: reply.status, body: text === '' ? '' : (JSON.parse(text) as unknown) };
      },
    }));

    test('the same row twice in a merge, between other columns', async () => {
      const reply = await post('/api/v1/users', [
        { id: 1, v: 'x' },
        { id: 2, a: 'a5' },
        { id: 1, v: 'y' },
      ]);
      expect(reply.status).toBe(400);
    });
  });
});
