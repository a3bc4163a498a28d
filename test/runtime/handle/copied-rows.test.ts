import { describeMysql } from '../../support/mysql.js';
import { onMysql, onPostgres, type Ruled } from '../rules/support/ruled.js';

/** Hooks that write what they read: `current()` for an update, a Buffer for new rows. */
const custom = (schema: string): string => `
  import { Router } from 'express';
  const seen = [];
  export const custom = {
    hooks: {
      '${schema}.files': {
        beforeInsert: ({ rows }) => rows.map((row) => ({ ...row, content: Buffer.from([0, 255]) })),
        afterInsert: ({ rows }) => { seen.push(...rows); },
        beforeUpdate: async ({ set, current }) => ({ ...(await current())[0], ...set }),
      },
    },
    routes: [Router().get('/seen', (_request, response) => { response.json(seen.splice(0)); })],
  };`;

const databases = [
  {
    name: 'PostgreSQL',
    describeHere: describe,
    open: onPostgres,
    types: 'content bytea, done boolean, shown boolean, data jsonb, flags bit(8), at timestamptz(3)',
    given: () => ({}),
    later: '',
    seen: { done: true, shown: false },
  },
  {
    name: 'MariaDB',
    describeHere: describeMysql,
    open: onMysql,
    types: 'content blob, done tinyint(1), shown bit(1), data longtext, flags bit(8), at timestamp(3) null',
    given: (schema: string) => ({
      types: { 'tinyint(1)': 'boolean', 'bit(1)': 'boolean', [`${schema}.files.data`]: 'json' },
    }),
    // A number that a client cannot write, and a text that is no JSON.
    later: `update files set done = 2, data = 'text' where id = 2`,
    seen: { done: 1, shown: 0 },
  },
] as const;

describe.each(databases)('on $name', ({ describeHere, open, types, given, later, seen }) => {
  describeHere('rows of hooks', () => {
    let served: Ruled;
    beforeAll(async () => {
      served = await open({
        name: 'copied',
        sql: `create table folders (id int primary key);
          create table files (id int primary key, ${types}, note varchar(20), folder int, foreign key (folder) references folders (id));`,
        rules: () => ({}),
        config: given,
        custom,
      });
    });
    afterAll(() => served.stop());

    const sent = {
      done: true,
      shown: false,
      data: { a: [1, 'x'] },
      flags: '10000101',
      at: '2024-02-29T20:00:00.125+00:00',
    };
    const content = '\\x00ff';

    test('an update may write the values of current() again', async () => {
      const row = { id: 1, ...sent, note: null, folder: null, content };
      expect((await served.rest(null, 'POST', 'files', { id: 1, ...sent }, 'return=representation')).body).toEqual(row);
      const { text } = await served.send(null, 'GET', '/seen', {});
      expect(JSON.parse(text)).toMatchObject([{ ...seen, data: sent.data }]);
      const patched = await served.rest(null, 'PATCH', 'files?id=eq.1', { note: 'new' }, 'return=representation');
      expect(patched.body).toEqual([{ ...row, note: 'new' }]);
      await served.rest(null, 'POST', 'files', { ...sent, id: 2, data: 'text' });
      if (later !== '') await served.rows(later);
      const { data } = await served.ask(null, 'mutation { updateFiles(id: 2, input: {note: "n"}) { done data note } }');
      expect(data).toEqual({ updateFiles: [{ done: true, data: 'text', note: 'n' }] });
    });

    test('rows inside new and updated rows may have bytes', async () => {
      expect(
        await served.ask(
          null,
          `mutation {
            createFolders(input: {id: 1, files: {data: [{id: 11}]}}) { files { content } }
            updateFolders(id: 1, input: {files: {create: [{id: 12}]}}) { files(where: {id: {eq: 12}}) { content } }
          }`,
        ),
      ).toEqual({
        data: { createFolders: { files: [{ content }] }, updateFolders: [{ files: [{ content }] }] },
      });
    });
  });
});
