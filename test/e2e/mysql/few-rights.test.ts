import { tablewright } from '../../support/cli.js';
import { describeMysql, loadMysql } from '../../support/mysql.js';
import { scratchFolder } from '../../support/scratch-folder.js';
import { rm } from 'node:fs/promises';
import { serveMysql, type ServedMysql } from './served.js';

/** MariaDB shows a user only a part of the catalogue: the less, the fewer rights the user has. */
const schema = `
  create table authors (id int primary key, name varchar(50), secret varchar(50) default 'hidden');
  create table notes (
    id int primary key auto_increment, author_id int, note text, foreign key (author_id) references authors (id));
  create table other (id int primary key);
  insert into authors (id, name) values (1, 'Ann');
  insert into notes (author_id, note) values (1, 'first');
  create view readable as select id, note from notes;
  create view without_table as select * from other;
  drop table other;
  create table private (id int primary key);`;

const json = { method: 'POST', headers: { 'content-type': 'application/json' } };

describe.each<[string, (user: string, database: string) => string]>([
  ['SELECT on the schema alone', (user, database) => `grant select on \`${database}\`.* to ${user}`],
  [
    'rights to some tables and columns',
    (user) => `
      grant select (id, name), insert (id, name) on authors to ${user}; grant select, insert on notes to ${user};
      grant select on readable to ${user}; grant select on without_definer to ${user};
      grant select on without_table to ${user}`,
  ],
])('a user of MariaDB with %s', (rights, grants) => {
  const isReader = rights.startsWith('SELECT');
  describeMysql('', () => {
    let served: ServedMysql;
    let account: string;
    let address: string;
    beforeAll(async () => {
      served = await serveMysql({ APP_REST_POSTGREST: '/rest/v1' }, '', schema, async ({ name, url }) => {
        account = `few_${name.slice(-10)}@'%'`;
        const gone = `gone_${name.slice(-10)}@localhost`;
        await loadMysql(
          url,
          `create user ${gone}; grant all on \`${name}\`.* to ${gone};
          create definer = ${gone} sql security definer view without_definer as select id, name from authors;
          drop user ${gone}; create user ${account} identified by 'few'; ${grants(account, name)}`,
        );
        const user = new URL(url);
        [user.username, user.password] = [account.replace(/@.*/, ''), 'few'];
        address = user.href;
        return { url: address, config: { names: { schemaPrefix: 'never', relations: 'simple' } } };
      });
    });
    afterAll(async () => {
      await served.load(`drop user ${account}`);
      await served.stop();
    });

    test('has the relations between tables that it sees', async () => {
      const document = '{ notes { note author { name } } authors { name notes { id } } }';
      expect((await served.ask(document)).body).toEqual({
        data: {
          notes: [{ note: 'first', author: { name: 'Ann' } }],
          authors: [{ name: 'Ann', notes: [{ id: 1 }] }],
        },
      });
      const embedded = await fetch(`${served.base}/rest/v1/notes?select=note,authors(name)`);
      expect(await embedded.json()).toEqual([{ note: 'first', authors: { name: 'Ann' } }]);
    });

    test('is told what it may not do, and has what it may', async () => {
      expect((await served.rest('readable')).status).toBe(200);
      const author = { ...json, body: '[{ "id": 2, "name": "Bob" }, { "id": 3, "name": "Cy" }]' };
      expect((await served.rest('authors', author)).status).toBe(isReader ? 403 : 201);
      expect((await served.rest('authors?id=eq.1', { ...json, method: 'PATCH', body: '{"name":"x"}' })).status).toBe(
        403,
      );
      expect((await served.rest('notes?id=eq.1', { method: 'DELETE' })).status).toBe(403);
      expect((await served.rest('authors?select=secret')).status).toBe(isReader ? 200 : 400);
      expect((await served.rest('private')).status).toBe(isReader ? 200 : 404);
    });

    test('views that nobody can read: `generate` names them, and requests say what is wrong', async () => {
      const out = await scratchFolder('few-rights');
      const { code, stderr } = await tablewright(['generate', '--url', address, '--out', out], { cwd: out });
      await rm(out, { recursive: true });
      expect([code, stderr]).toEqual([0, expect.stringMatching(/2 views cannot be read/)]);
      expect(stderr).toMatch(/\.without_definer, .*\.without_table/);
      expect((await served.rest('without_definer')).body).toMatchObject({
        code: '28000',
        message: expect.stringContaining('runs as an account that does not exist') as string,
      });
      expect((await served.rest('without_table')).body).toMatchObject({ code: '42P01' });
    });
  });
});
