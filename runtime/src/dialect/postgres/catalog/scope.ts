/**
 * The objects to read: `served_schema`, `extension_member` and `relation`. All other queries join
 * to these. `base_relation`: what views of these read, themselves or by other views, and is not
 * served; `keyed_relation`: both. $1 is the list of configured schemas; null means every schema
 * except those of the system and of extensions. Source: PostgreSQL manual, "System Catalogs":
 * pg_namespace, pg_depend, pg_class, pg_rewrite.
 */
export const scope = /* sql */ `
  extension_member as materialized (
    select d.classid, d.objid
    from pg_depend d
    where d.deptype = 'e'
  ),
  served_schema as materialized (
    select n.oid, n.nspname as name, has_schema_privilege(n.oid, 'USAGE') as usable
    from pg_namespace n
    left join extension_member m on m.classid = 'pg_namespace'::regclass and m.objid = n.oid
    where case
      when $1::text[] is not null then n.nspname = any ($1::text[])
      else n.nspname <> 'information_schema' and n.nspname !~ '^pg_' and m.objid is null
    end
  ),
  written_instead as (
    -- tgtype bits: 64 INSTEAD OF, 4 INSERT, 16 UPDATE (src/include/catalog/pg_trigger.h)
    select tgrelid as relation
    from pg_trigger
    where tgtype & 64 <> 0 and tgtype & (4 | 16) <> 0
    union
    select ev_class from pg_rewrite where is_instead and ev_type in ('2', '3')
  ),
  relation as materialized (
    select
      c.oid, s.name as schema, c.relname as name, c.relkind as kind, c.reloptions as options, s.usable,
      c.relrowsecurity as row_security, c.relforcerowsecurity as row_security_forced,
      i.relation is not null as written_instead,
      -- bits of the events it takes: 4 UPDATE, 8 INSERT, 16 DELETE
      case
        when c.relkind in ('r', 'p') then 28
        when c.relkind = 'm' then 0
        -- Without a handler a foreign table can neither be read nor asked.
        when c.relkind = 'f' and w.fdwhandler = 0 then 0
        else pg_relation_is_updatable(c.oid, true)
      end as events
    from pg_class c
    join served_schema s on s.oid = c.relnamespace
    left join extension_member m on m.classid = 'pg_class'::regclass and m.objid = c.oid
    left join written_instead i on i.relation = c.oid
    left join pg_foreign_table ft on ft.ftrelid = c.oid
    left join pg_foreign_server fs on fs.oid = ft.ftserver
    left join pg_foreign_data_wrapper w on w.oid = fs.srvfdw
    -- A partition is part of its parent, which stands for it.
    where c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition and m.objid is null
  ),
  view_edge as materialized (
    select w.ev_class as view, d.refobjid as source
    from pg_rewrite w
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid <> w.ev_class
    where w.ev_type = '1'
  ),
  source_of_view (oid) as (
    select e.source from relation r join view_edge e on e.view = r.oid where r.kind in ('v', 'm')
    union
    select e.source from source_of_view s join view_edge e on e.view = s.oid
  ),
  base_relation as materialized (
    select c.oid, n.nspname as schema, c.relname as name, c.relkind as kind
    from source_of_view s
    join pg_class c on c.oid = s.oid
    join pg_namespace n on n.oid = c.relnamespace
    left join relation r on r.oid = c.oid
    left join extension_member m on m.classid = 'pg_class'::regclass and m.objid = c.oid
    where r.oid is null and m.objid is null and c.relkind in ('r', 'p', 'f', 'v', 'm')
      and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
  ),
  inherited_table as materialized (
    select distinct i.inhparent as relation
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where c.relkind in ('r', 'f') and not c.relispartition
  ),
  keyed_relation as materialized (
    select oid, kind from relation
    union all
    select oid, kind from base_relation
  )`;

/** `schemas`: SchemaFacts[]. */
export const schemas = /* sql */ `
  select coalesce(
    json_agg(json_build_object('name', s.name, 'comment', d.description) order by s.name collate "C"),
    '[]'
  )
  from served_schema s
  left join pg_description d on d.objoid = s.oid and d.classoid = 'pg_namespace'::regclass and d.objsubid = 0`;
