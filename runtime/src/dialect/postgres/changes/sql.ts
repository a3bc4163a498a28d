import pg from 'pg';
import type { WatchedTable } from '../../change-feed.js';
import { changedFunction } from '../catalog/changed-function.js';
import { publication } from './publication.js';

/** The channel of the triggers of the source `notify`. */
export const notifyChannel = 'tablewright_changes';

/** The role that docs and SQL suggest for `app.changes.url`. */
const role = 'tablewright_changes';

/**
 * SQL that lets a server read the changes of these tables from the write-ahead log: a publication,
 * and a role that may read it. It can be run again after tables were added.
 */
export function walSql(tables: readonly WatchedTable[]): string {
  const lines = tables.map((table) => `  ${nameOf(table)}`).join(',\n');
  return `-- Changes of these tables, from the write-ahead log. Run it as the owner of the tables, and again when tables were added.
-- The database server needs wal_level = logical, which takes a restart:  ${logicalLog}
${makePublication}
alter publication ${publication} set table
${lines};

-- The server reads the log as a role of its own, app.changes.url (APP_CHANGES_URL). It reads no table.
-- Run it as a superuser, and set a password:  \\password ${role}
${makeRole}
`;
}

/** Makes the log hold changes. The database server has to be restarted after it. */
export const logicalLog = "alter system set wal_level = 'logical';";

/** Creates the publication if it does not exist. */
const makePublication = `do $$ begin
  if not exists (select from pg_catalog.pg_publication where pubname = '${publication}') then
    create publication ${publication} with (publish_via_partition_root = true);
  end if;
end $$;`;

/** Creates the role of `app.changes.url` if it does not exist. */
const makeRole = `do $$ begin
  if not exists (select from pg_catalog.pg_roles where rolname = '${role}') then
    create role ${role} login replication;
  end if;
end $$;`;

/** The statements that add one table to the publication of `walSql`. */
export const walStatements = (table: WatchedTable): readonly string[] => [
  makePublication,
  `alter publication ${publication} add table ${nameOf(table)};`,
  makeRole,
];

/** The statements that make one table notify its changes. */
export const notifyStatements = (table: WatchedTable): readonly string[] => [notifyFunction, triggersOf(table).trim()];

/** The SQL of `walSql` without tables, for a user who has no database yet. */
export const walOutline: readonly string[] = [
  logicalLog,
  `create publication ${publication} for table schema_name.table_name with (publish_via_partition_root = true);`,
  `create role ${role} login replication password '…';`,
];

/**
 * SQL that makes tables notify their changes, for a database whose log cannot be read. It can be
 * run again after tables were added.
 */
export function notifySql(tables: readonly WatchedTable[]): string {
  return `-- Changes of these tables, by triggers. Run it as the owner of the tables, and again when tables were added.
${notifyFunction}
${tables.map(triggersOf).join('\n')}`;
}

/**
 * Notifies the keys of the rows that a statement changed, as texts that do not depend on the
 * session's settings, and the names of the columns that an update changed. If there are too many
 * keys for a notification, they are left out, and the server asks its subscribers to read again.
 * It does so too for tables that inherit: a statement that names their parent changes their rows,
 * and fires the triggers of the parent alone. Transition tables do not have the table of a row.
 * Source: PostgreSQL manual, "CREATE TRIGGER", Notes.
 */
const notifyFunction = `create or replace function public.${changedFunction}() returns trigger
  language plpgsql
  set search_path = pg_catalog, pg_temp
  set datestyle = 'ISO' set timezone = 'UTC' set intervalstyle = 'iso_8601'
  set bytea_output = 'hex' set extra_float_digits = 1
as $function$
declare
  key text := (select string_agg(format('%I::text', name), ', ') from unnest(tg_argv) as name);
  old_keys text := format('select json_build_array(%s)::text as key from old_rows', key);
  new_keys text := format('select json_build_array(%s)::text as key from new_rows', key);
  operation text;
  rows text;
  keys text;
  amount bigint := 0;
  payload jsonb;
  columns text;
begin
  for operation, rows in
    select v.operation, v.rows from (values
      ('TRUNCATE', null, tg_op = 'TRUNCATE'),
      ('INSERT', new_keys, tg_op = 'INSERT'),
      ('DELETE', old_keys, tg_op = 'DELETE'),
      ('DELETE', format('%s except %s', old_keys, new_keys), tg_op = 'UPDATE'),
      ('INSERT', format('%s except %s', new_keys, old_keys), tg_op = 'UPDATE'),
      ('UPDATE', format('%s intersect %s', new_keys, old_keys), tg_op = 'UPDATE')
    ) as v(operation, rows, applies) where v.applies
  loop
    keys := null;
    if rows is not null then
      execute format('select string_agg(key, '',''), count(*) from (%s limit 501) as k', rows) into keys, amount;
      continue when keys is null;
    end if;
    payload := jsonb_build_object(
      'schema', tg_table_schema, 'table', tg_table_name, 'operation', operation,
      'at', to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'secured', (select relrowsecurity from pg_class where oid = tg_relid));
    if amount <= 500 and octet_length(keys) < 7000 then
      payload := payload || jsonb_build_object('keys', format('[%s]', keys)::jsonb);
      if operation = 'UPDATE' then
        execute format('select to_json(array_remove(array[%s], null))::text from old_rows o join new_rows n on %s',
          (select string_agg(format('case when bool_or(o.%1$I::text is distinct from n.%1$I::text) then %1$L end', attname), ', ')
            from pg_attribute where attrelid = tg_relid and attnum > 0 and not attisdropped),
          (select string_agg(format('o.%1$I::text = n.%1$I::text', name), ' and ') from unnest(tg_argv) as name)) into columns;
        if octet_length(columns) < 500 then
          payload := payload || jsonb_build_object('changed', columns::jsonb);
        end if;
      end if;
    end if;
    perform pg_notify('${notifyChannel}', payload::text);
  end loop;
  if tg_op in ('UPDATE', 'DELETE') and (select relhassubclass and relkind = 'r' from pg_class where oid = tg_relid) then
    perform pg_notify('${notifyChannel}', jsonb_build_object(
      'schema', n.nspname, 'table', c.relname, 'operation', tg_op,
      'at', to_char(clock_timestamp(), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'secured', c.relrowsecurity)::text)
    from (
      with recursive heirs as (
        select inhrelid from pg_inherits where inhparent = tg_relid
        union select i.inhrelid from pg_inherits i join heirs h on i.inhparent = h.inhrelid
      ) select inhrelid from heirs
    ) h
      join pg_class c on c.oid = h.inhrelid
      join pg_namespace n on n.oid = c.relnamespace
      join pg_trigger t on t.tgrelid = c.oid and t.tgname = tg_name and not t.tgisinternal;
  end if;
  return null;
end $function$;`;

const transitions = [
  ['insert', ' referencing new table as new_rows'],
  ['update', ' referencing old table as old_rows new table as new_rows'],
  ['delete', ' referencing old table as old_rows'],
  ['truncate', ''],
] as const;

function triggersOf(table: WatchedTable): string {
  const name = nameOf(table);
  const key = table.key.map(pg.escapeLiteral).join(', ');
  const triggers = transitions.map(
    ([event, referencing]) =>
      `drop trigger if exists tablewright_changes_${event} on ${name};\n` +
      `create trigger tablewright_changes_${event} after ${event} on ${name}${referencing}\n` +
      `  for each statement execute function public.${changedFunction}(${key});`,
  );
  return `\n${triggers.join('\n')}`;
}

/**
 * A name that needs no quotes is printed without them. Reserved words are not detected, so they are
 * quoted like other names.
 */
const nameOf = ({ schema, name }: WatchedTable): string =>
  `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(name)}`;
