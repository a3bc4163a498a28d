import type { ServerVersion } from './version.js';

/*
 * The queries of information_schema, one for each set. Each has one placeholder list of schemas; names are aliased, because MySQL
 * answers them in capitals. Source: MariaDB and MySQL manuals, "Information Schema Tables".
 */

/** Those of the server itself. */
const systemSchemas = ['information_schema', 'mysql', 'performance_schema', 'sys'];

export interface CatalogQueries {
  readonly schemas: string;
  readonly tables: string;
  readonly views: string;
  readonly columns: string;
  readonly indexes: string;
  readonly foreignKeys: string;
  readonly checks: string;
  readonly routines: string;
  readonly parameters: string;
}

/** @param count how many schemas are asked for */
export function catalogQueries({ flavour }: ServerVersion, count: number): CatalogQueries {
  const some = `(${Array.from({ length: count }, () => '?').join(', ')})`;
  const mariadb = flavour === 'mariadb';
  return {
    schemas: `
      select schema_name as name, ${mariadb ? 'schema_comment' : "''"} as comment
      from information_schema.schemata where schema_name in ${some}`,
    tables: `
      select table_schema as \`schema\`, table_name as name, table_type as type, table_comment as comment
      from information_schema.tables
      where table_schema in ${some} and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')`,
    views: `
      select table_schema as \`schema\`, table_name as name, view_definition as definition,
        is_updatable as updatable, security_type as security
      from information_schema.views where table_schema in ${some}`,
    columns: `
      select table_schema as \`schema\`, table_name as \`table\`, column_name as name, data_type as data_type,
        column_type as column_type, collation_name as collation, is_nullable as nullable,
        column_default as \`default\`, extra as extra, generation_expression as expression,
        column_comment as comment, privileges as privileges
      from information_schema.columns where table_schema in ${some} order by ordinal_position`,
    indexes: `
      select table_schema as \`schema\`, table_name as \`table\`, index_name as name, non_unique as non_unique,
        column_name as \`column\`, sub_part as prefix, ${mariadb ? 'null' : 'expression'} as expression,
        index_type as method, index_comment as comment
      from information_schema.statistics where table_schema in ${some} order by seq_in_index`,
    foreignKeys: `
      select k.table_schema as \`schema\`, k.table_name as \`table\`, k.constraint_name as name,
        k.column_name as \`column\`, k.referenced_table_schema as target_schema,
        k.referenced_table_name as target_table, k.referenced_column_name as target_column,
        r.update_rule as on_update, r.delete_rule as on_delete
      from information_schema.key_column_usage k
      join information_schema.referential_constraints r
        on r.constraint_schema = k.constraint_schema and r.table_name = k.table_name
        and r.constraint_name = k.constraint_name
      where k.table_schema in ${some} and k.referenced_table_name is not null
      order by k.ordinal_position`,
    checks: mariadb
      ? `
      select constraint_schema as \`schema\`, table_name as \`table\`, constraint_name as name, check_clause as clause
      from information_schema.check_constraints where constraint_schema in ${some}`
      : `
      select t.table_schema as \`schema\`, t.table_name as \`table\`, c.constraint_name as name, c.check_clause as clause
      from information_schema.check_constraints c
      join information_schema.table_constraints t
        on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name
      where c.constraint_schema in ${some} and t.constraint_type = 'CHECK'`,
    routines: `
      select routine_schema as \`schema\`, routine_name as name, routine_type as kind,
        is_deterministic as \`deterministic\`, sql_data_access as access, security_type as security,
        routine_comment as comment
      from information_schema.routines
      where routine_schema in ${some} and routine_type in ('PROCEDURE', 'FUNCTION')`,
    parameters: `
      select specific_schema as \`schema\`, specific_name as routine, routine_type as kind,
        ordinal_position as position, parameter_mode as mode, parameter_name as name, data_type as data_type,
        dtd_identifier as column_type, collation_name as collation
      from information_schema.parameters where specific_schema in ${some} order by ordinal_position`,
  };
}

/** The schemas to read when none is asked for: the one that the address names, else all but the server's own. */
export const defaultSchemas = `
  select schema_name as name, schema_name = database() as chosen from information_schema.schemata
  where schema_name not in (${systemSchemas.map((name) => `'${name}'`).join(', ')})`;

/** Who may delete rows of what: a row of three kinds, of which the last are patterns of LIKE. */
export const deleteGrants = `
  select null as \`schema\`, null as \`table\` from information_schema.user_privileges where privilege_type = 'DELETE' and grantee = ?
  union all
  select table_schema, null from information_schema.schema_privileges where privilege_type = 'DELETE' and grantee = ?
  union all
  select table_schema, table_name from information_schema.table_privileges
  where privilege_type = 'DELETE' and grantee = ?`;
