import pg from 'pg';
import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend, role, url } = openClinic('policy-cast-without-nullif');

const flawed = `
  create table notes (id int primary key, "Owner" int);
  alter table notes enable row level security;
  create policy "own notes" on notes using ("Owner" = current_setting('request.user_id', true)::int)
    with check ("Owner" = current_setting('request.user_id', true)::int)`;

test('it is found, and its SQL mends it: what failed on a warm connection answers', async () => {
  const findings = await examine(flawed);
  expect(seen(findings)).toEqual([
    {
      severity: 'error',
      object: 'app.notes.own notes',
      message: "The policy own notes of app.notes casts current_setting(…) without NULLIF(…, '').",
    },
  ]);
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  try {
    await client.query(`insert into app.notes values (1, 1); set role ${role}; set request.user_id = ''`);
    const ask = async (): Promise<unknown> => (await client.query('select id from app.notes')).rows;
    await expect(ask()).rejects.toMatchObject({ code: '22P02' });
    await mend(findings);
    expect(await ask()).toEqual([]);
    await client.query("set request.user_id = '1'");
    expect(await ask()).toEqual([{ id: 1 }]);
  } finally {
    await client.end();
  }
  expect(await again()).toEqual([]);
});

test('so are claims as JSON, and casts to an enum', async () => {
  const findings = await examine(`
    create type mood as enum ('good', 'bad');
    create table notes (id int primary key, owner text, mood mood);
    alter table notes enable row level security;
    create policy claims on notes using (owner = current_setting('request.jwt.claims', true)::json ->> 'sub');
    create policy mood on notes using (mood = current_setting('request.mood', true)::mood)`);
  expect(seen(findings).map(({ object }) => object)).toEqual(['app.notes.claims', 'app.notes.mood']);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('so is a function that policies call; only its cast is changed', async () => {
  const findings = await examine(`
    create function uid() returns int language sql stable as $$ select current_setting('request.user_id', true)::int $$;
    create function unasked() returns int language sql stable as $$ select current_setting('request.user_id', true)::int $$;
    create table notes (id int primary key, owner int);
    alter table notes enable row level security;
    create policy own on notes using (owner = (select uid()))`);
  expect(seen(findings).map(({ object }) => object)).toEqual(['app.uid']);
  expect(sqlOf(findings).join()).toContain("$ select NULLIF(current_setting('request.user_id', true), '')::int $");
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('NULLIF, a cast to text and CASE are fine', async () => {
  const findings = await examine(`
    create table notes (id int primary key, owner int, name text);
    alter table notes enable row level security;
    create policy a on notes using (owner = nullif(current_setting('request.user_id', true), '')::int);
    create policy b on notes using (name = current_setting('request.user_id', true)::text);
    create policy c on notes using (
      case when current_setting('request.user_id', true) ~ '^[0-9]+$' then owner = current_setting('request.user_id', true)::int end)`);
  expect(findings).toEqual([]);
});
