-- The columns of types that MariaDB has, too. A domain is its base type with its checks.
create schema t character set utf8mb4 collate utf8mb4_bin;

create table t.everything (
  c_int2 smallint, c_int4 int, c_int8 bigint primary key, c_numeric decimal(10, 2), c_float4 float, c_float8 double,
  c_bool tinyint(1), c_text text, c_varchar varchar(10), c_char char(3), c_name varchar(63), c_uuid uuid,
  c_date date, c_time time(6), c_timestamp datetime(6), c_timestamptz timestamp(6) null,
  c_json json, c_jsonb json, c_bytea blob,
  c_inet inet6, c_bit bit(3), c_point point,
  c_mood enum('sad', 'so so', 'happy!', '1st', 'true'), c_email text check (c_email like '%@%'),
  c_positive int not null default 1 check (c_positive > 0),
  g_stored int as (c_int4 + 1) stored
);
