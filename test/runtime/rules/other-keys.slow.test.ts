import { variantsWhere } from '../../support/describe-where.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled } from './support/ruled.js';

/**
 * A hidden row that is met in a unique index that is not a key of the model stays as it is, and
 * both databases tell the same about it. Columns that are not a key find no hidden row.
 */
const table = `create table accounts (id int primary key, email varchar(100), v int, owner varchar(20) not null default 'ada'`;
const values = `insert into accounts values (1, 'abcdefghij-one', 1, 'bob'), (2, 'mine', 2, 'ada');`;

const databases: readonly (readonly [string, OpenRuled, string])[] = [
  ['PostgreSQL', onPostgres, `${table}); create unique index on accounts (left(email, 10)); ${values}`],
  ...variantsWhere('mariadb', 'MariaDB').map(
    (name) => [name, onMysql, `${table}, unique (email(10))); ${values}`] as const,
  ),
];

describe.each(databases)('hidden rows in other unique indexes on %s', (_, open, sql) => {
  let served: Ruled;
  beforeAll(async () => {
    served = await open({
      name: 'other_keys',
      sql,
      rules: (schema) => ({
        [`${schema}.accounts`]: { read: { owner: { eq: { claim: 'userId' } } }, hide: ['owner'] },
      }),
      environment: { APP_REST_POSTGREST: '/rest/v1' },
    });
  });
  afterAll(() => served.stop());

  const rows = () => served.rows('select id, email, v, owner from shop.accounts order by id');
  const post = async (mount: string, path: string, body: object, prefer: string) => {
    const { status, body: answer } = await served.rest({ sub: 'ada' }, 'POST', path, body, prefer, mount);
    return { status, answer };
  };

  describe.each(['/api/v1', '/rest/v1'])('at %s', (mount) => {
    test.each(['resolution=merge-duplicates', 'resolution=ignore-duplicates'])('%s', async (prefer) => {
      const before = await rows();
      const row = { id: 9, email: 'abcdefghij-two', v: 9 };
      const taken = await post(mount, 'accounts?on_conflict=id', row, prefer);
      expect(taken).toMatchObject({ status: 409, answer: { code: '23505' } });
      expect(JSON.stringify(taken.answer)).not.toMatch(/abcdefghij|bob/);
      for (const [column, value] of [
        ['v', 1],
        ['v', 7],
        ['email', 'abcdefghij-one'],
        ['email', 'nobody'],
      ] as const) {
        const reply = await post(mount, `accounts?on_conflict=${column}`, { id: 9, [column]: value }, prefer);
        expect(reply).toMatchObject({ status: 400, answer: { code: '42P10' } });
      }
      expect(await rows()).toEqual(before);
    });
  });

  test('a merge by the primary key, with and without on_conflict', async () => {
    const before = await rows();
    for (const mount of ['/api/v1', '/rest/v1']) {
      const row = { id: 9, email: 'abcdefghij-two', v: 9 };
      const reply = await post(mount, 'accounts', row, 'resolution=merge-duplicates');
      expect(reply).toMatchObject({ status: 409, answer: { code: '23505' } });
    }
    expect(await rows()).toEqual(before);
  });
});
