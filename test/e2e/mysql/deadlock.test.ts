import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/** `pauses` gives the other request the time to take its first row. */
const schema = `
  create table accounts (id int primary key, balance int not null);
  insert into accounts values (1, 0), (2, 0);
  create function pauses() returns int modifies sql data return sleep(1);
  create procedure moves(in source int, in target int)
  begin
    update accounts set balance = balance + 1 where id = source;
    do sleep(1);
    update accounts set balance = balance + 1 where id = target;
  end;
`;

describeMysql('two requests that wait for each other on MariaDB', () => {
  let served: ServedMysql;
  beforeAll(async () => {
    served = await serveMysql({ APP_REST_POSTGREST: '/rest/v1' }, '', schema, ({ name }) => ({
      config: { 'app.rest.procedures': true, functions: [`${name}.pauses`] },
    }));
  });
  afterAll(() => served.stop());

  const balances = async (): Promise<unknown> => (await served.rest('accounts?select=balance&order=id')).body;
  const reset = () => served.load('update accounts set balance = 0');

  const raise = (id: number): string =>
    `a${String(id)}: update$$Accounts(where: {id: {eq: ${String(id)}}}, input: {}, inc: {balance: 1}) { id }`;
  const document = (first: number, second: number): string =>
    `mutation { ${raise(first)} call$$Pauses ${raise(second)} }`;

  test('one document is kept, and the other says 40P01 and has written nothing', async () => {
    await reset();
    const answers = await Promise.all([served.ask(document(1, 2)), served.ask(document(2, 1))]);
    const failed = answers.filter(({ body }) => JSON.stringify(body).includes('errors'));
    expect(failed.map(({ status }) => status)).toEqual([200]);
    expect(failed[0]?.body).toMatchObject({ data: null, errors: [{ extensions: { code: '40P01' } }] });
    expect(await balances()).toMatchObject({ data: [{ balance: 1 }, { balance: 1 }] });
    // The client repeats it.
    expect((await served.ask(document(2, 1))).body).not.toHaveProperty('errors');
    expect(await balances()).toMatchObject({ data: [{ balance: 2 }, { balance: 2 }] });
  });

  // PostgREST answers 500 for every rollback of a transaction.
  test.each([
    ['api/v1', 409],
    ['rest/v1', 500],
  ])('over REST at /%s it is %d, and nothing is written', async (mount, refused) => {
    await reset();
    const move = (source: number, target: number) =>
      fetch(`${served.base}/${mount}/rpc/moves`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ source, target }),
      });
    const answers = await Promise.all([move(1, 2), move(2, 1)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, refused]);
    const failed = answers.find(({ status }) => status === refused);
    expect(await failed?.json()).toMatchObject({ code: '40P01' });
    if (refused === 409) expect(failed?.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await balances()).toMatchObject({ data: [{ balance: 1 }, { balance: 1 }] });
    // Its connection is used again.
    for (let turn = 0; turn < 10; turn += 1)
      expect((await served.rest('accounts?select=id&order=id')).status).toBe(200);
  });
});
