-- The names of the schema `hostile`, and of functions of PostgreSQL, in a schema that a search path may put first.
create schema evil;
grant usage, create on schema evil to public;
create table evil.notes (id integer primary key, owner text, body text);
insert into evil.notes values (1, 'evil', 'of evil');
create table evil.plain (id integer primary key, title text);
create table evil.state (id integer primary key, who text);
create function evil.row_to_json(record) returns json language plpgsql as $$ begin return '{"id": 666}'; end $$;
create function evil.lower(text) returns text language sql as $$ select 'evil' $$;
create function evil.set_config(text, text, boolean) returns text language sql as $$ select 'evil' $$;
grant select, insert, update, delete on all tables in schema evil to public;
