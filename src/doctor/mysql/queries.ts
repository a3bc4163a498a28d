/*
 * The doctor's queries of information_schema, each about the schemas in its list of placeholders.
 * Names are aliased, because some servers return them in capitals. Source: MariaDB manual,
 * "Information Schema Tables".
 */

export interface DoctorQueries {
  readonly views: string;
  readonly functions: string;
  readonly programs: string;
  readonly indexes: string;
  readonly counters: string;
}

/** @param count how many schemas are asked for */
export function doctorQueries(count: number): DoctorQueries {
  const some = `(${Array.from({ length: count }, () => '?').join(', ')})`;
  return {
    views: `
      select table_schema as \`schema\`, table_name as name, view_definition as definition, definer as definer,
        security_type as security, check_option as check_option
      from information_schema.views where table_schema in ${some} order by 1, 2`,
    functions: `
      select routine_schema as \`schema\`, routine_name as name, routine_definition as body, dtd_identifier as returns,
        is_deterministic as \`deterministic\`, sql_data_access as access, definer as definer, security_type as security
      from information_schema.routines where routine_type = 'FUNCTION' and routine_schema in ${some} order by 1, 2`,
    programs: `
      select routine_schema as \`schema\`, routine_name as name, lower(routine_type) as kind, definer as definer
      from information_schema.routines
      where security_type = 'DEFINER' and routine_type in ('PROCEDURE', 'FUNCTION') and routine_schema in ${some}
      order by 1, 2, 3`,
    indexes: `
      select table_schema as \`schema\`, table_name as \`table\`, index_name as name, non_unique as non_unique,
        group_concat(concat_ws(' ', column_name, sub_part, collation, index_type) order by seq_in_index separator ', ')
          as layout
      from information_schema.statistics where table_schema in ${some} group by 1, 2, 3, 4 order by 1, 2, 3`,
    counters: `
      select t.table_schema as \`schema\`, t.table_name as name, c.column_name as \`column\`, c.column_type as type,
        t.auto_increment as next
      from information_schema.tables t
      join information_schema.columns c
        on c.table_schema = t.table_schema and c.table_name = t.table_name and c.extra like '%auto_increment%'
      where t.auto_increment is not null and t.table_schema in ${some} order by 1, 2`,
  };
}

/** Triggers have no other rights than their definer's. */
export const triggersQuery = (count: number): string => `
  select trigger_schema as \`schema\`, trigger_name as name, 'trigger' as kind, definer as definer
  from information_schema.triggers
  where trigger_schema in (${Array.from({ length: count }, () => '?').join(', ')}) order by 1, 2`;

/**
 * The rights of an account, named once for each of the tables that hold them, and whether it may
 * hand them on.
 */
export const rightsQuery = `
  select privilege_type as \`right\`, null as \`schema\`, null as \`table\`, is_grantable as grantable
  from information_schema.user_privileges where grantee = ?
  union all
  select privilege_type, table_schema, null, is_grantable from information_schema.schema_privileges where grantee = ?
  union all
  select privilege_type, table_schema, table_name, is_grantable from information_schema.table_privileges where grantee = ?
  union
  select privilege_type, table_schema, table_name, 'NO' from information_schema.column_privileges where grantee = ?`;

/** Every account, as the server lists them for users who may read its own tables. */
export const accountsQuery = `
  select grantee as account, max(privilege_type in ('SUPER', 'SET USER')) as administrator
  from information_schema.user_privileges group by grantee order by grantee`;
