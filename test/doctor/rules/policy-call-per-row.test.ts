import { openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('policy-call-per-row');
const start = `
  create function uid() returns int language sql stable as $$ select nullif(current_setting('request.user_id', true), '')::int $$;
  create function may(owner int) returns boolean language sql stable as 'select owner = 1';
  create function two() returns int language sql immutable as 'select 2';
  create table members (note int, uid int, primary key (note, uid));
  create table notes (id int primary key, owner int, name text);
  alter table notes enable row level security;`;

test('functions of the database and current_setting are found, and the SQL mends them', async () => {
  const findings = await examine(`${start}
    create policy a on notes for select using (owner = uid());
    create policy b on notes for insert with check (name = nullif(current_setting('request.user_id', true), ''));
    create policy c on notes for update using (exists (select from members m where m.note = notes.id and m.uid = uid()))`);
  expect(seen(findings)).toEqual(
    ['a', 'b', 'c'].map((name) => ({
      severity: 'warning',
      object: `app.notes.${name}`,
      message: `The policy ${name} of app.notes calls a function for each row.`,
    })),
  );
  expect(sqlOf(findings)[0]).toBe('alter policy "a" on "app"."notes" using ((owner = (SELECT app.uid())));');
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('a policy with a cast that fails on the empty text is mended in both ways at once', async () => {
  const findings = await examine(`${start}
    create policy a on notes using (owner = current_setting('request.user_id', true)::int)`);
  expect(sqlOf(findings)).toEqual([
    `alter policy "a" on "app"."notes" using ((owner = (SELECT (NULLIF(current_setting('request.user_id'::text, true), ''))::integer)));`,
  ]);
});

test('sub-selects of their own, functions of the row and immutable functions are fine', async () => {
  const findings = await examine(`${start}
    create policy a on notes using (owner = (select uid()));
    create policy b on notes using (may(owner));
    create policy c on notes using (owner = two());
    create policy d on notes using (lower(name) = 'x')`);
  expect(findings).toEqual([]);
});
