/**
 * People with computed fields of every kind: with arguments, defaults, domains, enums, composites,
 * lists and policies.
 */
export const computedSql = `
create schema crew;
create domain crew.percent as numeric check (value between 0 and 100);
create type crew.rank as enum ('junior', 'senior');
create type crew.bounds as (low numeric, high numeric);
create table crew.teams (id integer primary key, name text not null);
create table crew.people (
  id integer primary key,
  team_id integer not null references crew.teams,
  first text not null,
  last text not null,
  salary numeric not null,
  owner text
);
insert into crew.teams values (1, 'Red'), (2, 'Blue');
insert into crew.people values
  (1, 1, 'Ada', 'Zorn', 100, 'ann'), (2, 1, 'Bo', 'Young', 300, 'ann'),
  (3, 2, 'Cy', 'Abel', 200, 'bob'), (4, 2, 'Di', 'Best', 300, null);

create function crew.people_full_name(person crew.people, separator text default ' ', reversed boolean default false)
  returns text language sql stable
  as $$ select case when reversed then person.last || separator || person.first else person.first || separator || person.last end $$;
comment on function crew.people_full_name is 'Both names.';
create function crew.people_raised(person crew.people, by crew.percent) returns numeric language sql immutable
  as $$ select person.salary * (100 + by) / 100 $$;
create function crew.people_rank(person crew.people) returns crew.rank language sql immutable
  as $$ select case when person.salary < 300 then 'junior' else 'senior' end::crew.rank $$;
create function crew.people_rank_above(person crew.people, salary numeric) returns crew.rank language sql immutable
  as $$ select case when person.salary > people_rank_above.salary then 'senior' else 'junior' end::crew.rank $$;
create function crew.people_initials(person crew.people) returns text language sql immutable
  as $$ select left(person.first, 1) || left(person.last, 1) $$;
create function crew.people_initials(person crew.people, mark text) returns text language sql immutable
  as $$ select left(person.first, 1) || mark || left(person.last, 1) || mark $$;
create function crew.people_within(person crew.people, bounds crew.bounds) returns boolean language sql immutable
  as $$ select person.salary between bounds.low and bounds.high $$;
create function crew.people_tags(person crew.people, variadic tags text[]) returns text[] language sql immutable
  as $$ select array[person.first] || tags $$;
create function crew.people_likes(person crew.people, rank crew.rank) returns boolean language sql immutable
  as $$ select rank = 'senior' and person.salary < 300 $$;
create function crew.people_peers(person crew.people, at_least numeric default 0) returns bigint language sql stable
  as $$ select count(*) from crew.people p where p.team_id = person.team_id and p.id <> person.id and p.salary >= at_least $$;
create function crew.people_mates(person crew.people) returns setof crew.people language sql stable
  as $$ select p.* from crew.people p where p.team_id = person.team_id and p.id <> person.id $$;
create function crew.people_richest_mate(person crew.people) returns crew.people language sql stable
  as $$ select p.* from crew.people p where p.team_id = person.team_id and p.salary > person.salary order by p.salary desc limit 1 $$;
create function crew.teams_stars(team crew.teams) returns setof crew.people language sql stable
  as $$ select p.* from crew.people p where p.team_id = team.id and p.salary >= 300 $$;
create function crew.people_secret(person crew.people, key text) returns text language sql stable as $$ select 'secret ' || key $$;
create function crew.people_renamed(person crew.people, to_name text) returns text language sql volatile
  as $$ update crew.people set first = to_name where id = person.id returning first $$;
create function crew.people_twin(person crew.people, other crew.people) returns boolean language sql immutable as $$ select person = other $$;
create function crew.people_any(person crew.people, value anyelement) returns text language sql immutable as $$ select 'x' $$;
revoke execute on function crew.people_secret from public;

alter table crew.people enable row level security;
create policy own on crew.people
  using (owner is null or owner = nullif(current_setting('request.user_id', true), '')) with check (true);
create policy own_all on crew.people for select
  using (current_setting('request.user_id', true) = 'root');
`;
