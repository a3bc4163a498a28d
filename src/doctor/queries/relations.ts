import { scope } from './roles.js';

/**
 * RelationFacts. Source: PostgreSQL manual, pg_class, "Access Privilege Inquiry Functions",
 * aclexplode.
 */
export const relations = /* sql */ `
  with ${scope}
  select n.name as schema, c.relname as name, o.rolname as owner,
    (
      select coalesce(json_agg(s.name order by s.name collate "C"), '[]')
      from serving s
      where not s.superuser and pg_has_role(s.oid, c.relowner, 'USAGE')
    ) as "ownedBy",
    (
      select coalesce(json_agg(s.name order by s.name collate "C"), '[]')
      from serving s
      where has_schema_privilege(s.oid, n.oid, 'USAGE')
        and (has_any_column_privilege(s.oid, c.oid, 'SELECT, INSERT, UPDATE') or has_table_privilege(s.oid, c.oid, 'DELETE'))
    ) as "accessibleTo",
    (
      select coalesce(json_agg(distinct coalesce(r.rolname, 'public')), '[]')
      from aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) g
      left join pg_roles r on r.oid = g.grantee
      where g.privilege_type = 'SELECT' and g.grantee <> c.relowner
    ) as readers
  from looked_at n
  join pg_class c on c.relnamespace = n.oid
  join pg_roles o on o.oid = c.relowner
  where c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition`;

/**
 * ViewFacts. Views are rules in pg_rewrite; a view reads the relations that its rule depends on.
 * Source: PostgreSQL manual, "Rules and Privileges"; CREATE VIEW (security_invoker since 15).
 */
export const views = /* sql */ `
  with recursive ${scope},
  below (root, oid) as (
    select oid, oid from pg_class
    where relkind in ('v', 'm') and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    union
    select below.root, d.refobjid
    from below
    join pg_rewrite w on w.ev_class = below.oid
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid <> below.oid
  ),
  protected as (
    select b.root, t.oid, t.relowner, t.relforcerowsecurity, format('%s.%s', n.nspname, t.relname) as name
    from below b
    join pg_class t on t.oid = b.oid and t.relrowsecurity
    join pg_namespace n on n.oid = t.relnamespace
  )
  select n.nspname as schema, v.relname as name, v.relkind = 'm' as materialized, o.rolname as owner,
    exists (
      select from pg_options_to_table(v.reloptions) where option_name = 'security_invoker' and option_value::boolean
    ) as "securityInvoker",
    json_agg(distinct p.name) as protects,
    bool_or(
      o.rolsuper or o.rolbypassrls or (not p.relforcerowsecurity and pg_has_role(o.oid, p.relowner, 'USAGE'))
    ) as "ownerIsExempt",
    (
      select coalesce(json_agg(distinct format('%s.%s', s.name, c.relname)), '[]')
      from below b
      join pg_class c on c.oid = b.root
      join looked_at s on s.oid = c.relnamespace
      where b.oid = v.oid
    ) as "readThrough"
  from protected p
  join pg_class v on v.oid = p.root
  join pg_namespace n on n.oid = v.relnamespace
  join pg_roles o on o.oid = v.relowner
  group by v.oid, n.nspname, v.relname, v.relkind, v.reloptions, o.oid, o.rolname, o.rolsuper, o.rolbypassrls`;
