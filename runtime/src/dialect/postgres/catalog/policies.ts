/**
 * `policy_list`: the row level security policies of each relation, by name.
 * Source: PostgreSQL manual, pg_policy; role 0 is PUBLIC.
 */
export const policyList = /* sql */ `
  policy_roles as (
    select p.oid, json_agg(coalesce(a.rolname, 'public') order by coalesce(a.rolname, 'public') collate "C") as roles
    from pg_policy p
    cross join unnest(p.polroles) as u (role)
    left join pg_roles a on a.oid = u.role
    group by p.oid
  ),
  policy_list as (
    select
      p.polrelid as relation,
      json_agg(json_build_object(
        'name', p.polname,
        'command', case p.polcmd
          when 'r' then 'select' when 'a' then 'insert' when 'w' then 'update' when 'd' then 'delete' else 'all' end,
        'permissive', p.polpermissive,
        'roles', pr.roles,
        'using', pg_get_expr(p.polqual, p.polrelid),
        'check', pg_get_expr(p.polwithcheck, p.polrelid)
      ) order by p.polname collate "C") as policies
    from relation r
    join pg_policy p on p.polrelid = r.oid
    join policy_roles pr on pr.oid = p.oid
    group by p.polrelid
  )`;
