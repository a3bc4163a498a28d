import { constraintComments } from './constraints.js';
import { typeRef } from './type-reference.js';
import type { ServerVersion } from './version.js';

/**
 * `used_type`: the types of the served schemas that belong to no extension, and every type that a
 * column, an argument or one of those types refers to, wherever it lives: an enum in a schema that
 * is not served still needs its labels.
 * Source: PostgreSQL manual, pg_type, pg_range (multiranges since 14).
 */
export function usedTypes(version: ServerVersion): string {
  const multiranges = version.multiranges ? 'union all select rngmultitypid, rngtypid from pg_range' : '';
  return /* sql */ `
  composite_type as materialized (
    select t.oid, t.typrelid as relation
    from pg_type t
    join pg_class c on c.oid = t.typrelid and c.relkind = 'c'
  ),
  type_edge as materialized (
    select oid as source, typelem as target from pg_type where typelem <> 0
    union all select oid, typbasetype from pg_type where typtype = 'd'
    union all select rngtypid, rngsubtype from pg_range
    ${multiranges}
    union all
    select c.oid, a.atttypid
    from composite_type c
    join pg_attribute a on a.attrelid = c.relation and not a.attisdropped
  ),
  used_type as (
    select t.oid
    from pg_type t
    join served_schema s on s.oid = t.typnamespace
    left join extension_member m on m.classid = 'pg_type'::regclass and m.objid = t.oid
    where t.typtype in ('e', 'd', 'r', 'c') and m.objid is null
    union
    select a.atttypid from relation r join pg_attribute a on a.attrelid = r.oid and not a.attisdropped
    union
    select u.type from routine p cross join unnest(p.argument_types || p.prorettype) as u (type)
    union
    select e.target from used_type u join type_edge e on e.source = u.oid
  )`;
}

/** `enums`: EnumType[], labels in the enum's order. Source: PostgreSQL manual, pg_enum. */
export const enums = /* sql */ `
  select coalesce(json_agg(json_build_object(
    'schema', t.schema, 'name', t.name, 'labels', coalesce(l.labels, '[]'), 'comment', d.description
  ) order by t.schema collate "C", t.name collate "C"), '[]')
  from type_reference t
  join used_type u on u.oid = t.oid
  left join (
    select enumtypid, json_agg(enumlabel order by enumsortorder) as labels from pg_enum group by enumtypid
  ) l on l.enumtypid = t.oid
  left join pg_description d on d.objoid = t.oid and d.classoid = 'pg_type'::regclass and d.objsubid = 0
  where t.kind = 'enum' and not t.is_array`;

/** `domains`: DomainType[]. Source: PostgreSQL manual, CREATE DOMAIN, pg_type, pg_cast. */
export const domains = /* sql */ `
  select coalesce(json_agg(json_build_object(
    'schema', t.schema, 'name', t.name,
    'base', ${typeRef('b', 'p.typtypmod')},
    'notNull', p.typnotnull,
    'default', pg_get_expr(p.typdefaultbin, 'pg_type'::regclass),
    'checks', coalesce(k.checks, '[]'),
    'constraintComments', coalesce(kd.comments, '[]'),
    'comment', d.description,
    'representation', cr.functions
  ) order by t.schema collate "C", t.name collate "C"), '[]')
  from type_reference t
  join used_type u on u.oid = t.oid
  join pg_type p on p.oid = t.oid
  join type_reference b on b.oid = p.typbasetype
  left join (
    select contypid, json_agg(json_build_object('name', conname, 'definition', pg_get_constraintdef(oid))
      order by conname collate "C") as checks
    from pg_constraint
    where contypid <> 0 and contype = 'c'
    group by contypid
  ) k on k.contypid = t.oid
  left join (
    select k.contypid, ${constraintComments('k')} as comments
    from pg_constraint k
    join pg_description d on d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass
    group by k.contypid
  ) kd on kd.contypid = t.oid
  left join (
    select c.domain, json_object_agg(
      c.way, json_build_object('schema', n.nspname, 'name', f.proname) order by c.way
    ) as functions
    from (
      select castsource as domain, 'toJson' as way, castfunc from pg_cast
      where casttarget = 'json'::regtype and castcontext = 'i' and castmethod = 'f'
      union all
      select casttarget, case castsource when 'json'::regtype then 'fromJson' else 'fromText' end, castfunc from pg_cast
      where castsource in ('json'::regtype, 'text'::regtype) and castcontext = 'i' and castmethod = 'f'
    ) c
    join pg_proc f on f.oid = c.castfunc
    join pg_namespace n on n.oid = f.pronamespace
    group by c.domain
  ) cr on cr.domain = t.oid
  left join pg_description d on d.objoid = t.oid and d.classoid = 'pg_type'::regclass and d.objsubid = 0
  where t.kind = 'domain' and not t.is_array`;

/**
 * `composites`: CompositeType[], attributes in order. Source: PostgreSQL manual, "Composite Types".
 */
export const composites = /* sql */ `
  select coalesce(json_agg(json_build_object(
    'schema', t.schema, 'name', t.name, 'attributes', coalesce(l.attributes, '[]'), 'comment', d.description
  ) order by t.schema collate "C", t.name collate "C"), '[]')
  from composite_type c
  join used_type u on u.oid = c.oid
  join type_reference t on t.oid = c.oid
  left join (
    select a.attrelid, json_agg(json_build_object(
      'name', a.attname, 'type', ${typeRef('at', 'a.atttypmod')}, 'comment', ad.description
    ) order by a.attnum) as attributes
    from composite_type c
    join pg_attribute a on a.attrelid = c.relation and a.attnum > 0 and not a.attisdropped
    join type_reference at on at.oid = a.atttypid
    left join pg_description ad
      on ad.objoid = a.attrelid and ad.classoid = 'pg_class'::regclass and ad.objsubid = a.attnum
    group by a.attrelid
  ) l on l.attrelid = c.relation
  left join pg_description d on d.objoid = t.oid and d.classoid = 'pg_type'::regclass and d.objsubid = 0`;

/**
 * `ranges`: RangeType[], those of PostgreSQL itself too where one is used. Source: PostgreSQL
 * manual, pg_range.
 */
export function ranges(version: ServerVersion): string {
  const multirange = version.multiranges ? 'r.rngmultitypid' : 'null::oid';
  return /* sql */ `
  select coalesce(json_agg(json_build_object(
    'schema', t.schema, 'name', t.name,
    'subtype', ${typeRef('s', 'null::int')},
    'multirange', case when m.oid is not null then json_build_object('schema', m.schema, 'name', m.name) end
  ) order by t.schema collate "C", t.name collate "C"), '[]')
  from pg_range r
  join used_type u on u.oid = r.rngtypid
  join type_reference t on t.oid = r.rngtypid
  join type_reference s on s.oid = r.rngsubtype
  left join type_reference m on m.oid = ${multirange}`;
}
