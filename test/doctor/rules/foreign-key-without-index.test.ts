import { objectsOf, openClinic, seen, sqlOf } from '../../support/doctor.js';

const { examine, again, mend } = openClinic('foreign-key-without-index');

test('a foreign key without an index is found, and its SQL mends it', async () => {
  const findings = await examine(`
    create table parents (a int, b int, primary key (a, b));
    create table "Child's" (id int primary key, "A" int, b int, constraint up foreign key ("A", b) references parents)`);
  expect(seen(findings)).toEqual([
    {
      severity: 'warning',
      object: "app.Child's.up",
      message: "app.Child's (A, b) references app.parents, and no index begins with them.",
    },
  ]);
  expect(sqlOf(findings)).toEqual([`create index concurrently on "app"."Child's" ("A", "b");`]);
  await mend(findings);
  expect(await again()).toEqual([]);
});

test('an index that begins with its columns, in any order or of the rows that have one, serves', async () => {
  const findings = await examine(`
    create table parents (a int, b int, primary key (a, b), c int unique);
    create table children (a int, b int, c int references parents (c), d int references parents (c),
      foreign key (a, b) references parents, primary key (b, a));
    create index on children (c) where c is not null;
    create index on children using hash (d)`);
  expect(findings).toEqual([]);
});

test('an index of some rows, or one that begins with something else, does not', async () => {
  const findings = await examine(`
    create table parents (id int primary key);
    create table children (id int primary key, x int references parents, y int references parents);
    create index on children (x) where x > 5;
    create index on children (id, y)`);
  expect(objectsOf(findings)).toEqual(['app.children.children_x_fkey', 'app.children.children_y_fkey']);
});

test('on a partitioned table the index is not made concurrently, because PostgreSQL refuses that', async () => {
  const findings = await examine(`
    create table parents (id int primary key);
    create table children (id int, parent int references parents, primary key (id)) partition by range (id);
    create table children_1 partition of children for values from (0) to (10)`);
  expect(sqlOf(findings)).toEqual(['create index on "app"."children" ("parent");']);
  await mend(findings);
  expect(await again()).toEqual([]);
});
