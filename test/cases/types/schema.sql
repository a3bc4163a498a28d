CREATE SCHEMA t;

CREATE TYPE t.mood AS ENUM ('sad', 'so so', 'happy!', '1st', 'true');
CREATE TYPE t.point3 AS (x double precision, y double precision, z double precision);
CREATE TYPE t.shape AS (name text, corners t.point3[], mood t.mood);
CREATE DOMAIN t.email AS text CHECK (VALUE LIKE '%@%');
CREATE DOMAIN t.positive AS integer NOT NULL CHECK (VALUE > 0);
CREATE DOMAIN t.matrix AS integer[];
CREATE TYPE t.speed AS RANGE (subtype = double precision);

CREATE TABLE t.everything (
  c_int2 int2, c_int4 int4, c_int8 int8 PRIMARY KEY, c_numeric numeric(10, 2), c_money money, c_float4 float4, c_float8 float8,
  c_bool bool, c_text text, c_varchar varchar(10), c_char char(3), c_name name, c_uuid uuid,
  c_date date, c_time time, c_timetz timetz, c_timestamp timestamp, c_timestamptz timestamptz, c_interval interval,
  c_json json, c_jsonb jsonb, c_bytea bytea, c_tsvector tsvector,
  c_inet inet, c_cidr cidr, c_macaddr macaddr, c_bit bit(3), c_varbit varbit, c_xml xml, c_point point,
  c_mood t.mood, c_shape t.shape, c_email t.email, c_positive t.positive DEFAULT 1, c_matrix t.matrix,
  c_int4range int4range, c_numrange numrange, c_tstzrange tstzrange, c_daterange daterange, c_speed t.speed,
  a_text text[], a_int8 int8[], a_mood t.mood[], a_shape t.shape[], a_positive t.positive[], a_matrix t.matrix[],
  a_daterange daterange[], a_jsonb jsonb[],
  g_stored int4 GENERATED ALWAYS AS (c_int4 + 1) STORED, i_always int4 GENERATED ALWAYS AS IDENTITY
);
