create schema a;
create schema b;

create table a.people (id integer primary key, manager_id integer, foreign key (manager_id) references a.people (id));
-- two foreign keys to one parent, and a duplicate of one of them
create table a.letters (
  id integer primary key,
  sender_id integer not null,
  receiver_id integer,
  constraint letters_sender_id_fkey foreign key (sender_id) references a.people (id),
  constraint letters_receiver_id_fkey foreign key (receiver_id) references a.people (id),
  constraint letters_sender_again foreign key (sender_id) references a.people (id)
);
-- one to one: by a unique constraint, by the primary key, by a unique index
create table a.passports (
  id integer primary key, person_id integer unique, foreign key (person_id) references a.people (id)
);
create table a.profiles (person_id integer primary key, foreign key (person_id) references a.people (id));
create table a.badges (id integer primary key, person_id integer, foreign key (person_id) references a.people (id));
create unique index badges_person_id_idx on a.badges (person_id);
-- across schemas
create table b.accounts (id integer primary key, person_id integer, foreign key (person_id) references a.people (id));
-- composite, and two of them
create table b.lines (order_no integer, line_no integer, primary key (order_no, line_no));
create table b.notes (
  id integer primary key, order_no integer, line_no integer,
  foreign key (order_no, line_no) references b.lines (order_no, line_no)
);
create table b.swaps (
  id integer primary key, from_order integer, from_line integer, to_order integer, to_line integer,
  constraint swaps_from foreign key (from_order, from_line) references b.lines (order_no, line_no),
  constraint swaps_to foreign key (to_order, to_line) references b.lines (order_no, line_no)
);
-- pure junctions: of two tables, and of one with itself; and one that is not pure
create table a.groups (id integer primary key);
create table a.memberships (
  person_id integer, group_id integer, primary key (person_id, group_id),
  foreign key (person_id) references a.people (id), foreign key (group_id) references a.groups (id)
);
create table a.friends (
  person_id integer, friend_id integer, primary key (person_id, friend_id),
  foreign key (person_id) references a.people (id), foreign key (friend_id) references a.people (id)
);
create table a.roles (
  person_id integer, group_id integer, since date, primary key (person_id, group_id),
  foreign key (person_id) references a.people (id), foreign key (group_id) references a.groups (id)
);
