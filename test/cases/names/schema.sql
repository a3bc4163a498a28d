CREATE SCHEMA "My Schema";

-- foo_bar keeps its name, whatever else is called like it
CREATE TABLE "My Schema".foo_bar (id integer PRIMARY KEY, "Just A Column" text, "1st" text, "and" text);
CREATE TABLE "My Schema"."fooBar" (id integer PRIMARY KEY);
CREATE TABLE "My Schema"."foo bar" (id integer PRIMARY KEY);
CREATE TABLE "My Schema"."con" (id integer PRIMARY KEY, foo_bar_id integer REFERENCES "My Schema".foo_bar);
CREATE TABLE "My Schema"."__proto__" ("__proto__" integer PRIMARY KEY, "constructor" text, "toString" text);
-- the constant of con's routes is not the one of this table
CREATE TABLE "My Schema".con_routes (id integer PRIMARY KEY, con_id integer REFERENCES "My Schema".con);
CREATE TYPE "My Schema"."Mood" AS ENUM ('so so', 'good');
CREATE TABLE "My Schema".renamed (id integer PRIMARY KEY, old_name text, mood "My Schema"."Mood", secret text);
