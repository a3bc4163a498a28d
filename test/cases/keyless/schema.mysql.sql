create schema log character set utf8mb4 collate utf8mb4_bin;
create table log.people (id integer primary key, name text not null);
create table log.events (kind text, day date, person integer, foreign key (person) references log.people (id));
