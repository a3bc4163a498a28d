-- The output of `npx tablewright changes --sql --source notify` for the demo. The demo uses
-- triggers, because PGlite has no readable log.
create or replace function public.tablewright_changed() returns trigger
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
    perform pg_notify('tablewright_changes', payload::text);
  end loop;
  if tg_op in ('UPDATE', 'DELETE') and (select relhassubclass and relkind = 'r' from pg_class where oid = tg_relid) then
    perform pg_notify('tablewright_changes', jsonb_build_object(
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
end $function$;

drop trigger if exists tablewright_changes_insert on "kanban"."comments";
create trigger tablewright_changes_insert after insert on "kanban"."comments" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "kanban"."comments";
create trigger tablewright_changes_update after update on "kanban"."comments" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "kanban"."comments";
create trigger tablewright_changes_delete after delete on "kanban"."comments" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "kanban"."comments";
create trigger tablewright_changes_truncate after truncate on "kanban"."comments"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "kanban"."issue_labels";
create trigger tablewright_changes_insert after insert on "kanban"."issue_labels" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('issue_id', 'label_id');
drop trigger if exists tablewright_changes_update on "kanban"."issue_labels";
create trigger tablewright_changes_update after update on "kanban"."issue_labels" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('issue_id', 'label_id');
drop trigger if exists tablewright_changes_delete on "kanban"."issue_labels";
create trigger tablewright_changes_delete after delete on "kanban"."issue_labels" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('issue_id', 'label_id');
drop trigger if exists tablewright_changes_truncate on "kanban"."issue_labels";
create trigger tablewright_changes_truncate after truncate on "kanban"."issue_labels"
  for each statement execute function public.tablewright_changed('issue_id', 'label_id');

drop trigger if exists tablewright_changes_insert on "kanban"."issues";
create trigger tablewright_changes_insert after insert on "kanban"."issues" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "kanban"."issues";
create trigger tablewright_changes_update after update on "kanban"."issues" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "kanban"."issues";
create trigger tablewright_changes_delete after delete on "kanban"."issues" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "kanban"."issues";
create trigger tablewright_changes_truncate after truncate on "kanban"."issues"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "kanban"."labels";
create trigger tablewright_changes_insert after insert on "kanban"."labels" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "kanban"."labels";
create trigger tablewright_changes_update after update on "kanban"."labels" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "kanban"."labels";
create trigger tablewright_changes_delete after delete on "kanban"."labels" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "kanban"."labels";
create trigger tablewright_changes_truncate after truncate on "kanban"."labels"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "kanban"."notifications";
create trigger tablewright_changes_insert after insert on "kanban"."notifications" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "kanban"."notifications";
create trigger tablewright_changes_update after update on "kanban"."notifications" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "kanban"."notifications";
create trigger tablewright_changes_delete after delete on "kanban"."notifications" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "kanban"."notifications";
create trigger tablewright_changes_truncate after truncate on "kanban"."notifications"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "kanban"."project_members";
create trigger tablewright_changes_insert after insert on "kanban"."project_members" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('project_id', 'user_id');
drop trigger if exists tablewright_changes_update on "kanban"."project_members";
create trigger tablewright_changes_update after update on "kanban"."project_members" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('project_id', 'user_id');
drop trigger if exists tablewright_changes_delete on "kanban"."project_members";
create trigger tablewright_changes_delete after delete on "kanban"."project_members" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('project_id', 'user_id');
drop trigger if exists tablewright_changes_truncate on "kanban"."project_members";
create trigger tablewright_changes_truncate after truncate on "kanban"."project_members"
  for each statement execute function public.tablewright_changed('project_id', 'user_id');

drop trigger if exists tablewright_changes_insert on "kanban"."projects";
create trigger tablewright_changes_insert after insert on "kanban"."projects" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "kanban"."projects";
create trigger tablewright_changes_update after update on "kanban"."projects" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "kanban"."projects";
create trigger tablewright_changes_delete after delete on "kanban"."projects" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "kanban"."projects";
create trigger tablewright_changes_truncate after truncate on "kanban"."projects"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "kanban"."users";
create trigger tablewright_changes_insert after insert on "kanban"."users" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "kanban"."users";
create trigger tablewright_changes_update after update on "kanban"."users" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "kanban"."users";
create trigger tablewright_changes_delete after delete on "kanban"."users" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "kanban"."users";
create trigger tablewright_changes_truncate after truncate on "kanban"."users"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "shop"."customers";
create trigger tablewright_changes_insert after insert on "shop"."customers" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "shop"."customers";
create trigger tablewright_changes_update after update on "shop"."customers" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "shop"."customers";
create trigger tablewright_changes_delete after delete on "shop"."customers" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "shop"."customers";
create trigger tablewright_changes_truncate after truncate on "shop"."customers"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "shop"."order_items";
create trigger tablewright_changes_insert after insert on "shop"."order_items" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('order_id', 'product_id');
drop trigger if exists tablewright_changes_update on "shop"."order_items";
create trigger tablewright_changes_update after update on "shop"."order_items" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('order_id', 'product_id');
drop trigger if exists tablewright_changes_delete on "shop"."order_items";
create trigger tablewright_changes_delete after delete on "shop"."order_items" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('order_id', 'product_id');
drop trigger if exists tablewright_changes_truncate on "shop"."order_items";
create trigger tablewright_changes_truncate after truncate on "shop"."order_items"
  for each statement execute function public.tablewright_changed('order_id', 'product_id');

drop trigger if exists tablewright_changes_insert on "shop"."orders";
create trigger tablewright_changes_insert after insert on "shop"."orders" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "shop"."orders";
create trigger tablewright_changes_update after update on "shop"."orders" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "shop"."orders";
create trigger tablewright_changes_delete after delete on "shop"."orders" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "shop"."orders";
create trigger tablewright_changes_truncate after truncate on "shop"."orders"
  for each statement execute function public.tablewright_changed('id');

drop trigger if exists tablewright_changes_insert on "shop"."products";
create trigger tablewright_changes_insert after insert on "shop"."products" referencing new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_update on "shop"."products";
create trigger tablewright_changes_update after update on "shop"."products" referencing old table as old_rows new table as new_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_delete on "shop"."products";
create trigger tablewright_changes_delete after delete on "shop"."products" referencing old table as old_rows
  for each statement execute function public.tablewright_changed('id');
drop trigger if exists tablewright_changes_truncate on "shop"."products";
create trigger tablewright_changes_truncate after truncate on "shop"."products"
  for each statement execute function public.tablewright_changed('id');
