import type { ServerVersion } from './version.js';

/*
 * The queries of information_schema. Names are aliased, because MySQL returns them in capitals.
 * Source: MariaDB and MySQL manuals, "Information Schema Tables".
 */

/** A query of the catalogue. */
export interface CatalogQuery {
  /** The expression of each member of a row. */
  readonly columns: Readonly<Record<string, string>>;
  /** The text after FROM; empty if nothing is read. */
  readonly from: string;
  readonly orderBy?: string;
  /**
   * How many placeholder lists of schemas the query has, if not one. The database finds the tables
   * of a schema by an index only if each table of information_schema is filtered.
   */
  readonly lists?: number;
}

export type CatalogQueries = Readonly<
  Record<
    'schemas' | 'tables' | 'views' | 'columns' | 'indexes' | 'foreignKeys' | 'checks' | 'routines' | 'parameters',
    CatalogQuery
  >
>;

export function selectText({ columns, from, orderBy }: CatalogQuery): string {
  const list = Object.entries(columns).map(([name, expression]) => `${expression} as \`${name}\``);
  const order = orderBy === undefined ? '' : ` order by ${orderBy}`;
  return `select ${list.join(', ')}${from === '' ? '' : ` from ${from}`}${order}`;
}

/** The values of a catalogue query for these schemas. */
export const schemaValues = ({ lists = 1 }: CatalogQuery, schemas: readonly string[]): readonly string[] =>
  Array.from({ length: lists }, () => schemas).flat();

/** Schemas of the server itself. */
const systemSchemas = ['information_schema', 'mysql', 'performance_schema', 'sys'];

/**
 * A query for each part of the catalogue; `schemaValues` makes its values.
 * @param count number of schemas
 */
export function catalogQueries({ flavour }: ServerVersion, count: number): CatalogQueries {
  const some = `(${Array.from({ length: count }, () => '?').join(', ')})`;
  const mariadb = flavour === 'mariadb';
  return {
    schemas: {
      columns: { name: 'schema_name', comment: mariadb ? 'schema_comment' : "''" },
      from: `information_schema.schemata where schema_name in ${some}`,
    },
    tables: {
      columns: {
        schema: 'table_schema',
        name: 'table_name',
        type: 'table_type',
        engine: 'engine',
        transactions: '(select e.transactions from information_schema.engines e where e.engine = tables.engine)',
        comment: 'table_comment',
      },
      from: `information_schema.tables
        where table_schema in ${some} and table_type in ('BASE TABLE', 'SYSTEM VERSIONED', 'VIEW')`,
    },
    views: {
      columns: {
        schema: 'table_schema',
        name: 'table_name',
        definition: 'view_definition',
        updatable: 'is_updatable',
        security: 'security_type',
      },
      from: `information_schema.views where table_schema in ${some}`,
    },
    columns: {
      columns: {
        schema: 'table_schema',
        table: 'table_name',
        name: 'column_name',
        data_type: 'data_type',
        column_type: 'column_type',
        collation: 'collation_name',
        nullable: 'is_nullable',
        default: 'column_default',
        extra: 'extra',
        expression: 'generation_expression',
        comment: 'column_comment',
        privileges: 'privileges',
      },
      from: `information_schema.columns where table_schema in ${some}`,
      orderBy: 'ordinal_position',
    },
    indexes: {
      columns: {
        schema: 'table_schema',
        table: 'table_name',
        name: 'index_name',
        non_unique: 'non_unique',
        column: 'column_name',
        prefix: 'sub_part',
        expression: mariadb ? 'null' : 'expression',
        method: 'index_type',
        comment: 'index_comment',
      },
      from: `information_schema.statistics where table_schema in ${some}`,
      orderBy: 'seq_in_index',
    },
    foreignKeys: {
      columns: {
        schema: 'k.table_schema',
        table: 'k.table_name',
        name: 'k.constraint_name',
        column: 'k.column_name',
        target_schema: 'k.referenced_table_schema',
        target_table: 'k.referenced_table_name',
        target_column: 'k.referenced_column_name',
        on_update: 'r.update_rule',
        on_delete: 'r.delete_rule',
      },
      from: `information_schema.key_column_usage k
        left join information_schema.referential_constraints r
          on r.constraint_schema in ${some} and r.constraint_schema = k.constraint_schema
          and r.table_name = k.table_name and r.constraint_name = k.constraint_name
        where k.table_schema in ${some} and k.referenced_table_name is not null`,
      orderBy: 'k.ordinal_position',
      lists: 2,
    },
    checks: mariadb
      ? {
          columns: {
            schema: 'constraint_schema',
            table: 'table_name',
            name: 'constraint_name',
            clause: 'check_clause',
          },
          from: `information_schema.check_constraints where constraint_schema in ${some}`,
        }
      : {
          columns: {
            schema: 't.table_schema',
            table: 't.table_name',
            name: 'c.constraint_name',
            clause: 'c.check_clause',
          },
          from: `information_schema.check_constraints c
            join information_schema.table_constraints t
              on t.constraint_schema = c.constraint_schema and t.constraint_name = c.constraint_name
            where c.constraint_schema in ${some} and t.constraint_type = 'CHECK'`,
        },
    routines: {
      columns: {
        schema: 'routine_schema',
        name: 'routine_name',
        kind: 'routine_type',
        deterministic: 'is_deterministic',
        access: 'sql_data_access',
        security: 'security_type',
        comment: 'routine_comment',
      },
      from: `information_schema.routines
        where routine_schema in ${some} and routine_type in ('PROCEDURE', 'FUNCTION')`,
    },
    parameters: {
      columns: {
        schema: 'specific_schema',
        routine: 'specific_name',
        kind: 'routine_type',
        position: 'ordinal_position',
        mode: 'parameter_mode',
        name: 'parameter_name',
        data_type: 'data_type',
        column_type: 'dtd_identifier',
        collation: 'collation_name',
      },
      from: `information_schema.parameters where specific_schema in ${some}`,
      orderBy: 'ordinal_position',
    },
  };
}

export const versionQuery: CatalogQuery = { columns: { version: 'version()' }, from: '' };

/** The current user, as privileges name it. */
export const granteeQuery: CatalogQuery = { columns: { user: 'current_user()', role: 'current_role()' }, from: '' };

/**
 * Every schema except those of the server, and the schema in the address, even if it no longer
 * exists.
 */
export const schemasQuery: CatalogQuery = {
  columns: { name: 'schema_name', chosen: 'schema_name = database()', current: 'database()' },
  from: `information_schema.schemata
    where schema_name not in (${systemSchemas.map((name) => `'${name}'`).join(', ')})`,
};

/** Privileges to delete rows, as three kinds of rows; the last kind has LIKE patterns. */
export const deleteGrantsQuery: CatalogQuery = {
  columns: { schema: 'g.s', table: 'g.t' },
  from: `(
    select null as s, null as t from information_schema.user_privileges where privilege_type = 'DELETE' and grantee = ?
    union all
    select table_schema, null from information_schema.schema_privileges where privilege_type = 'DELETE' and grantee = ?
    union all
    select table_schema, table_name from information_schema.table_privileges
    where privilege_type = 'DELETE' and grantee = ?) as g`,
};
