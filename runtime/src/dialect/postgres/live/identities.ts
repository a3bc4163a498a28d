/**
 * Identities, in JSON: `$1` has the schemas in the names of the database, `$2` in those of the API;
 * both are null for every schema. Source: PostgreSQL manual, pg_class, pg_attribute: a rename keeps
 * the oid of a table and the number of a column, and no other one gets the number of a dropped one.
 */
export const identitiesQuery = `
  select json_build_object(
    'database', (select d.oid::text from pg_database d where d.datname = current_database()),
    'tables', coalesce(json_agg(
      json_build_array(coalesce(m.served, n.nspname), c.relname, c.oid::text, a.numbers, a.dropped)
    ), '[]')
  )::text
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  left join unnest($1::text[], $2::text[]) m (name, served) on m.name = n.nspname
  join (
    select attrelid,
      coalesce(json_object_agg(attname, attnum) filter (where not attisdropped), '{}') as numbers,
      coalesce(json_agg(attnum order by attnum) filter (where attisdropped), '[]') as dropped
    from pg_attribute where attnum > 0 group by attrelid
  ) a on a.attrelid = c.oid
  where c.relkind in ('r', 'p', 'f', 'v', 'm') and ($1::text[] is null or m.name is not null)
    and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'`;
