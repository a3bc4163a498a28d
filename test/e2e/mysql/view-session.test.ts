import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/**
 * A view may call a stored function, which may set variables of the session: reading it must not
 * change what later requests are answered, over the same connection.
 */
const schema = `
create table words (id int primary key, word varchar(2000) not null, written timestamp not null, part decimal(6,2) not null);
insert into words values (1, concat(repeat('a', 1500), 'b'), '2024-01-02 03:04:05', 1), (2, concat(repeat('a', 1500), 'a'), '2024-01-02 03:04:05', 2),
  (3, 'é', '2024-06-02 03:04:05', 2);
create table marks (id int primary key, word_id int not null references words (id), mark varchar(100) not null);
insert into marks values (1, 1, 'one'), (2, 1, 'two'), (3, 2, 'three');
create function who () returns varchar(100) no sql return coalesce(@\`request.user_id\`, 'nobody');
create function spoil () returns int no sql
begin
  set time_zone = '+05:00';
  set sql_select_limit = 1;
  set div_precision_increment = 0;
  set max_sort_length = 64;
  set lc_time_names = 'de_DE';
  set @\`request.user_id\` = 'mallory', @\`request.jwt.claims\` = '{"sub":"mallory"}';
  return 1;
end;
create function cut () returns int no sql begin set group_concat_max_len = 4; return 1; end;
create view cut_texts as select id, cut() as done from words;
create view spoilt as select id, spoil() as done from words;
create view asker as select 1 as id, who() as who;
`;

describeMysql('', () => {
  describe.each([
    ['one statement', '{ $Spoilt { id done } }'],
    ['several lists', '{ a: $Spoilt { done } b: $Words { id } }'],
    ['a connection', '{ $SpoiltConnection { nodes { done } totalCount } }'],
    ['an aggregate', '{ $SpoiltAggregate { max { done } } }'],
    ['a filter', '{ $SpoiltAggregate(where: { done: { eq: 1 } }) { count } }'],
  ])('a function of a view that sets variables of the session, read by %s', (_name, reading) => {
    let served: ServedMysql;
    beforeAll(async () => {
      served = await serveMysql({ APP_DATASOURCE_POOL_SIZE: '1', APP_LOG_LEVEL: 'silent' }, '', schema);
    });
    afterAll(() => served.stop());

    const later = async () => [
      (await served.ask('{ $Asker { who } }')).body,
      (await served.ask('{ $Words(orderBy: { word: ASC }) { id written } }')).body,
      (await served.ask('{ $Words(orderBy: { id: ASC }) { id $Marks { mark } } n: $WordsAggregate { avg { part } } }'))
        .body,
      (await served.rest('words?select=id,written&order=id')).body,
      (await served.rest('asker')).body,
    ];

    test('later answers are those of before', async () => {
      const before = await later();
      expect(before[0]).toEqual({ data: { [`${served.prefix}Asker`]: [{ who: 'nobody' }] } });
      for (let turn = 0; turn < 2; turn += 1) {
        const { body } = await served.ask(reading);
        expect(body).not.toHaveProperty('errors');
        expect(await later()).toEqual(before);
        expect((await served.ask('{ $CutTexts(orderBy: { id: ASC }) { done } }')).body).not.toHaveProperty('errors');
        expect(await later()).toEqual(before);
        expect((await served.rest('spoilt?select=done')).status).toBe(200);
        expect(await later()).toEqual(before);
        expect(
          (await served.rest('spoilt?select=done', { headers: { prefer: 'count=exact', accept: 'text/csv' } })).status,
        ).toBe(200);
        expect(await later()).toEqual(before);
      }
    });
  });
});
