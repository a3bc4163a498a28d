/**
 * References to types. `type_reference` has one row for every type of the database: an array refers
 * to its element. `not_null_domain`: domains that refuse null, themselves or by the domain they are
 * made of.
 * Source: PostgreSQL manual, pg_type (typtype, typelem, typarray); "Domain Types".
 */
export const typeReference = /* sql */ `
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
      end as kind
    from pg_type t
    -- int2vector and its like have an element but are not arrays: theirs does not point back.
    left join pg_type element on element.oid = t.typelem and element.typarray = t.oid
    join pg_type e on e.oid = coalesce(element.oid, t.oid)
    join pg_namespace n on n.oid = e.typnamespace
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
  return `json_build_object(
        'schema', ${alias}.schema, 'name', ${alias}.name, 'array', ${alias}.is_array, 'kind', ${alias}.kind,
        'modifier', nullif(${modifier}, -1), 'formatted', format_type(${alias}.oid, ${modifier}))`;
}
