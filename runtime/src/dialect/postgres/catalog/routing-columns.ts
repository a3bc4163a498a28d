/**
 * `routing_list`: the columns of the partition keys of each partitioned table with a foreign
 * partition, at any level. An update that changes such a column runs on the other server and leaves
 * the row in its partition, where lookups by the key no longer find it.
 * Source: PostgreSQL manual, pg_inherits, pg_depend; src/backend/catalog/heap.c.
 */
export const routingColumns = /* sql */ `
  -- Partitioned tables with a foreign partition, and the tables above them.
  spread (oid) as (
    select i.inhparent
    from pg_class c
    join pg_inherits i on i.inhrelid = c.oid
    where c.relkind = 'f' and c.relispartition
    union
    select i.inhparent
    from spread s
    join pg_class c on c.oid = s.oid and c.relispartition
    join pg_inherits i on i.inhrelid = s.oid
  ),
  spread_level (relation, level) as (
    select oid, oid from spread
    union
    select l.relation, s.oid
    from spread_level l
    join pg_inherits i on i.inhparent = l.level
    join spread s on s.oid = i.inhrelid
  ),
  routing_column as (
    -- Columns of a partition key, in its expressions too, depend on their table as parts of it.
    select distinct l.relation, a.attname::text collate "C" as name
    from spread_level l
    join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = l.level and d.objsubid > 0
      and d.refclassid = 'pg_class'::regclass and d.refobjid = l.level and d.refobjsubid = 0 and d.deptype = 'i'
    join pg_attribute a on a.attrelid = l.level and a.attnum = d.objsubid
  ),
  routing_list as (
    select relation, json_agg(name order by name) as columns from routing_column group by relation
  )`;
