/**
 * RoleFacts. $1: a JSON list of role names, the role that the server connects as first.
 * Source: PostgreSQL manual, pg_roles, "Predefined Roles".
 */
export const roles = /* sql */ `
  select r.name, a.oid is not null as exists,
    coalesce(pg_has_role(c.oid, a.oid, 'MEMBER'), false) as reachable,
    coalesce(a.rolsuper, false) as superuser,
    coalesce(a.rolsuper or a.rolbypassrls, false) as "bypassesPolicies",
    coalesce(a.rolcreaterole, false) as "createsRoles",
    coalesce(a.rolreplication, false) as replicates,
    (
      select coalesce(json_agg(g.rolname order by g.rolname collate "C"), '[]')
      from pg_roles g
      where g.oid <> a.oid and not a.rolsuper and pg_has_role(a.oid, g.oid, 'MEMBER') and (
        g.rolsuper or g.rolname in (
          'pg_execute_server_program', 'pg_read_all_data', 'pg_read_server_files', 'pg_write_all_data', 'pg_write_server_files'
        )
      )
    ) as "powerfulGroups"
  from json_array_elements_text($1::json) with ordinality r (name, position)
  left join pg_roles a on a.rolname = r.name
  left join pg_roles c on c.rolname = $1::json ->> 0
  order by r.position`;

/**
 * `roles` and `serving`: what the other queries join to. $1: schemas (text[]); $2: a JSON list of
 * the serving roles.
 */
export const scope = /* sql */ `
  serving as materialized (
    select r.oid, r.rolname as name, r.rolsuper as superuser
    from json_array_elements_text($2::json) s (name)
    join pg_roles r on r.rolname = s.name
  ),
  looked_at as materialized (
    select oid, nspname as name from pg_namespace where nspname = any ($1::text[])
  )`;
