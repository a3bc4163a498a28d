/**
 * References to types. `type_reference` has one row for every type of the database: an array refers
 * to its element. `not_null_domain`: domains that refuse null, themselves or by the domain they are
 * made of. `operators`: where the operators of a base type are, if not beside the type.
 * Source: PostgreSQL manual, pg_type (typtype, typelem, typarray); "Domain Types"; pg_opclass,
 * pg_amop.
 */
export const typeReference = /* sql */ `
  -- Strategy 3 of a btree is equality.
  ordering as (
    select c.opcintype as type, o.oprnamespace as schema
    from pg_opclass c
    join pg_am m on m.oid = c.opcmethod and m.amname = 'btree'
    join pg_amop a
      on a.amopfamily = c.opcfamily and a.amopstrategy = 3
      and a.amoplefttype = c.opcintype and a.amoprighttype = c.opcintype
    join pg_operator o on o.oid = a.amopopr
    where c.opcdefault
  ),
  type_reference as materialized (
    select
      t.oid, n.nspname as schema, e.typname as name, e.oid <> t.oid as is_array,
      case e.typtype
        when 'e' then 'enum'
        when 'd' then 'domain'
        when 'c' then 'composite'
        when 'r' then 'range'
        when 'm' then 'multirange'
        when 'p' then 'pseudo'
        else 'base'
      end as kind,
      case when e.typtype = 'b' and ordering.schema <> e.typnamespace then o.nspname end as operators
    from pg_type t
    -- int2vector and its like have an element but are not arrays: theirs does not point back.
    left join pg_type element on element.oid = t.typelem and element.typarray = t.oid
    join pg_type e on e.oid = coalesce(element.oid, t.oid)
    join pg_namespace n on n.oid = e.typnamespace
    left join ordering on ordering.type = e.oid
    left join pg_namespace o on o.oid = ordering.schema
  ),
  not_null_domain as (
    select oid from pg_type where typtype = 'd' and typnotnull
    union
    select t.oid from pg_type t join not_null_domain d on d.oid = t.typbasetype where t.typtype = 'd'
  )`;

/**
 * A TypeRef as JSON.
 * @param alias of a joined row of `type_reference`
 * @param modifier SQL of the type modifier, `null` where there is none to have
 */
export function typeRef(alias: string, modifier: string): string {
  const members = `
        'schema', ${alias}.schema, 'name', ${alias}.name, 'array', ${alias}.is_array, 'kind', ${alias}.kind,
        'modifier', nullif(${modifier}, -1), 'formatted', format_type(${alias}.oid, ${modifier})`;
  return `case when ${alias}.operators is null then json_build_object(${members})
        else json_build_object(${members}, 'operators', ${alias}.operators) end`;
}
