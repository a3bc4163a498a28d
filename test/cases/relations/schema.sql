CREATE SCHEMA a;
CREATE SCHEMA b;

CREATE TABLE a.people (id integer PRIMARY KEY, manager_id integer REFERENCES a.people);
-- two foreign keys to one parent, and a duplicate of one of them
CREATE TABLE a.letters (
  id integer PRIMARY KEY,
  sender_id integer NOT NULL REFERENCES a.people,
  receiver_id integer REFERENCES a.people
);
ALTER TABLE a.letters ADD CONSTRAINT letters_sender_again FOREIGN KEY (sender_id) REFERENCES a.people;
-- one to one: by a unique constraint, by the primary key, by a unique index
CREATE TABLE a.passports (id integer PRIMARY KEY, person_id integer UNIQUE REFERENCES a.people);
CREATE TABLE a.profiles (person_id integer PRIMARY KEY REFERENCES a.people);
CREATE TABLE a.badges (id integer PRIMARY KEY, person_id integer REFERENCES a.people);
CREATE UNIQUE INDEX ON a.badges (person_id);
-- across schemas
CREATE TABLE b.accounts (id integer PRIMARY KEY, person_id integer REFERENCES a.people);
-- composite, and two of them
CREATE TABLE b.lines (order_no integer, line_no integer, PRIMARY KEY (order_no, line_no));
CREATE TABLE b.notes (
  id integer PRIMARY KEY, order_no integer, line_no integer,
  FOREIGN KEY (order_no, line_no) REFERENCES b.lines
);
CREATE TABLE b.swaps (
  id integer PRIMARY KEY, from_order integer, from_line integer, to_order integer, to_line integer,
  CONSTRAINT swaps_from FOREIGN KEY (from_order, from_line) REFERENCES b.lines,
  CONSTRAINT swaps_to FOREIGN KEY (to_order, to_line) REFERENCES b.lines
);
-- pure junctions: of two tables, and of one with itself; and one that is not pure
CREATE TABLE a.groups (id integer PRIMARY KEY);
CREATE TABLE a.memberships (
  person_id integer REFERENCES a.people, group_id integer REFERENCES a.groups, PRIMARY KEY (person_id, group_id)
);
CREATE TABLE a.friends (
  person_id integer REFERENCES a.people, friend_id integer REFERENCES a.people, PRIMARY KEY (person_id, friend_id)
);
CREATE TABLE a.roles (
  person_id integer REFERENCES a.people, group_id integer REFERENCES a.groups, since date, PRIMARY KEY (person_id, group_id)
);
