/**
 * `media_handler_list`: for each relation the aggregates over its rows that answer a domain with
 * the name of a media type; without a relation, those over `anyelement`. Of several for one type
 * the first by name counts.
 * Source: PostgreSQL manual, pg_aggregate; PostgREST, "Media Type Handlers".
 */
export const mediaHandlerList = /* sql */ `
  media_domain as (
    select t.oid, lower(t.typname) as media, t.typbasetype as base
    from pg_type t
    where t.typtype = 'd' and t.typname ~ '^([A-Za-z0-9_.-]+/[A-Za-z0-9_.+-]+|[*]/[*])$'
    union all
    select m.oid, m.media, t.typbasetype
    from media_domain m
    join pg_type t on t.oid = m.base and t.typtype = 'd'
  ),
  media_handler as (
    select distinct on (r.oid, m.media)
      r.oid as relation, t.oid = 'anyelement'::regtype as takes_any, m.media, s.name as schema, p.proname as name, m.base = 'bytea'::regtype as is_binary
    from media_domain m
    join pg_type b on b.oid = m.base and b.typtype <> 'd'
    join pg_proc p on p.prorettype = m.oid and p.prokind = 'a' and p.pronargs = 1
    join pg_aggregate g on g.aggfnoid = p.oid and g.aggkind = 'n'
    join served_schema s on s.oid = p.pronamespace
    join pg_type t on t.oid = p.proargtypes[0]
    left join relation r on r.oid = t.typrelid
    left join extension_member e on e.classid = 'pg_proc'::regclass and e.objid = p.oid
    where e.objid is null and (r.oid is not null or t.oid = 'anyelement'::regtype)
    order by r.oid, m.media, s.name collate "C", p.proname collate "C"
  ),
  media_handler_list as (
    select
      relation,
      json_agg(json_strip_nulls(json_build_object(
        'schema', schema, 'name', name, 'media', media, 'takesAny', case when takes_any then true end,
        'isBinary', case when is_binary then true end
      )) order by media collate "C") as handlers
    from media_handler
    group by relation
  )`;

/** `mediaHandlers`: MediaHandler[] over any rows; null without any. */
export const mediaHandlers = /* sql */ `
  select handlers from media_handler_list where relation is null`;
