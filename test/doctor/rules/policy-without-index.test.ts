import { objectsOf, openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('policy-without-index');
const start = `
  create function uid() returns int language sql stable as 'select 1';
  create table members (id int primary key, note int, uid int);
  create table notes (id int primary key, owner int, tenant int, name varchar(9), shared boolean, "Reader" int);
  alter table notes enable row level security;`;

test('a compared column is found once, and its SQL mends it', async () => {
  const findings = await examine(`${start}
    create policy a on notes for select using ("Reader" = (select uid()) or owner = (select uid()));
    create policy b on notes for update using (owner = (select uid()))`);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: 'app.notes.Reader',
      message: 'No index begins with app.notes.Reader, which is compared by the policy a of app.notes.',
    },
    {
      severity: 'warning',
      object: 'app.notes.owner',
      message:
        'No index begins with app.notes.owner, which is compared by the policies a of app.notes and b of app.notes.',
    },
  ]);
  expect(sqlOf(findings)[0]).toBe('create index concurrently on "app"."notes" ("Reader");');
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('so is what a sub-select reads', async () => {
  const findings = await examine(`${start}
    create policy a on notes using (id in (select m.note from members m where m.uid = (select uid())))`);
  expect(objectsOf(findings)).toEqual(['app.members.uid']);
});

test('one of several columns joined by AND is enough', async () => {
  const findings = await examine(`${start}
    create index on notes (owner, tenant);
    create policy a on notes using (tenant = (select uid()) and owner = (select uid()))`);
  expect(findings).toEqual([]);
});

test('where every row is looked at anyway there is nothing to index', async () => {
  const findings = await examine(`${start}
    create policy a on notes using (shared or owner = (select uid()));
    create policy b on notes using (owner = (select uid()));
    create table others (id int primary key, kind text);
    alter table others enable row level security;
    create policy a on others using (kind = 'x')`);
  expect(findings).toEqual([]);
});

test('a varchar is compared as text and its index serves; another cast is no case for this rule', async () => {
  const findings = await examine(`${start}
    create policy a on notes using (name = (select current_setting('x', true)));
    create policy b on notes using (owner::text = (select current_setting('x', true)))`);
  expect(objectsOf(findings)).toEqual(['app.notes.name']);
  await mend(findings);
  expect(await again()).toEqual([]);
});
