import type { BoundStatement } from '../../../plan/statement.js';

const columns = (privilege: string): string => `
  case
    when not has_schema_privilege(r.oid, n.oid, 'USAGE') then '[]'::json
    when has_table_privilege(r.oid, c.oid, '${privilege}') then 'true'::json
    else coalesce((
      select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and has_column_privilege(r.oid, c.oid, a.attnum, '${privilege}')), '[]'::json)
  end`;

/**
 * One row with one text: `RoleRights` as JSON; no row for a role that is not there. The database
 * decides, so that membership, inheritance, PUBLIC and superusers count as in its own checks.
 * @param role undefined: that of the connection
 */
export const rightsOf = (role: string | undefined): BoundStatement => ({ text, values: [role ?? null] });

const text = `
  select json_build_object(
    'tables', coalesce((
      select json_agg(json_build_object(
        'schema', n.nspname, 'name', c.relname,
        'select', ${columns('SELECT')}, 'insert', ${columns('INSERT')}, 'update', ${columns('UPDATE')},
        'delete', has_schema_privilege(r.oid, n.oid, 'USAGE') and has_table_privilege(r.oid, c.oid, 'DELETE')
      ) order by n.nspname, c.relname)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p', 'f', 'v', 'm') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    ), '[]'::json),
    'denied', coalesce((
      select json_agg(json_build_object('schema', n.nspname, 'name', p.proname, 'inputs', (
        select coalesce(json_agg(coalesce(p.proargnames[at], '') order by at), '[]'::json)
        from generate_series(1, coalesce(cardinality(p.proallargtypes), p.pronargs)) at
        where p.proargmodes is null or p.proargmodes[at] in ('i', 'b', 'v')
      )) order by n.nspname, p.proname, p.oid)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
      where n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
        and not (has_schema_privilege(r.oid, n.oid, 'USAGE') and has_function_privilege(r.oid, p.oid, 'EXECUTE'))
    ), '[]'::json)
  )::text as rights
  from pg_roles r where r.rolname = coalesce($1::text, session_user)`;
