import { scope } from './roles.js';

/**
 * FunctionFacts: functions and procedures of the schemas, triggers' too, and those that policies
 * call, wherever they are.
 */
export const functions = /* sql */ `
  with ${scope},
  called_by_policies as (
    select distinct d.refobjid as oid
    from pg_depend d
    where d.classid = 'pg_policy'::regclass and d.refclassid = 'pg_proc'::regclass
  ),
  of_extensions as (
    select objid as oid from pg_depend where classid = 'pg_proc'::regclass and deptype = 'e'
  )
  select n.nspname as schema, p.proname as name, pg_get_function_identity_arguments(p.oid) as signature,
    case p.prokind when 'p' then 'procedure' else 'function' end as kind,
    case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end as volatility,
    p.prosecdef as "securityDefiner",
    (
      select substr(setting, length('search_path=') + 1) from unnest(p.proconfig) setting where setting like 'search\\_path=%'
    ) as "searchPath",
    s.oid is not null and e.oid is null as own,
    case when c.oid is not null and e.oid is null then p.prosrc end as source,
    case when c.oid is not null and e.oid is null then pg_get_functiondef(p.oid) end as definition
  from pg_proc p
  join pg_namespace n on n.oid = p.pronamespace
  left join looked_at s on s.oid = p.pronamespace
  left join called_by_policies c on c.oid = p.oid
  left join of_extensions e on e.oid = p.oid
  where p.prokind in ('f', 'p') and (s.oid is not null or c.oid is not null)`;
