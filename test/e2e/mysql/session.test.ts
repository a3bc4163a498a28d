import { generateKeyPairSync } from 'node:crypto';
import { SignJWT } from 'jose';
import { describeMysql } from '../../support/mysql.js';
import { serveMysql, type ServedMysql } from './served.js';

/** Restricts rows to their owner, as docs/mysql.md advises operators. */
const views = `
create function request_user_id () returns varchar(255) deterministic no sql return @request.user_id;
create table secrets (id int auto_increment primary key, owner varchar(255) not null, body varchar(100));
create view my_secrets as select id, owner, body from secrets where owner = request_user_id() with check option;
insert into secrets (owner, body) values ('ann', 'of ann'), ('bo', 'of bo'), ('bo', 'also of bo');
create table notes (id int auto_increment primary key, body varchar(100));
create table seen (id int auto_increment primary key, sent int, in_transaction int, user varchar(255));
create trigger notes_after after insert on notes for each row insert into seen (sent, in_transaction, user)
  select variable_value, @@in_transaction, @request.user_id from information_schema.session_status where variable_name = 'QUESTIONS';
create procedure who_am_i (out who varchar(255)) begin set who = coalesce(request_user_id(), 'nobody'); end;
`;

describeMysql('who asks a server of a MariaDB database', () => {
  let served: ServedMysql;
  const tokens = new Map<string, string>();

  beforeAll(async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    for (const user of ['ann', 'bo']) {
      const token = new SignJWT({}).setProtectedHeader({ alg: 'EdDSA' }).setSubject(user).setExpirationTime('1h');
      tokens.set(user, await token.sign(privateKey));
    }
    served = await serveMysql(
      {
        APP_SECURITY_JWT_ENABLED: 'true',
        APP_SECURITY_AUTH_PUBLIC_KEY: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
        APP_DATASOURCE_POOL_SIZE: '2',
        APP_DATASOURCE_ACQUIRE_TIMEOUT_MS: '600000',
      },
      views,
    );
  });

  afterAll(() => served.stop());

  const as = (user: string): Readonly<Record<string, string>> => {
    const token = tokens.get(user);
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  };

  test('rows of a view are those of the one who asks, over both protocols and at the same time', async () => {
    const asked = Array.from({ length: 60 }, async (_, at) => {
      const user = ['ann', 'bo', 'nobody'][at % 3] ?? '';
      const { body } = await served.ask('{ rows: $MySecrets(orderBy: {id: ASC}) { body } }', as(user));
      const { rows } = (body as { readonly data: { readonly rows: readonly { readonly body: string }[] } }).data;
      return [user, rows.map(({ body: text }) => text)];
    });
    const expected = { ann: ['of ann'], bo: ['of bo', 'also of bo'], nobody: [] };
    for (const [user, rows] of await Promise.all(asked)) {
      expect(rows).toEqual(expected[user as keyof typeof expected]);
    }
    const { body } = await served.rest('my_secrets?select=body', { headers: as('ann') });
    expect(body).toMatchObject({ data: [{ body: 'of ann' }] });
  });

  test('a new row is one statement to the database, in a transaction and with its user', async () => {
    const create = {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...as('ann') },
      body: '{"body":"x"}',
    };
    for (let row = 1; row <= 3; row += 1) expect((await served.rest('notes', create)).status).toBe(201);
    const { body } = await served.rest('seen?select=sent,in_transaction,user&order=id');
    const { data } = body as { readonly data: readonly { readonly sent: number }[] };
    const [first = 0] = data.map(({ sent }) => sent);
    expect(data).toEqual([0, 1, 2].map((more) => ({ sent: first + more, in_transaction: 1, user: 'ann' })));
  });

  test('a row of somebody else cannot be written, changed or deleted', async () => {
    const send = (user: string, method: string, path: string, row?: unknown) =>
      served.rest(path, {
        method,
        headers: { 'content-type': 'application/json', prefer: 'return=minimal', ...as(user) },
        ...(row === undefined ? {} : { body: JSON.stringify(row) }),
      });
    const foreign = await send('ann', 'POST', 'my_secrets', { owner: 'bo', body: 'not mine' });
    expect([foreign.status, foreign.body]).toEqual([403, expect.objectContaining({ code: '42501' })]);
    expect((await send('ann', 'POST', 'my_secrets', { owner: 'ann', body: 'mine' })).status).toBe(204);
    expect((await send('ann', 'PATCH', 'my_secrets?body=eq.of%20bo', { body: 'taken' })).status).toBe(204);
    expect((await send('ann', 'DELETE', 'my_secrets?owner=eq.bo')).status).toBe(204);
    const { body } = await served.rest('my_secrets?select=body&order=id', { headers: as('bo') });
    expect(body).toMatchObject({ data: [{ body: 'of bo' }, { body: 'also of bo' }] });
  });

  test('a procedure knows who calls it, and nobody is nobody again afterwards', async () => {
    for (const [user, who] of [
      ['ann', 'ann'],
      ['nobody', 'nobody'],
      ['bo', 'bo'],
    ] as const) {
      const { body } = await served.ask('mutation { call: call$$WhoAmI }', as(user));
      expect(body).toEqual({ data: { call: JSON.stringify({ who }) } });
    }
  });
});
