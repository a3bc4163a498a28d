import { describeMysql } from '../../support/mysql.js';
import { until } from '../../support/until.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

/** Cursors from before their column has changed its type. */
const schema = `
  create table counts (id int primary key, place int);
  insert into counts select seq, seq * 10 from seq_1_to_9;
  create table days (id int primary key, place date);
  insert into days select seq, date '2024-01-01' + interval seq day from seq_1_to_9;
  create table names (id int primary key, place varchar(20));
  insert into names select seq, concat('p', seq) from seq_1_to_9;
  create table moods (id int primary key, place varchar(20));
  insert into moods select seq, concat('p', seq) from seq_1_to_9;`;

describe.each(bothWays)('cursors of MariaDB%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    beforeAll(async () => {
      served = await serveMysql({ ...environment, APP_DRIFT_PROBE_MS: '100' }, '', schema);
    });
    afterAll(() => served.stop());

    interface Page {
      readonly data?: {
        readonly found: {
          readonly nodes: readonly { readonly id: number }[];
          readonly pageInfo: { readonly endCursor: string };
        };
      } | null;
      readonly errors?: readonly { readonly message: string }[];
    }
    const page = async (table: string, after?: string): Promise<Page> => {
      const given = after === undefined ? '' : `, after: "${after}"`;
      const document = `{ found: $${table}Connection(orderBy: [{ place: ASC }], first: 2${given}) { nodes { id } pageInfo { endCursor } } }`;
      return (await served.ask(document)).body as Page;
    };

    /** The page after that of the former type, once the server knows the new one. */
    async function after(table: string, change: string): Promise<Page> {
      const { data } = await page(table);
      const typeOf = async (): Promise<string> =>
        (await served.ask(`{ __type(name: "$$${table}") { fields { name type { name } } } }`)).text;
      const former = await typeOf();
      await served.load(`alter table ${table.toLowerCase()} ${change}`);
      await until(async () => (await typeOf()) !== former);
      return page(table, data?.found.pageInfo.endCursor);
    }

    test.each([
      ['Counts', 'modify place decimal(10, 2)'],
      ['Days', 'modify place datetime'],
    ])('goes on where its value converts: %s', async (table, change) => {
      const nodes = [{ id: 3 }, { id: 4 }];
      expect(await after(table, change)).toEqual({
        data: { found: { nodes, pageInfo: expect.anything() as unknown } },
      });
    });

    test.each([
      ['Names', 'drop place, add place int as (id) stored'],
      ['Moods', "drop place, add place enum('a', 'b') default 'b'"],
    ])('is refused where it does not: %s', async (table, change) => {
      const { errors } = await after(table, change);
      expect(errors?.[0]?.message).toBe('The cursor has a value that its column cannot have.');
    });
  });
});
