-- Rows without a key: nothing tells two equal ones apart.
CREATE SCHEMA log;
CREATE TABLE log.people (id integer PRIMARY KEY, name text NOT NULL);
CREATE TABLE log.events (kind text, day date, person integer REFERENCES log.people);
