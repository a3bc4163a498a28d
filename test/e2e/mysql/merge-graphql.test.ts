import { describeMysql } from '../../support/mysql.js';
import { mergeContract } from '../writes/merge-contract.js';
import { bothWays } from './features.js';
import { serveMysql, type ServedMysql } from './served.js';

const schema = `
  create table teams (id int primary key, name varchar(9));
  create table users (
    id int primary key, a varchar(9), b varchar(9) unique, v varchar(9), team int,
    unique key a_key (a), foreign key (team) references teams (id)
  );`;

describe.each(bothWays)('onConflict of MariaDB%s', (_, environment) => {
  describeMysql('', () => {
    let served: ServedMysql;
    beforeAll(async () => {
      served = await serveMysql(environment, '', schema);
    });
    afterAll(() => served.stop());

    mergeContract(() => ({
      ask: async (document) => (await served.ask(document)).body,
      constraints: { id: 'PRIMARY', a: 'a_key' },
      reset: () =>
        served.load(`delete from users; delete from teams;
          insert into users (id, a, b, v) values (1, 'a1', 'b1', 'v1'), (2, 'a2', 'b2', 'v2');`),
      rows: async () => {
        const { body } = await served.ask('{ found: $Users(orderBy: [{ id: ASC }]) { id a b v } }');
        return (body as { data: { found: readonly unknown[] } }).data.found;
      },
    }));
  });
});
