import { typeRef } from './type-reference.js';

/**
 * `column_list`: the columns of each relation, in the table's order.
 * Source: PostgreSQL manual, pg_attribute, pg_attrdef; information_schema.columns for what counts
 * as nullable and updatable.
 */
export const columnList = /* sql */ `
  -- NOT NULL … NOT VALID, since 18: rows that are older than the constraint may have null.
  unvalidated_not_null as (
    select conrelid as relation, conkey[1] as number
    from pg_constraint
    where contype = 'n' and conrelid <> 0 and not convalidated
  ),
  column_list as (
    select
      a.attrelid as relation,
      json_agg(json_build_object(
        'name', a.attname,
        'type', ${typeRef('t', 'a.atttypmod')},
        'nullable', r.kind in ('v', 'm') or not (a.attnotnull and nv.relation is null or nn.oid is not null),
        'default', pg_get_expr(def.adbin, def.adrelid),
        'identity', case a.attidentity when 'a' then 'always' when 'd' then 'byDefault' end,
        'generated', case a.attgenerated when 's' then 'stored' when 'v' then 'virtual' end,
        'updatable', a.attgenerated = '' and case
          when r.kind in ('r', 'p') then true
          when r.kind in ('m', 'f') then r.events <> 0
          -- pg_column_is_updatable asks for UPDATE and DELETE both; a view with an INSTEAD OF INSERT trigger or an INSTEAD rule alone takes values too.
          else r.written_instead or pg_column_is_updatable(a.attrelid, a.attnum, true)
        end,
        'comment', d.description
      ) order by a.attnum) as columns
    from relation r
    join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
    join type_reference t on t.oid = a.atttypid
    left join not_null_domain nn on nn.oid = a.atttypid
    left join unvalidated_not_null nv on nv.relation = a.attrelid and nv.number = a.attnum
    left join pg_attrdef def on def.adrelid = a.attrelid and def.adnum = a.attnum
    left join pg_description d
      on d.objoid = a.attrelid and d.classoid = 'pg_class'::regclass and d.objsubid = a.attnum
    group by a.attrelid
  )`;
