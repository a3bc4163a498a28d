import type { ServerVersion } from './version.js';

const action = (column: string): string => `case ${column}
          when 'r' then 'restrict' when 'c' then 'cascade' when 'n' then 'setNull' when 'd' then 'setDefault'
          else 'noAction' end`;

/** ConstraintComment[] of a group of constraints, each with its description `d`. */
export const constraintComments = (constraint: string): string =>
  `json_agg(json_build_object('constraint', ${constraint}.conname, 'comment', d.description)
      order by ${constraint}.conname collate "C")`;

/**
 * `constraint_list`: the constraints of each relation, by name. Key columns keep the constraint's
 * order.
 * Source: PostgreSQL manual, pg_constraint (conpfeqop), "Operator Type Resolution"; CREATE TABLE
 * (NULLS NOT DISTINCT since 15, WITHOUT OVERLAPS and PERIOD since 18).
 */
export function constraintList(version: ServerVersion): string {
  const nullsNotDistinct = version.nullsNotDistinct ? 'coalesce(i.indnullsnotdistinct, false)' : 'false';
  // A temporal UNIQUE forbids overlaps, as an exclusion does; a temporal foreign key joins by
  // containment, not by equality.
  const temporal = version.temporalKeys ? 'k.conperiod' : 'false';
  return /* sql */ `
  constraint_of_relation as materialized (
    select k.*, r.oid as relation, ${temporal} as temporal
    from keyed_relation r
    join pg_constraint k on k.conrelid = r.oid
    -- A key that references a partitioned table has further rows, one for each partition.
    where k.contype in ('p', 'u', 'f', 'c', 'x') and (k.contype <> 'f' or k.conparentid = 0)
  ),
  constraint_columns as (
    select k.oid, json_agg(a.attname order by position) as columns
    from constraint_of_relation k
    cross join unnest(k.conkey) with ordinality as u (number, position)
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number
    where k.contype in ('p', 'u', 'f')
    group by k.oid
  ),
  constraint_references as (
    select
      k.oid,
      json_build_object(
        'schema', n.nspname, 'name', c.relname, 'columns', json_agg(a.attname order by position)
      ) as target
    from constraint_of_relation k
    cross join unnest(k.confkey) with ordinality as u (number, position)
    join pg_attribute a on a.attrelid = k.confrelid and a.attnum = u.number
    join pg_class c on c.oid = k.confrelid
    join pg_namespace n on n.oid = c.relnamespace
    where k.contype = 'f'
    group by k.oid, n.nspname, c.relname
  ),
  -- A domain over a domain has a row for each of the two.
  domain_base (oid, base) as (
    select oid, typbasetype from pg_type where typtype = 'd'
    union
    select d.oid, t.typbasetype from domain_base d join pg_type t on t.oid = d.base and t.typtype = 'd'
  ),
  base_of_type as (
    select t.oid, b.oid as base, b.typcategory as category, b.typispreferred as preferred
    from pg_type t
    left join domain_base d on d.oid = t.oid
    join pg_type b on b.oid = coalesce(d.base, t.oid) and b.typtype <> 'd'
  ),
  key_operator as (
    select
      k.oid, u.position, on_.nspname as schema, o.oprname as name,
      -- PostgreSQL prefers the operator of the preferred type (text = bpchar compares texts).
      case when b.preferred and t.oid <> b.base and t.typcategory = b.category
        then json_build_object('schema', tn.nspname, 'name', t.typname) end as cast_to
    from constraint_of_relation k
    cross join unnest(k.conkey, k.conpfeqop) with ordinality as u (number, operator, position)
    join pg_operator o on o.oid = u.operator
    join pg_namespace on_ on on_.oid = o.oprnamespace
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = u.number
    join base_of_type b on b.oid = a.atttypid
    join pg_type t on t.oid = o.oprright
    join pg_namespace tn on tn.oid = t.typnamespace
    where k.contype = 'f'
  ),
  key_operators as (
    select oid, json_agg(
      case when schema <> 'pg_catalog' or cast_to is not null
        then json_strip_nulls(json_build_object('schema', schema, 'name', name, 'as', cast_to)) end
      order by position
    ) as equality
    from key_operator
    group by oid
    having bool_or(schema <> 'pg_catalog' or cast_to is not null)
  ),
  constraint_list as (
    select
      k.relation,
      json_agg(json_strip_nulls(json_build_object(
        'name', k.conname, 'columns', kc.columns,
        'deferrable', nullif(k.condeferrable, false), 'temporal', nullif(k.temporal, false)
      ))) filter (where k.contype = 'p') -> 0 as primary_key,
      json_agg(json_build_object(
        'name', k.conname, 'columns', kc.columns,
        'nullsNotDistinct', ${nullsNotDistinct}, 'deferrable', k.condeferrable
      ) order by k.conname collate "C") filter (where k.contype = 'u' and not k.temporal) as uniques,
      json_agg(json_build_object(
        'name', k.conname, 'columns', kc.columns, 'references', kr.target, 'equality', ko.equality,
        'onUpdate', ${action('k.confupdtype')},
        'onDelete', ${action('k.confdeltype')},
        'deferrable', k.condeferrable
      ) order by k.conname collate "C") filter (where k.contype = 'f' and not k.temporal) as foreign_keys,
      json_agg(json_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid))
        order by k.conname collate "C") filter (where k.contype = 'c') as checks,
      json_agg(json_build_object('name', k.conname, 'definition', pg_get_constraintdef(k.oid))
        order by k.conname collate "C") filter (where k.contype = 'x' or k.contype = 'u' and k.temporal) as exclusions
    from constraint_of_relation k
    left join constraint_columns kc on kc.oid = k.oid
    left join constraint_references kr on kr.oid = k.oid
    left join key_operators ko on ko.oid = k.oid
    left join pg_index i on i.indexrelid = k.conindid and k.contype = 'u'
    group by k.relation
  ),
  constraint_comments as (
    select r.oid as relation, ${constraintComments('k')} as comments
    from relation r
    join pg_constraint k on k.conrelid = r.oid
    join pg_description d on d.objoid = k.oid and d.classoid = 'pg_constraint'::regclass
    group by r.oid
  )`;
}
