import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/**
 * BENCHMARK ends without an error when its statement is stopped. The number behind it is therefore
 * the first to fail, as a missing text is. Every list of books leads to its shelf again, and a
 * digest takes so long that no machine reaches the length that is too long before the time limit.
 */
const schema = `
create table shelves (id int not null primary key, name varchar(40) not null);
create table books (
  id int not null primary key, shelf int not null, body longtext not null,
  digest char(32) as (md5(repeat(char(65 + id), 8000000))) virtual,
  constraint books_shelf foreign key (shelf) references shelves (id)
);
insert into shelves values (1, 'upper'), (2, 'lower');
insert into books (id, shelf, body) select seq, 1, 'short' from seq_1_to_30;
insert into books (id, shelf, body) select 100 + seq, 2, repeat('x', 1048576) from seq_1_to_30;
create view slow as select id, if(benchmark(100000000000, md5('x')) = 0, ~0 + id, id) as number from shelves;
create view high as select id, ~0 + id as number from shelves;
`;

describeMysql('a read of MariaDB that fails while it makes its text', () => {
  /** 30 MiB of text may take longer than the time limit that one of the tests reaches. */
  let limited: ServedMysql;
  let served: ServedMysql;

  beforeAll(async () => {
    limited = await serveMysql({ APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '5000' }, '', schema);
    served = await serveMysql({ APP_DATASOURCE_STATEMENT_TIMEOUT_MS: '600000' }, '', schema);
  });

  afterAll(async () => {
    await limited.stop();
    await served.stop();
  });

  const books = Array.from({ length: 6 }).reduce<string>((inner) => `id,books(digest,shelves(${inner}))`, 'id');

  const failures = async (server: ServedMysql, path: string, document: string): Promise<unknown> => {
    const rest = await server.rest(path);
    const { status, body } = await server.ask(document);
    const { errors } = body as { readonly errors?: readonly { readonly extensions: { readonly code: string } }[] };
    return {
      rest: [rest.status, (rest.body as { code?: string }).code],
      graphql: [status, errors?.[0]?.extensions.code],
    };
  };

  test('because of its time limit is a timeout, over both protocols', async () => {
    const timeout = { rest: [504, '57014'], graphql: [200, '57014'] };
    expect(await failures(limited, 'slow', '{ $Slow { number } }')).toEqual(timeout);
    const deep = await limited.rest(`shelves?id=eq.1&select=${books}`);
    expect([deep.status, deep.body]).toEqual([504, expect.objectContaining({ code: '57014' })]);
  });

  test('because the text is too long for the database, or a number too high, says so', async () => {
    const tooLarge = { rest: [500, 'TW011'], graphql: [200, 'TW011'] };
    expect(await failures(served, 'high', '{ $High { number } }')).toEqual(tooLarge);
    expect(
      await failures(
        served,
        'shelves?id=eq.2&select=id,books(body)',
        '{ $Shelves(where: {id: {eq: 2}}) { $Books { body } } }',
      ),
    ).toEqual(tooLarge);
  });
});
