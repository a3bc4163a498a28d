import type { BoundStatement } from '../../../plan/statement.js';

/**
 * One row with one text: `UnreadColumns` as JSON. Without a grant on columns a role reads all
 * columns of a table or none; it reads tableoid only with a grant of the table, or of tableoid
 * itself. Roles that the connection cannot take are left out.
 */
export const unreadColumns: BoundStatement = {
  text: `
  select coalesce(json_agg(json_build_object(
    'role', r.rolname, 'isOwn', r.rolname = session_user, 'schema', n.nspname, 'name', c.relname,
    'columns', (
      select json_agg(a.attname order by a.attnum) from pg_attribute a
      where a.attrelid = c.oid and (a.attnum > 0 or a.attname = 'tableoid') and not a.attisdropped
        and not has_column_privilege(r.oid, c.oid, a.attnum, 'SELECT'))
  ) order by r.rolname, n.nspname, c.relname), '[]'::json)::text as unread
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  join pg_roles r on not r.rolsuper and r.rolname !~ '^pg_'
    and (r.rolname = session_user or pg_has_role(session_user, r.oid, 'MEMBER'))
  where c.relkind in ('r', 'p', 'f', 'v', 'm') and n.nspname <> 'information_schema' and n.nspname !~ '^pg_'
    and exists (select from pg_attribute a where a.attrelid = c.oid and a.attnum > 0 and a.attacl is not null)
    and not has_table_privilege(r.oid, c.oid, 'SELECT')
    and has_any_column_privilege(r.oid, c.oid, 'SELECT')`,
  values: [],
};
