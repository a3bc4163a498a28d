import { describeMysql } from '../../support/mysql.js';
import { onMysql, onPostgres, type OpenRuled, type Ruled } from './support/ruled.js';

/** Rules see a new row as it is kept: with its defaults, and after triggers. */
const tables = `
  create table notes (id {id}, owner varchar(40) not null default 'nobody', team varchar(40), body varchar(40), size int);
  create table checked (id {id}, owner varchar(40), body varchar(40));
  create table items (id {id}, note_id int references notes (id), owner varchar(40));
`;

const onBoth: Readonly<Record<'postgres' | 'mysql', string>> = {
  postgres: `${tables}
    create function sets_owner() returns trigger language plpgsql as $f$ begin
      if new.body = 'as bob' then new.owner := 'bob'; end if;
      if new.body = 'as ann' then new.owner := 'ann'; end if;
      if new.body = 'skip' then return null; end if;
      return new; end $f$;
    create trigger sets_owner before insert on notes for each row execute function sets_owner();
    create function gives_away() returns trigger language plpgsql as $f$ begin
      if new.body = 'given away' then update shop.checked set owner = 'bob' where id = new.id; end if;
      return null; end $f$;
    create trigger gives_away after insert on checked for each row execute function gives_away();
  `,
  mysql: `${tables}
    create trigger sets_owner before insert on notes for each row
      set new.owner = case new.body when 'as bob' then 'bob' when 'as ann' then 'ann' else new.owner end;
  `,
};

const suite = (open: OpenRuled, kind: 'postgres' | 'mysql'): void => {
  let ruled: Ruled;
  const ann = { sub: 'ann', teams: ['red', 'blue'] };
  beforeAll(async () => {
    const mine = { owner: { eq: { claim: 'userId' } } };
    ruled = await open({
      name: 'trigger_rules',
      sql: onBoth[kind],
      rules: (schema) => ({
        [`${schema}.notes`]: {
          read: true,
          write: { and: [{ or: [mine, { team: { in: { claim: 'teams' } } }] }, { not: { size: { gt: 9 } } }] },
        },
        [`${schema}.checked`]: { read: true, write: mine },
        [`${schema}.items`]: { read: true, write: mine },
      }),
    });
  });
  afterAll(() => ruled.stop());
  afterEach(() => ruled.rows('delete from shop.items').then(() => ruled.rows('delete from shop.notes')));

  const post = async (table: string, body: unknown, prefer?: string) =>
    (await ruled.rest(ann, 'POST', table, body, prefer)).status;
  const count = async (table: string): Promise<number> => (await ruled.rows(`select id from shop.${table}`)).length;

  test('BEFORE triggers and defaults', async () => {
    expect(await post('notes', { owner: 'ann', body: 'mine', size: 1 })).toBe(201);
    expect(await post('notes', { owner: 'ann', body: 'as bob', size: 1 })).toBe(403);
    expect(await post('notes', { owner: 'bob', body: 'as ann', size: 1 })).toBe(201);
    expect(await post('notes', { body: 'default', size: 1 })).toBe(403);
    expect(await count('notes')).toBe(2);
  });

  test('comparisons with null, lists of claims, and not', async () => {
    expect(await post('notes', { owner: 'ann', body: 'no size' })).toBe(403);
    expect(await post('notes', { owner: 'ann', body: 'too large', size: 10 })).toBe(403);
    expect(await post('notes', { owner: 'bob', team: 'blue', size: 1 })).toBe(201);
    expect(await post('notes', { owner: 'bob', team: 'green', size: 1 })).toBe(403);
    expect(await post('notes', { owner: 'ANN', size: 1 })).toBe(403);
    expect((await ruled.rest(null, 'POST', 'notes', { owner: 'ann', size: 1 })).status).toBe(403);
    expect(await count('notes')).toBe(1);
  });

  test('one row among many, of the same and of different columns', async () => {
    const good = { owner: 'ann', size: 1 };
    expect(await post('notes', [good, good, { owner: 'bob', size: 1 }, good])).toBe(403);
    expect(await post('notes', [good, { owner: 'ann', size: 1, body: 'as bob' }])).toBe(403);
    expect(await count('notes')).toBe(0);
    expect(
      await post('notes', [good, { ...good, body: 'other columns' }, { ...good, team: 'x' }], 'return=representation'),
    ).toBe(201);
    expect(await count('notes')).toBe(3);
  });

  test('upserts, nested rows, and several writes of one document', async () => {
    await ruled.rows("insert into shop.notes (id, owner, size) values (1, 'ann', 1), (2, 'bob', 1)");
    const merge = 'resolution=merge-duplicates';
    expect(await post('notes', { id: 1, owner: 'ann', body: 'merged', size: 2 }, merge)).toBeLessThan(300);
    expect(await post('notes', { id: 2, owner: 'ann', body: 'taken', size: 2 }, merge)).toBe(403);
    const nested = (owner: string, inner: string) =>
      ruled.ask(
        ann,
        `mutation { createNotes(input: {owner: "${owner}", size: 1, items: {data: [{owner: "${inner}"}]}}) { id items { owner } } }`,
      );
    expect(await nested('ann', 'bob')).toMatchObject({ errors: [{ extensions: { code: 'TW016' } }] });
    expect(await nested('bob', 'ann')).toMatchObject({ errors: [{ extensions: { code: 'TW016' } }] });
    expect(await nested('ann', 'ann')).toMatchObject({ data: { createNotes: { items: [{ owner: 'ann' }] } } });
    const two = await ruled.ask(
      ann,
      'mutation { a: createNotes(input: {owner: "ann", size: 1}) { id } b: createNotes(input: {owner: "bob", size: 1}) { id } }',
    );
    expect(two).toMatchObject({ data: null, errors: [{ path: ['b'], extensions: { code: 'TW016' } }] });
    expect(await ruled.rows('select owner, body from shop.notes order by id')).toMatchObject([
      { owner: 'ann', body: 'merged' },
      { owner: 'bob', body: null },
      { owner: 'ann' },
    ]);
  });

  if (kind === 'postgres') {
    test('AFTER triggers that change the row, and BEFORE triggers that leave it out', async () => {
      expect(await post('checked', { owner: 'ann', body: 'kept' })).toBe(201);
      expect(await post('checked', { owner: 'ann', body: 'given away' })).toBe(403);
      expect(await post('checked', { owner: 'bob', body: 'kept' })).toBe(403);
      expect(await count('checked')).toBe(1);
      expect(await post('notes', { owner: 'ann', body: 'skip', size: 1 })).toBeLessThan(300);
      expect(await count('notes')).toBe(0);
    });

    test('an AFTER trigger that the server does not know yet', async () => {
      await ruled.rows(`create function shop.sends() returns trigger language plpgsql as $f$ begin
          update shop.items set owner = 'bob' where id = new.id; return null; end $f$`);
      expect(await post('items', { owner: 'ann' })).toBe(201);
      await ruled.rows('create trigger sends after insert on shop.items for each row execute function shop.sends()');
      expect(await post('items', { owner: 'ann' })).toBe(403);
      expect(await count('items')).toBe(1);
    });
  }
};

describe('rules and triggers on PostgreSQL', () => {
  suite(onPostgres, 'postgres');
});

describeMysql('rules and triggers on MariaDB', () => {
  suite(onMysql, 'mysql');
});
