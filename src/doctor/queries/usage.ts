import { scope } from './roles.js';

/** Facts about the whole database, in one row. */
export const database = /* sql */ `
  select
    -- Statistics are kept when the server restarts: those that were never reset are as old as its start at least.
    (
      select floor(extract(epoch from now() - coalesce(stats_reset, pg_postmaster_start_time())) / 86400)::int
      from pg_stat_database
      where datname = current_database()
    ) as "statisticsDays",
    (select has_schema_privilege('public', oid, 'CREATE') from pg_namespace where nspname = 'public') as "publicIsOpen"`;

/**
 * IndexFacts: the usable indexes of the tables, without those of partitions, which belong to their
 * parent's.
 * Source: PostgreSQL manual, pg_index, pg_stat_all_indexes.
 */
export const indexes = /* sql */ `
  with ${scope}
  select n.name as schema, c.relname as name, t.relname as "table", c.relkind = 'I' as partitioned,
    i.indisunique as "unique", i.indisprimary as "primary",
    (select k.conname from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x') limit 1) as constraint,
    i.indisreplident or i.indisclustered as chosen,
    concat_ws(' / ', c.relam, i.indnkeyatts, i.indkey, i.indclass, i.indcollation, i.indoption,
      pg_get_expr(i.indexprs, i.indrelid), '', pg_get_expr(i.indpred, i.indrelid)) as layout,
    coalesce(s.idx_scan, 0) as scans,
    coalesce(u.seq_scan, 0) + coalesce(u.idx_scan, 0) as "tableScans",
    case when c.relkind = 'i' then pg_relation_size(c.oid) else 0 end as bytes
  from looked_at n
  join pg_class t on t.relnamespace = n.oid and not t.relispartition
  join pg_index i on i.indrelid = t.oid and i.indisvalid
  join pg_class c on c.oid = i.indexrelid
  left join pg_stat_user_indexes s on s.indexrelid = c.oid
  left join pg_stat_user_tables u on u.relid = t.oid
  where t.relkind in ('r', 'p', 'm')`;

/** SequenceFacts. Source: PostgreSQL manual, pg_sequences, pg_depend (a: serial, i: identity). */
export const sequences = /* sql */ `
  with ${scope}
  select n.name as schema, c.relname as name, format_type(q.seqtypid, null) as type,
    q.seqmax::text as max, s.last_value::text as last, q.seqcycle as cycles, q.seqincrement > 0 as ascends,
    case when t.oid is not null then json_build_object(
      'schema', tn.nspname, 'name', t.relname, 'column', a.attname,
      'type', format_type(a.atttypid, null), 'identity', a.attidentity <> '') end as "column"
  from looked_at n
  join pg_class c on c.relnamespace = n.oid and c.relkind = 'S'
  join pg_sequence q on q.seqrelid = c.oid
  join pg_sequences s on s.schemaname = n.name and s.sequencename = c.relname
  left join pg_depend d on d.classid = 'pg_class'::regclass and d.objid = c.oid
    and d.refclassid = 'pg_class'::regclass and d.deptype in ('a', 'i') and d.refobjsubid > 0
  left join pg_class t on t.oid = d.refobjid
  left join pg_namespace tn on tn.oid = t.relnamespace
  left join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid`;

/**
 * IntegerKeyFacts. The last bound of the histogram is the largest value of ANALYZE's sample: no
 * table is read for it.
 */
export const integerKeys = /* sql */ `
  with ${scope}
  select n.name as schema, t.relname as name, a.attname as "column", format_type(a.atttypid, null) as type,
    h.bounds[array_upper(h.bounds, 1)] as largest
  from looked_at n
  join pg_class t on t.relnamespace = n.oid and t.relkind in ('r', 'p') and not t.relispartition
  join pg_index i on i.indrelid = t.oid and i.indisprimary and i.indnkeyatts = 1
  join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
    and a.atttypid in ('int2'::regtype, 'int4'::regtype) and a.attidentity = ''
  join pg_stats s on s.schemaname = n.name and s.tablename = t.relname and s.attname = a.attname
  cross join lateral (select s.histogram_bounds::text::text[] as bounds) h
  where h.bounds is not null and pg_get_serial_sequence(format('%I.%I', n.name, t.relname), a.attname) is null`;

/**
 * ChangeFacts. Source: PostgreSQL manual, pg_publication_tables, pg_trigger. The names are those of
 * `tablewright changes --sql`.
 */
export const changes = /* sql */ `
  with ${scope}
  select n.name as schema, c.relname as name, current_setting('wal_level') = 'logical' as logged,
    exists (
      select from pg_publication_tables p
      where p.pubname = 'tablewright' and p.schemaname = n.name and p.tablename = c.relname
    ) as published,
    (
      select count(*) >= 3 from pg_trigger t
      where t.tgrelid = c.oid and t.tgenabled <> 'D' and t.tgname like 'tablewright\\_changes\\_%'
    ) as triggered
  from looked_at n
  join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p') and not c.relispartition`;

/** ForeignServerFacts. Source: PostgreSQL manual, pg_foreign_table, pg_inherits. */
export const foreignServers = /* sql */ `
  with recursive ${scope},
  part (root, oid) as (
    select c.oid, c.oid
    from looked_at n
    join pg_class c on c.relnamespace = n.oid and c.relkind in ('r', 'p', 'f') and not c.relispartition
    union
    select p.root, i.inhrelid from part p join pg_inherits i on i.inhparent = p.oid
  )
  select n.nspname as schema, c.relname as name, json_agg(distinct s.srvname order by s.srvname) as servers
  from part p
  join pg_foreign_table f on f.ftrelid = p.oid
  join pg_foreign_server s on s.oid = f.ftserver
  join pg_class c on c.oid = p.root
  join pg_namespace n on n.oid = c.relnamespace
  group by n.nspname, c.relname`;
