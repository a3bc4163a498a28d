-- Everything that a database may legally hold and that a generator may stumble over.
-- Loads on PostgreSQL 13 to 18 and on PGlite, as one transaction or statement by statement, with no extension.
-- What a version does not have yet is guarded by server_version_num. Rows come last, at least one in most tables.

-- ---------------------------------------------------------------------------------------------------------- schemas

create schema "My Schema";
create schema "weird.schema";
create schema "مدرسة";
create schema "con";
create schema "../up";
create schema "constructor";
create schema "__proto__";
create schema "Public"; -- beside public
create schema U&"quote"" tick` ${x} */ \2028 end";
create schema "schema_name_of_exactly_sixty_three_bytes_which_is_the_longest_1";
create schema empty_schema;
comment on schema "My Schema" is U&'Ends */ here, `${x}`, "quoted", \2028 and \202E turned.';
comment on schema "Public" is '';

-- ------------------------------------------------------------------------------------------------------------ enums

create type mood as enum ('sad', 'ok', 'happy');
create type "Mood" as enum ('SAD', 'Ok', 'happy'); -- collides with mood but for its case
create type "My Schema"."mood" as enum ('other');
create type hostile_label as enum (
  '', ' ', 'two words', '1st', '-1', 'true', 'false', 'null', 'constructor', '__proto__', 'toString', 'a', 'A', 'a_b', 'a-b',
  'a b', '"', '''', '`', '${x}', '*/', '/*', '//', '\', '\n', E'\n', U&'\2028', '../x', 'con', 'nul', '<script>', '%s', '$1',
  'é', U&'e\0301', 'بطاقة', '🚀', ',', '{', '}', '(', ')', 'label_of_exactly_sixty_three_bytes_which_is_the_longest_one_000'
);
create type "enum */ ${x} ` "" name" as enum ('one');
create type no_labels as enum ();
comment on type hostile_label is U&'*/ ` ${x} "" \2028 ../x con nul \\ end';

-- ------------------------------------------------------------------------------------- composites, domains and ranges

create type pair as (x integer, "Y y" text);
create type nested as (inner_pair pair, pairs pair[], feelings mood[], "constructor" text, "__proto__" text, "${x}" date);
create type "composite `${x}` */ """ as ("a""b" integer, " " text, U&"\2028" text, "toString" boolean);
create type empty_composite as ();
comment on column nested."__proto__" is 'Not the prototype. */ `${x}`';

create domain positive as integer check (value > 0);
create domain very_positive as positive not null default 10 check (value > 9);
create domain texts as text[] check (array_length(value, 1) < 9);
create domain pair_domain as pair check (value is null or (value).x > 0);
create domain mood_domain as mood default 'ok';
create domain short_text as varchar(20) collate "C";
create domain "domain */ ${x}" as numeric(10, 2) default 1.50;
create domain pairs_domain as pair[];
comment on domain positive is 'Above zero. */ ` ${x}';

create type float_range as range (subtype = double precision, subtype_diff = float8mi);
create type "Range ""of"" text" as range (subtype = text, collation = "C");
create domain date_range_domain as daterange;

-- --------------------------------------------------------------------------------------------------- names of tables

create table "quoted ""name""" (id integer primary key, "a ""quoted"" column" text);
create table "Just A Name" (id integer primary key, "Just A Column" text);
create table "dotted.name" ("dotted.id" integer primary key, "a.b.c" text);
create table "جدول" ("معرف" integer primary key, "اسم" text);
create table "🚀" ("🔑" integer primary key, "👩‍👩‍👧" text);
create table "日本語" ("番号" integer primary key, "名前" text);
create table table_name_of_exactly_sixty_three_bytes_which_is_the_longest_01 (
  column_name_of_exactly_sixty_three_bytes_which_is_the_longest01 integer primary key,
  column_name_of_exactly_sixty_three_bytes_which_is_the_longest02 text
);
create table "ءءءءءءءءءءءءءءءءءءءءءءءءءءءءءءءa" ("ءءءءءءءءءءءءءءءءءءءءءءءءءءءءءءءb" integer primary key);
create table casing (id integer primary key, note text, "Note" text, "NOTE" text);
create table "Casing" (id integer primary key);
create table "CASING" (id integer primary key);
create table foo_bar (id integer primary key, some_column text, "someColumn" text, "SomeColumn" text, "some column" text);
create table "fooBar" (id integer primary key);
create table "foo bar" (id integer primary key);
create table "foo-bar" (id integer primary key);
create table "é" (id integer primary key, "é" text, U&"e\0301" text);
create table U&"e\0301" (id integer primary key);
create table "select" ("from" integer primary key, "where" text, "order" text, "limit" text, "offset" text, "or" text, "and" text,
  "not" text, "columns" text, "on_conflict" text, "group" text, "user" text, "table" text);
create table "class" ("constructor" integer primary key, "default" text, "function" text, "var" text, "await" text, "async" text,
  "this" text, "null" text, "true" text, "new" text, "in" text, "typeof" text, "enum" text, "interface" text, "arguments" text,
  "eval" text, "static" text, "yield" text);
create table "constructor" ("constructor" integer primary key, "prototype" text, "then" text, "toJSON" text, "valueOf" text);
create table "__proto__" ("__proto__" integer primary key, "__defineGetter__" text, "hasOwnProperty" text);
create table "toString" ("toString" integer primary key, "length" text, "name" text);
create table "__typename" ("__typename" integer primary key, "__schema" text, "__type" text);
create table "Query" (id integer primary key, query text, mutation text, subscription text);
create table "Mutation" (id integer primary key);
create table "Subscription" (id integer primary key);
create table "String" (id integer primary key, "Int" text, "Boolean" text);
create table "Object" (id integer primary key);
create table "Promise" (id integer primary key);
create table "index" (id integer primary key, "count" integer, "sum" integer, "key" text, "data" text, "nodes" text, "edges" text,
  "groups" text, "cursor" text, "pagination" text);
create table page_info (id integer primary key);
create table issues (id integer primary key, "_count" integer);
create table issues_connection (id integer primary key);
create table issues_aggregate (id integer primary key);
create table issues_by_pk (id integer primary key);
create table enums (id integer primary key);
create table procedures (id integer primary key);
create table "tick`${x}" (id integer primary key, "`${x}`" text, "${process.exit(1)}" text);
create table "end */ of comment" (id integer primary key, "*/" text, "/*" text, "//" text, "-- x" text);
create table U&"line\2028separator" (id integer primary key, U&"\2028" text, U&"\2029" text);
create table U&"line\000Abreak" (id integer primary key, U&"\000A" text, U&"\000D\000A" text, U&"tab\0009" text);
create table U&"right\202Eto left" (id integer primary key, U&"\200B" text, U&"\FEFF" text);
create table "../x" (id integer primary key, "../../etc/passwd" text, "." text, ".." text, "/" text);
create table "." (id integer primary key);
create table ".." (id integer primary key);
create table "a/b" (id integer primary key);
create table "a\b" (id integer primary key, "\" text, "\n" text, "\u0041" text);
create table "con" (id integer primary key, "nul" text);
create table "nul" (id integer primary key);
create table "con.ts" (id integer primary key);
create table "aux " (id integer primary key, " leading" text, "trailing " text, " " text, "  " text);
create table "1st" (id integer primary key, "1st" text, "2" text, "-" text, "_" text, "__" text, "$" text, "$1" text);
create table "'" (id integer primary key, "'" text, "'; drop table issues; --" text);
create table "?" (id integer primary key, "?" text, ":name" text, "%s" text, "@x" text, "a,b" text, "(x)" text, "a:b" text,
  "a->b" text, "a::text" text, "a&b=c" text, "#" text, "<script>" text, "{{x}}" text);
create table "same" ("same" integer primary key, same_id integer references "same");
create table t (t integer primary key);

-- ------------------------------------------------------------------------------------------------- shapes of tables

create table no_columns ();
create table no_key (a integer, b text);
create table unique_no_key (a integer unique, b text not null unique);
create table all_key (a integer, b integer, primary key (b, a));
create table only_generated (id integer generated always as identity primary key, twice integer generated always as (2) stored);
create table dropped_columns (id integer primary key, gone text, kept text, gone_too integer, last text);
alter table dropped_columns drop column gone, drop column gone_too;
create unlogged table unlogged (id integer primary key);
do $$
begin
  execute 'create table widest (' || (select string_agg(format('c%s integer', lpad(n::text, 4, '0')), ', ' order by n)
    from generate_series(1, 1600) n) || ')';
end
$$;

create table defaults (
  id serial primary key,
  big bigserial,
  by_default bigint generated by default as identity (start with 100),
  hostile text default U&'*/ ` ${x} " '' \2028 ../x con nul \\ $1 ? :x',
  number numeric default 1.5,
  now timestamptz default now(),
  fixed timestamptz default '2024-02-29 12:00:00+02',
  label hostile_label default '*/',
  labels hostile_label[] default array['"', '${x}']::hostile_label[],
  composite pair default row(1, '*/'),
  json jsonb default '{"*/": "`${x}`"}',
  domain very_positive,
  "default" mood default 'ok',
  required text not null
);
create table generated (
  id integer generated always as identity primary key,
  price numeric not null,
  quantity integer not null default 1,
  total numeric generated always as (price * quantity) stored,
  "*/ search" tsvector generated always as (to_tsvector('simple', quantity::text)) stored
);

-- ------------------------------------------------------------------------------------------------------------ types

create table every_type (
  id integer primary key,
  a_int2 smallint, a_int8 bigint, a_numeric numeric, a_money money, a_float4 real, a_float8 double precision, a_bool boolean,
  a_text text, a_varchar varchar(10), a_bpchar char(3), a_char "char", a_name name, a_uuid uuid,
  a_date date, a_time time(3), a_timetz timetz, a_timestamp timestamp(0), a_timestamptz timestamptz,
  a_interval interval, a_year_interval interval year to month,
  a_json json, a_jsonb jsonb, a_jsonpath jsonpath, a_bytea bytea, a_xml xml,
  a_inet inet, a_cidr cidr, a_macaddr macaddr, a_macaddr8 macaddr8, a_bit bit(3), a_varbit varbit(8), a_bit_one bit,
  a_point point, a_line line, a_lseg lseg, a_box box, a_path path, a_polygon polygon, a_circle circle,
  a_tsvector tsvector, a_tsquery tsquery, an_oid oid, a_regclass regclass, a_regtype regtype, an_lsn pg_lsn, an_xid xid,
  a_cid cid, a_tid tid, a_snapshot txid_snapshot, an_aclitem aclitem, a_refcursor refcursor,
  an_int4range int4range, an_int8range int8range, a_numrange numrange, a_tsrange tsrange, a_tstzrange tstzrange,
  a_daterange daterange
);
create table user_types (
  id integer primary key,
  feeling mood, "Feeling" "Mood", other "My Schema".mood, label hostile_label, labels hostile_label[],
  a_pair pair, a_nested nested, pairs pair[], hostile "composite `${x}` */ """, empty empty_composite,
  a_positive positive, a_very_positive very_positive, a_texts texts, a_pair_domain pair_domain, a_mood_domain mood_domain,
  a_short_text short_text, a_domain "domain */ ${x}", a_pairs_domain pairs_domain,
  moods mood[], positives positive[], texts_array texts[], pair_domains pair_domain[], mood_domains mood_domain[],
  a_row all_key, row_array all_key[], a_float_range float_range, a_text_range "Range ""of"" text", ranges int4range[],
  a_range_domain date_range_domain
);
create table arrays (
  id integer primary key,
  integers integer[], matrix integer[][], texts text[], numerics numeric(10, 2)[], bigints bigint[], booleans boolean[],
  uuids uuid[], dates date[], timestamps timestamptz[], json_values jsonb[], bytes bytea[], points point[], intervals interval[],
  varchars varchar(5)[]
);
do $$
begin
  if current_setting('server_version_num')::integer >= 140000 then
    execute 'create table multiranges (id integer primary key, dates datemultirange, numbers nummultirange[])';
    execute 'insert into multiranges values (1, ''{[2024-01-01,2024-02-01),[2024-03-01,)}'', array[''{[1,2]}''::nummultirange])';
  end if;
  if current_setting('server_version_num')::integer >= 150000 then
    execute 'create table nulls_not_distinct (id integer primary key, a integer, b integer, unique nulls not distinct (a, b))';
    execute 'insert into nulls_not_distinct values (1, null, null)';
  end if;
  if current_setting('server_version_num')::integer >= 180000 then
    execute 'create table virtual_columns (id integer primary key, a integer, twice integer generated always as (a * 2) virtual)';
    execute 'insert into virtual_columns (id, a) values (1, 21)';
    execute 'create table not_enforced (id integer primary key, a integer references virtual_columns not enforced,
      check (a > 0) not enforced)';
  end if;
end
$$;

-- ----------------------------------------------------------------------------------------------------- foreign keys

create table self_reference (
  id integer primary key, parent_id integer references self_reference, "friend id" integer references self_reference (id)
);
create table cycle_a (id integer primary key, b_id integer);
create table cycle_b (id integer primary key, a_id integer not null references cycle_a on delete cascade);
alter table cycle_a add constraint "cycle */ ${x}" foreign key (b_id) references cycle_b deferrable initially deferred;
create table one_to_one (id integer primary key references cycle_a, note text);
create table one_to_one_unique (id integer primary key, a_id integer unique references cycle_a);
create table tenants (tenant_id integer, id integer, code text not null, primary key (tenant_id, id), unique (code, tenant_id));
create table tenant_rows (
  tenant_id integer, id integer, owner_id integer, backup_id integer, code text,
  primary key (tenant_id, id),
  foreign key (tenant_id, owner_id) references tenants (tenant_id, id) on update cascade on delete restrict,
  foreign key (backup_id, tenant_id) references tenants (id, tenant_id),
  foreign key (tenant_id, code) references tenants (tenant_id, code) match full on delete set default
);
create table duplicate_keys (
  id integer primary key,
  a_id integer,
  constraint "first" foreign key (a_id) references cycle_a,
  constraint "second" foreign key (a_id) references cycle_a on delete set null
);
create table wider_key (id integer primary key, a_id bigint references cycle_a);
create table generated_key (id integer primary key, a_id integer generated always as (1) stored references cycle_a);
create table junction (
  a_id integer references cycle_a, b_id integer references cycle_b, primary key (a_id, b_id)
);
create table junction_with_payload (
  a_id integer references cycle_a, b_id integer references cycle_b, since date default current_date, primary key (a_id, b_id)
);
create table self_junction (
  from_id integer references cycle_a, to_id integer references cycle_a, primary key (from_id, to_id)
);
create table relation_collides (id integer primary key, public_self_reference text, "publicTId" text, t_id integer references t);

create table "My Schema".issues (
  id integer primary key, "other issue" integer references public.issues, "order" integer references "select",
  "constructor" integer references "constructor"
);
create table "My Schema".t (t integer primary key references public.t);
create table "Public".issues (id integer primary key, issue integer references "My Schema".issues);
create table "weird.schema"."weird.table" ("weird.column" integer primary key references "dotted.name");
create table "مدرسة"."طلاب" (id integer primary key, "جدول" integer references public."جدول");
create table "con"."nul" (id integer primary key);
create table "../up"."../../x" (id integer primary key);
create table "constructor"."__proto__" ("constructor" integer primary key references public."__proto__");
create table "__proto__"."constructor" ("__proto__" integer primary key references "constructor"."__proto__");
create table U&"quote"" tick` ${x} */ \2028 end".U&"quote"" tick` ${x} */ \2028 end" (
  U&"quote"" tick` ${x} */ \2028 end" integer primary key,
  "reference "" ` ${x} */" integer constraint U&"key"" ` ${x} */ \2028" references "end */ of comment"
);
create table "schema_name_of_exactly_sixty_three_bytes_which_is_the_longest_1".table_name_of_exactly_sixty_three_bytes_which_is_the_longest_01 (
  column_name_of_exactly_sixty_three_bytes_which_is_the_longest01 integer primary key
    references public.table_name_of_exactly_sixty_three_bytes_which_is_the_longest_01
);

-- ---------------------------------------------------------------------------------------- partitions and inheritance

create table events (
  id integer, happened date, kind text, a_id integer references cycle_a, primary key (id, happened)
) partition by range (happened);
create table events_2024 partition of events for values from ('2024-01-01') to ('2025-01-01');
create table events_2025 partition of events for values from ('2025-01-01') to ('2026-01-01') partition by list (id);
create table events_2025_a partition of events_2025 for values in (2);
create table events_rest partition of events default;
create index on events (kind);
create table event_notes (
  id integer primary key, event_id integer, happened date, foreign key (event_id, happened) references events
);
create table hashed (id integer primary key) partition by hash (id);
create table hashed_0 partition of hashed for values with (modulus 2, remainder 0);
create table hashed_1 partition of hashed for values with (modulus 2, remainder 1);
create table partitions_elsewhere (id integer primary key) partition by list (id);
create table no_partitions (id integer primary key) partition by list (id);
create table "My Schema".partition_elsewhere partition of partitions_elsewhere for values in (1);
create table ancestor (id integer primary key, name text not null check (name <> ''));
create table second_ancestor (second text default '*/');
create table descendant (extra integer) inherits (ancestor, second_ancestor);
create table grandchild (deep text, primary key (id)) inherits (descendant);

-- ----------------------------------------------------------------------------------- constraints, indexes, policies

create table bookings (
  id integer primary key, during daterange not null, room integer,
  exclude using gist (during with &&),
  constraint "exclude */ ${x}" exclude using btree (room with =) where (room > 0)
);
create table checks (
  id integer primary key, a integer constraint U&"check"" ` ${x} */ \2028" check (a > 0), b text,
  check (b <> '*/ ` ${x}'), check (a is not null or b is not null), unique (a, b) deferrable initially deferred
);
create table indexed (
  id integer primary key, name text, document jsonb, words text[], area box, half integer, email text, included integer
);
create unique index indexed_lower_email on indexed (lower(email));
create unique index "indexed */ ${x}" on indexed (name) include (included);
create unique index indexed_partial on indexed (half) where half > 10 and name <> '*/';
create index indexed_mixed on indexed (name desc nulls last, (half + 1), email text_pattern_ops);
create index indexed_hash on indexed using hash (name);
create index indexed_document on indexed using gin (document jsonb_path_ops, words);
create index indexed_area on indexed using gist (area);
create index indexed_brin on indexed using brin (id);
create table protected (id integer primary key, owner text, note text);
alter table protected enable row level security;
alter table protected force row level security;
create policy "read */ ${x} ` """ on protected for select using (owner = current_setting('request.user_id', true) or note = '*/');
create policy insert_own on protected for insert with check (owner = current_user);
create policy restrict_all on protected as restrictive using (id > 0) with check (id > 0);
create table enabled_without_policy (id integer primary key);
alter table enabled_without_policy enable row level security;

-- --------------------------------------------------------------------------------------------------------- routines

create function overloaded() returns integer language sql immutable as 'select 0';
create function overloaded(integer) returns integer language sql immutable as 'select $1';
create function overloaded(text) returns text language sql stable as 'select $1';
create function overloaded(a integer, b integer default 2) returns integer language sql as 'select a + b';
create function "My Schema".overloaded() returns integer language sql as 'select 1';
create function "Overloaded"() returns integer language sql as 'select 2';
create function U&"function "" ` ${x} */ \2028"("arg "" ` ${x} */" text default '*/ ` ${x}') returns text language sql as 'select $1';
create function unnamed(integer, text, integer) returns void language sql as 'select';
create function variadic_total(variadic numbers numeric[]) returns numeric language sql strict
  as 'select sum(n) from unnest(numbers) n';
create function rows_of() returns setof self_reference language sql stable as 'select * from self_reference';
create function table_of(n integer) returns table (id integer, "constructor" text) language sql as 'select n, ''x''::text';
create function out_arguments(in a integer, out b integer, inout c integer, out "__proto__" text) language sql
  as 'select a, c, ''x''::text';
create function any_of(anyelement) returns anyarray language sql as 'select array[$1]';
create function self_reference_depth(self_reference) returns integer language sql stable as 'select 1';
create function self_reference_children(node self_reference) returns setof self_reference language sql stable
  as 'select * from self_reference where parent_id = node.id';
create function "constructor"(integer) returns integer language sql security definer as 'select $1';
create function first_state(state integer, value integer) returns integer language sql as 'select coalesce(state, value)';
create aggregate first_of (integer) (sfunc = first_state, stype = integer);
create function touch() returns trigger language plpgsql as 'begin return new; end';
create function on_ddl() returns event_trigger language plpgsql as 'begin end';
create procedure nothing() language sql as 'select 1';
create procedure counted(inout total integer, step integer default 1) language plpgsql as 'begin total := total + step; end';
create procedure counted(inout total text) language plpgsql as 'begin total := total || ''!''; end';
create procedure variadic_call(variadic "values" integer[]) language plpgsql as 'begin end';
create procedure unnamed_call(integer, inout text) language plpgsql as 'begin end';
create procedure "procedure "" ` ${x} */"("constructor" integer, "__proto__" mood default 'ok', "select" text default '*/')
  language plpgsql as 'begin end';
create procedure user_typed(p pair, ps pair[], m mood, d positive, inout r int4range) language plpgsql as 'begin end';
do $$
begin
  if current_setting('server_version_num')::integer >= 140000 then
    execute 'create procedure out_call(a integer, out b integer, out "c */" text) language plpgsql
      as ''begin b := a; "c */" := a::text; end''';
  end if;
end
$$;
comment on function overloaded() is U&'*/ ` ${x} "" \2028';
comment on procedure nothing() is 'Does nothing. */ `${x}`';

-- ------------------------------------------------------------------------------------------------------------ views

create view simple_view as select id, parent_id, "friend id" as "constructor" from self_reference;
create view view_on_view with (security_barrier) as select id, "constructor" as "*/ ${x}" from simple_view where id > 0;
create view U&"view "" ` ${x} */ \2028" as select 1 as U&"column "" ` ${x} */ \2028", null as "nothing", 'x' as "unknown";
create view read_only_view as select a.id, count(*) as count, array_agg(b.id) as ids
  from cycle_a a left join cycle_b b on b.a_id = a.id group by a.id;
create view partly_updatable as select id, id + 1 as next, price from generated;
create view checked_view as select id, owner from protected where id < 100 with cascaded check option;
create recursive view counting (n) as values (1) union all select n + 1 from counting where n < 5;
create view triggered as select a.id, b.a_id from cycle_a a join cycle_b b on b.a_id = a.id;
create trigger triggered_insert instead of insert on triggered for each row execute function touch();
create view ruled as select id, note from one_to_one group by id, note;
create rule ruled_insert as on insert to ruled do instead insert into one_to_one values (new.id, new.note);
create view "My Schema".simple_view as select * from public.simple_view;
create view catalog_view as select table_schema, table_name, is_insertable_into from information_schema.tables;
create trigger issues_touch before insert on issues for each row execute function touch();
do $$
begin
  if current_setting('server_version_num')::integer >= 150000 then
    execute 'create view invoker_view with (security_invoker = on) as select id, note from protected';
  end if;
end
$$;

-- --------------------------------------------------------------------------------------------------------- comments

comment on table issues is U&'*/ ` ${x} " \2028 \2029 \202E ../x con nul \\ </script> @deprecated {@link x} %s $1';
comment on column issues.id is E'*/ ` ${x} "\n@name drop\r\n * starred\t\\';
comment on table "constructor" is '';
comment on column "constructor"."constructor" is '"""';
comment on view simple_view is E'Many\n\nlines.\n\n - one\n - two\n';
comment on column simple_view.id is '''';
do $$ begin execute format('comment on table "../x" is %L', repeat('long ', 400)); end $$;

-- ------------------------------------------------------------------------------------------------------------- rows

do $$
declare
  target record;
begin
  -- One row with the key 1 in every table whose columns are one integer key and texts; the texts are hostile.
  for target in
    select
      c.oid::regclass as name,
      string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
      string_agg(case when a.attnum = 1 then '1' else quote_literal(E'*/ ` ${x} " '' \u2028 ../x \\ ' || a.attname) end, ', '
        order by a.attnum) as row
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname !~ '^pg_' and n.nspname <> 'information_schema'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relkind = 'r' and not c.relispartition
      and not exists (select from pg_inherits i where i.inhrelid = c.oid)
    group by c.oid, n.nspname
    having bool_and(
        a.attgenerated = '' and a.attidentity = '' and a.atttypid = case when a.attnum = 1 then 'integer' else 'text' end::regtype)
      and not exists (select from pg_constraint f where f.conrelid = c.oid and f.contype = 'f')
    order by n.nspname, c.oid::regclass::text
  loop
    execute format('insert into %s (%s) values (%s)', target.name, target.columns, target.row);
  end loop;
end
$$;

insert into "same" values (1, 1), (2, 1);
insert into "index" ("id", "count", "sum", "key") values (1, 2, 3, 'k'), (2, null, null, null);
insert into issues values (1, 1), (2, null);
insert into no_columns default values;
insert into no_columns default values;
insert into no_key values (1, 'a'), (1, 'a'), (null, null);
insert into unique_no_key values (2, 'a'), (null, 'b');
insert into all_key values (1, 2), (2, 1);
insert into only_generated default values;
insert into widest (c0001, c0800, c1600) values (1, 800, 1600);
insert into defaults (required) values ('a'), (U&'\2028');
insert into generated (price, quantity) values (1.10, 3), (123456789012345678901234567890.123456789, 2);

insert into every_type values (
  1, 32767, 9223372036854775807, 12345678901234567890.0123456789, 12.34, 1.5, 'NaN', true,
  E'\u2028 "\\ \t', 'ten chars!', 'ab', 'c', 'a_name', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11',
  '2024-02-29', '23:59:59.999', '12:00:00+05:30', '2024-02-29 12:00:00', '2024-02-29 12:00:00.123456+02',
  '1 year 2 mons 3 days 04:05:06.789', '3 years 2 mons',
  '{"b": 1, "a": 1.0, "a": 2}', '{"n": 1.10, "big": 12345678901234567890}', '$.a[*] ? (@ > 1)', '\x00ff', null,
  '10.0.0.1/8', '10.0.0.0/8', '08:00:2b:01:02:03', '08:00:2b:01:02:03:04:05', '101', '1', '1',
  '(1,2)', '{1,2,3}', '[(0,0),(1,1)]', '((1,1),(0,0))', '[(0,0),(1,1)]', '((0,0),(1,1),(1,0))', '<(0,0),1>',
  'a:1 b:2', 'a & !b', 1, 'pg_catalog.pg_class', 'integer', '0/16B3748', '1',
  '1', '(0,1)', '10:20:10,14,15', 'postgres=r/postgres', 'a cursor',
  '[1,5)', '(,5)', '[1.5,]', '[2024-01-01,2024-02-01)', '[2024-01-01 00:00:00+00,)', 'empty'
), (
  2, -32768, -9223372036854775808, 'NaN', -0.01, '-Infinity', 'Infinity', false,
  '', '', '', '', '', '00000000-0000-0000-0000-000000000000',
  '-infinity', '24:00:00', '00:00:00-15:59', 'infinity', '0044-03-15 12:00:00+00 BC',
  '-1 year 00:00:01', '-1 mon', 'null', 'null', 'strict $', '', null,
  '::1', '::/0', '00:00:00:00:00:00', '00:00:00:00:00:00:00:00', '000', '', '0',
  '(NaN,Infinity)', '{1,-1,0}', '[(0,0),(0,0)]', '(0,0),(0,0)', '((0,0))', '((0,0))', '<(0,0),0>',
  '', '', 4294967295, '1', 'regtype', '0/0', '0',
  '0', '(0,0)', '1:1:', null, '', 'empty', '(,)', 'empty', '(,infinity)', '[,]', '[2024-01-01,2024-01-01]'
);
insert into every_type (id) values (3);
do $$
begin
  update every_type set a_xml = '<a b="c">*/</a>' where id = 1;
exception when feature_not_supported then
  raise notice 'this server was built without XML';
end
$$;

insert into user_types values (
  1, 'happy', 'SAD', 'other', '*/', array['', '"', '${x}', 'null', ',', '\', '{', E'\n', null]::hostile_label[],
  row(1, 'a,"b" (c)'), row(row(1, ''), array[row(2, null)::pair], array['sad', null]::mood[], '', 'p', '2024-01-01'),
  array[row(1, 'x')::pair, null, row(null, null)::pair], row(1, ' ', null, true), row(),
  5, 50, array['a', null, '"'], row(3, 'd'), 'sad', 'short', 99.99, array[row(1, 'y')::pair],
  array['ok', 'sad']::mood[], array[1, 2]::positive[], array[array['a']::texts, array['b', 'c']::texts]::texts[],
  array[row(4, 'e')::pair]::pair_domain[], array['ok']::mood_domain[], row(1, 2), array[row(3, 4)::all_key],
  '[1.5,2.5]', '[a,z)', array['[1,2)'::int4range, 'empty'], '[2024-01-01,)'
);
insert into user_types (id, a_very_positive) values (2, 11);
insert into arrays values (
  1, array[1, null, 3], array[[1, 2], [3, 4]], array['a,b', '"', '\', '{}', 'NULL', '', null, '*/ ` ${x}'], array[1.10, 2.00],
  array[9223372036854775807], array[true, null], array['a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11']::uuid[],
  array['2024-02-29']::date[], array['2024-02-29 12:00:00.123456+02']::timestamptz[], array['{"a": [1]}', 'null', '"s"']::jsonb[],
  array['\x00ff']::bytea[], array['(1,2)']::point[], array['1 day']::interval[], array['abcde']
), (
  2, '{}', '[0:1]={7,8}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}'
);
insert into arrays (id) values (3);

insert into self_reference values (1, null, 1), (2, 1, 1), (3, 2, null);
insert into cycle_a (id) values (1), (2);
insert into cycle_b values (1, 1), (2, 1);
update cycle_a set b_id = 2 where id = 1;
insert into one_to_one values (1, 'one');
insert into one_to_one_unique values (1, 1), (2, null);
insert into tenants values (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'a');
insert into tenant_rows values (1, 1, 1, 2, 'b'), (1, 2, null, null, 'a'), (2, 1, 1, 1, 'a');
insert into duplicate_keys values (1, 1), (2, null);
insert into wider_key values (1, 1);
insert into generated_key (id) values (1);
insert into junction values (1, 1), (1, 2), (2, 1);
insert into junction_with_payload values (1, 1, '2024-01-01');
insert into self_junction values (1, 2), (2, 1);
insert into relation_collides values (1, 'a', 'b', 1);
insert into "My Schema".issues values (1, 1, 1, 1);
insert into "My Schema".t values (1);
insert into "Public".issues values (1, 1);
insert into "weird.schema"."weird.table" values (1);
insert into "مدرسة"."طلاب" values (1, 1);
insert into "constructor"."__proto__" values (1);
insert into "__proto__"."constructor" values (1);
insert into U&"quote"" tick` ${x} */ \2028 end".U&"quote"" tick` ${x} */ \2028 end" values (1, 1);
insert into "schema_name_of_exactly_sixty_three_bytes_which_is_the_longest_1".table_name_of_exactly_sixty_three_bytes_which_is_the_longest_01 values (1);
insert into events values (1, '2024-05-01', 'a', 1), (2, '2025-05-01', 'a', null), (3, '2030-01-01', null, null);
insert into event_notes values (1, 1, '2024-05-01');
insert into partitions_elsewhere values (1);
insert into hashed select generate_series(1, 4);
insert into descendant values (2, 'child', 'second', 3);
insert into grandchild values (3, 'grandchild', 'second', 4, 'deep');
insert into bookings values (1, '[2024-01-01,2024-01-05)', 1), (2, '[2024-01-05,2024-01-06)', null);
insert into checks values (1, 1, 'x'), (2, null, 'y');
insert into indexed values (1, 'a', '{"a": 1}', '{x,y}', '((1,1),(0,0))', 11, 'A@b.c', 1);
insert into protected values (2, 'ann', 'hers'), (3, 'bob', '*/');

create materialized view materialized as select id, parent_id from self_reference;
create unique index on materialized (id);
create materialized view U&"materialized "" ` ${x} */ \2028" as select id as "*/", 'x'::text as "${x}" from simple_view;
create view view_on_materialized as select m.id, v."constructor" from materialized m join simple_view v using (id);
