const described = (...more: readonly string[]): string =>
  `json_build_object(${[
    `'name', i.name, 'method', i.method, 'unique', i.indisunique`,
    `'keys', ic.keys, 'include', coalesce(ic.include, '[]')`,
    `'predicate', pg_get_expr(i.indpred, i.indrelid)`,
    ...more,
  ].join(', ')})`;

/**
 * `index_list`: the usable indexes of each relation, by name.
 * Source: PostgreSQL manual, pg_index, pg_get_indexdef.
 */
export const indexList = /* sql */ `
  index_of_relation as materialized (
    select i.*, c.relname as name, am.amname as method
    from keyed_relation r
    join pg_index i on i.indrelid = r.oid and i.indisvalid
    join pg_class c on c.oid = i.indexrelid
    join pg_am am on am.oid = c.relam
  ),
  index_columns as (
    select
      i.indexrelid,
      json_agg(json_build_object(
        'column', a.attname,
        'expression', case when a.attname is null then pg_get_indexdef(i.indexrelid, u.position::int, false) end
      ) order by u.position) filter (where u.position <= i.indnkeyatts) as keys,
      json_agg(a.attname order by u.position) filter (where u.position > i.indnkeyatts) as include,
      -- Included columns have neither a class of operators nor a collation.
      bool_or(not o.opcdefault or u.collating <> a.attcollation) as compares_otherwise
    from index_of_relation i
    cross join unnest(i.indkey::int2[], i.indclass::oid[], i.indcollation::oid[])
      with ordinality as u (number, class, collating, position)
    -- Number 0 is an expression: it finds no column.
    left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = u.number and u.number <> 0
    left join pg_opclass o on o.oid = u.class
    group by i.indexrelid
  ),
  index_list as (
    select
      i.indrelid as relation,
      json_agg(
        case when i.indisunique and ic.compares_otherwise then ${described("'comparesOtherwise', true")}
        else ${described()} end
      order by i.name collate "C") as indexes
    from index_of_relation i
    join index_columns ic on ic.indexrelid = i.indexrelid
    group by i.indrelid
  )`;
