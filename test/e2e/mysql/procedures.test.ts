import { describeMysql } from '../../support/mysql.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

/** The words for data access are advice to MariaDB: it checks none of them. */
const schema = `
  create table items (id int primary key, n int);
  insert into items values (1, 5), (2, 7);
  create procedure total(out sum int) reads sql data
  begin
    create temporary table doubled (n int);
    insert into doubled select n * 2 from items;
    select sum(d.n) into sum from doubled d;
    drop temporary table doubled;
  end;
  create procedure raise_all(in step int) no sql
  begin
    update items set n = n + step;
  end;
  create procedure commits(in step int) reads sql data
  begin
    start transaction;
    update items set n = n + step;
    commit;
    update items set n = n + step;
  end;`;

describe.each(bothWays)('a server of a MariaDB database%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    beforeAll(async () => {
      served = await serveMysql(environment, '', schema);
    }, 120_000);
    afterAll(() => served.stop());

    test('calls procedures that write, whatever they say of their access', async () => {
      const upper = `${served.prefix.charAt(0).toUpperCase()}${served.prefix.slice(1)}`;
      const call = async (name: string, given = ''): Promise<unknown> => {
        const { body } = await served.ask(`mutation { answer: call${upper}${name}${given} }`);
        const { data } = body as { readonly data?: { readonly answer: string } };
        return data === undefined ? body : JSON.parse(data.answer);
      };
      expect(await call('Total')).toEqual({ sum: 24 });
      expect(await call('RaiseAll', '(step: 1)')).toEqual({ result: 'OK' });
      expect(await call('Total')).toEqual({ sum: 28 });
      expect(await call('Commits', '(step: 1)')).toEqual({ result: 'OK' });
      expect(await call('Total')).toEqual({ sum: 36 });
    });
  });
});
