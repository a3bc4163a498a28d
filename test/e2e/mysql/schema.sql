create table people (
  id int unsigned not null auto_increment primary key,
  handle varchar(40) character set latin1 collate latin1_swedish_ci not null unique,
  name varchar(80) not null,
  note text,
  mood enum('fine', 'so-so', 'it''s bad') default 'fine',
  born date,
  wakes time(3),
  seen timestamp(6) null default null,
  made datetime(6) default null,
  balance decimal(30, 10) not null default 0,
  score double,
  ratio float,
  visits bigint unsigned not null default 0,
  is_admin tinyint(1) not null default 0,
  secret varbinary(64),
  flags bit(5),
  tags set('a', 'b', 'c d') default null,
  settings json,
  token uuid,
  name_length int generated always as (char_length(name)) virtual,
  constraint balance_positive check (balance >= 0)
) comment 'People who work.';

create table projects (
  code varchar(20) collate utf8mb4_unicode_ci not null primary key,
  title varchar(100) not null,
  owner_id int unsigned,
  constraint projects_owner foreign key (owner_id) references people (id)
);

create table tasks (
  project varchar(20) collate utf8mb4_unicode_ci not null,
  number int not null,
  title varchar(200) not null,
  points int,
  done tinyint(1) not null default 0,
  assignee int unsigned,
  primary key (project, number),
  constraint tasks_project foreign key (project) references projects (code),
  constraint tasks_assignee foreign key (assignee) references people (id)
);

create table memberships (
  person int unsigned not null,
  project varchar(20) collate utf8mb4_unicode_ci not null,
  primary key (person, project),
  constraint memberships_person foreign key (person) references people (id) on delete cascade,
  constraint memberships_project foreign key (project) references projects (code)
);

create table blobs (
  id binary(16) not null primary key,
  body varchar(40)
);

create table blob_parts (
  blob_id binary(16) not null,
  part varchar(10) collate utf8mb4_bin not null,
  body mediumtext,
  primary key (blob_id, part),
  constraint blob_parts_blob foreign key (blob_id) references blobs (id)
);

create table events (
  kind varchar(20),
  at datetime,
  person int unsigned,
  constraint events_person foreign key (person) references people (id)
);

create procedure add_up (in a int, in b int, out total int, inout label varchar(20))
begin
  set total = a + b;
  set label = concat(label, '!');
end;

create procedure forget_events ()
begin
  delete from events;
end;

create procedure refuse (in why varchar(100))
begin
  signal sqlstate '45000' set message_text = why;
end;

insert into people (handle, name, note, mood, born, wakes, seen, made, balance, score, ratio, visits, is_admin, secret, flags, tags, settings, token) values
  ('ann', 'Ann "A" O''Neil', 'first
line', 'it''s bad', '1980-02-29', '06:30:00.500', '2024-02-29 12:00:00.123400', '2024-02-29 12:00:00', 12345678901234567890.0123456789, 1.5, 1.1, 18446744073709551615, 1, x'00ff10', b'00101', 'a,c d', '{"b": 1, "a": [1, "x", null], "deep": {"k": "v"}}', '6ccd780c-baba-1026-9564-5b8c656024db'),
  ('bjö', 'Björn', null, 'fine', null, null, null, null, 0, null, null, 0, 0, null, null, '', null, null),
  ('cy', 'cy', 'The note of Cy: 100% \\ _', 'so-so', '2000-01-01', '00:00:00', '2000-01-01 00:00:00', '2000-01-01 00:00:00.5', 10.5, 1e300, 0.25, 7, 0, x'', b'11111', 'b', '["x", "y"]', null);
insert into projects values ('web', 'Web site', 1), ('app', 'App', 1), ('Öl', 'Ölprojekt', 3), ('none', 'Nobody''s', null);
insert into tasks values
  ('web', 1, 'Design', 3, 0, 1), ('web', 2, 'Build', 5, 1, 2), ('web', 3, 'Ship', null, 0, null), ('web', 4, 'Rest', 1, 0, 1),
  ('app', 1, 'Sketch', 2, 1, 3), ('Öl', 1, 'Bohren', 8, 0, 3);
insert into memberships values (1, 'web'), (1, 'app'), (2, 'web'), (3, 'Öl'), (3, 'web');
insert into blobs values (x'000102030405060708090a0b0c0d0e0f', 'first'), (x'ff0102030405060708090a0b0c0d0e0f', 'second');
insert into blob_parts values (x'000102030405060708090a0b0c0d0e0f', 'a', 'one'), (x'000102030405060708090a0b0c0d0e0f', 'A', 'two'), (x'ff0102030405060708090a0b0c0d0e0f', 'a', null);
insert into events values ('login', '2024-01-01 00:00:00', 1), ('login', '2024-01-01 00:00:00', 1), ('logout', null, 1), ('login', '2024-01-02 00:00:00', 2);
