import { typeRef } from './type-reference.js';

/**
 * `routine`: functions and procedures of the served schemas; no aggregate, window or trigger
 * function, none of an extension, and none that came with a type (a range's constructors).
 * `argument_list`: their arguments, in order. The last `pronargdefaults` of the input arguments
 * have a default.
 * Source: PostgreSQL manual, pg_proc.
 */
export const routineScope = /* sql */ `
  routine as materialized (
    select
      p.oid, s.name as schema, p.proname as name, p.prokind, p.prorettype, p.proretset, p.prorows, p.provolatile, p.proisstrict,
      p.prosecdef, p.proargmodes, p.proargnames, p.pronargs, p.pronargdefaults, s.usable,
      coalesce(p.proallargtypes, p.proargtypes::oid[]) as argument_types
    from pg_proc p
    join served_schema s on s.oid = p.pronamespace
    where p.prokind in ('f', 'p')
      and p.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
      and p.oid not in (select objid from pg_depend where classid = 'pg_proc'::regclass and deptype in ('e', 'i'))
  ),
  argument as (
    select
      p.oid, u.type, u.position, p.pronargs, p.pronargdefaults, coalesce(p.proargnames[u.position], '') as name,
      coalesce(p.proargmodes[u.position], 'i') as mode,
      count(*) filter (where coalesce(p.proargmodes[u.position], 'i') in ('i', 'b', 'v'))
        over (partition by p.oid order by u.position) as input_position
    from routine p
    cross join unnest(p.argument_types) with ordinality as u (type, position)
  ),
  argument_list as (
    select
      a.oid as routine,
      json_agg(json_build_object(
        'name', a.name,
        'mode', case a.mode
          when 'o' then 'out' when 'b' then 'inout' when 'v' then 'variadic' when 't' then 'table' else 'in' end,
        'type', ${typeRef('t', 'null::int')},
        'hasDefault', a.mode in ('i', 'b', 'v') and a.input_position > a.pronargs - a.pronargdefaults
      ) order by a.position) as arguments
    from argument a
    join type_reference t on t.oid = a.type
    group by a.oid
  )`;

/**
 * `routines`: Routine[], by schema, name and signature. Source: PostgreSQL manual, pg_proc, CREATE
 * FUNCTION.
 */
export const routines = /* sql */ `
  select coalesce(json_agg(json_build_object(
    'schema', p.schema,
    'name', p.name,
    'kind', case p.prokind when 'p' then 'procedure' else 'function' end,
    'signature', p.signature,
    'arguments', coalesce(al.arguments, '[]'),
    'returns', case when p.prokind = 'f' then ${typeRef('t', 'null::int')} end,
    'returnsSet', p.proretset,
    'returnsOne', case when p.proretset and p.prorows = 1 then true end,
    'volatility', case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
    'strict', p.proisstrict,
    'securityDefiner', p.prosecdef,
    'executable', p.usable and has_function_privilege(p.oid, 'EXECUTE'),
    'comment', d.description
  ) order by p.schema collate "C", p.name collate "C", p.signature collate "C"), '[]')
  from (select r.*, pg_get_function_identity_arguments(r.oid) as signature from routine r) p
  join type_reference t on t.oid = p.prorettype
  left join argument_list al on al.routine = p.oid
  left join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass and d.objsubid = 0`;

/**
 * `extensions`: Extension[], those of the database, independent of the served schemas.
 * Source: PostgreSQL manual, pg_extension.
 */
export const extensions = /* sql */ `
  select coalesce(json_agg(json_build_object(
    'name', e.extname, 'schema', n.nspname, 'version', e.extversion
  ) order by e.extname collate "C"), '[]')
  from pg_extension e
  join pg_namespace n on n.oid = e.extnamespace`;
