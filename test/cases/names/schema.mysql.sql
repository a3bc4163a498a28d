create schema `My Schema` character set utf8mb4 collate utf8mb4_bin;

-- foo_bar keeps its name, whatever else is called like it
create table `My Schema`.foo_bar (id integer primary key, `Just A Column` text, `1st` text, `and` text);
create table `My Schema`.`fooBar` (id integer primary key);
create table `My Schema`.`foo bar` (id integer primary key);
create table `My Schema`.con (
  id integer primary key, foo_bar_id integer,
  foreign key (foo_bar_id) references `My Schema`.foo_bar (id)
);
create table `My Schema`.`__proto__` (`__proto__` integer primary key, constructor text, `toString` text);
-- The constant of con's routes is not the one of this table. It references nothing: MariaDB 10.11 refuses foreign keys to a table whose name
-- is one of Windows' devices (errno 150).
create table `My Schema`.con_routes (id integer primary key, con_id integer);
create table `My Schema`.renamed (id integer primary key, old_name text, mood enum('so so', 'good'), secret text);
