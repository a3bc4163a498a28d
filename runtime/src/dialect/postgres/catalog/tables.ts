const viewOption = (name: string): string =>
  // The value is written as any boolean is: on, true, 1.
  `exists (select from pg_options_to_table(r.options) o where o.option_name = '${name}' and o.option_value::boolean)`;

const kindOf = (relation: string): string => `case ${relation}.kind
      when 'r' then 'table' when 'p' then 'partitionedTable' when 'f' then 'foreignTable'
      when 'v' then 'view' else 'materializedView' end`;

/** `baseTables`: BaseTable[] with what tells the sources of views among them; null without any. */
export const baseTables = /* sql */ `
  select json_agg(json_build_object(
    'schema', b.schema,
    'name', b.name,
    'kind', ${kindOf('b')},
    'columns', cn.columns,
    'primaryKey', k.primary_key,
    'uniques', coalesce(k.uniques, '[]'),
    'foreignKeys', coalesce(k.foreign_keys, '[]'),
    'indexes', coalesce(il.indexes, '[]'),
    'rule', vr.rule,
    'routingColumns', rc.columns,
    'inherited', ih.relation is not null
  ) order by b.schema collate "C", b.name collate "C")
  from base_relation b
  left join (
    select b.oid as relation, json_agg(json_build_object('name', a.attname) order by a.attnum) as columns
    from base_relation b
    join pg_attribute a on a.attrelid = b.oid and a.attnum > 0 and not a.attisdropped
    group by b.oid
  ) cn on cn.relation = b.oid
  left join constraint_list k on k.relation = b.oid
  left join index_list il on il.relation = b.oid
  left join view_rule vr on vr.relation = b.oid
  left join routing_list rc on rc.relation = b.oid
  left join inherited_table ih on ih.relation = b.oid`;

/**
 * `tables`: Table[], put together from the lists of the other files. Source: PostgreSQL manual,
 * pg_class, CREATE VIEW.
 */
export const tables = /* sql */ `
  select coalesce(json_agg(json_build_object(
    'schema', r.schema,
    'name', r.name,
    'kind', ${kindOf('r')},
    'comment', d.description,
    'columns', coalesce(cl.columns, '[]'),
    'primaryKey', k.primary_key,
    'uniques', coalesce(k.uniques, '[]'),
    'foreignKeys', coalesce(k.foreign_keys, '[]'),
    'checks', coalesce(k.checks, '[]'),
    'exclusions', coalesce(k.exclusions, '[]'),
    'constraintComments', coalesce(kd.comments, '[]'),
    'indexes', coalesce(il.indexes, '[]'),
    'rowSecurity', json_build_object(
      'enabled', r.row_security, 'forced', r.row_security_forced, 'policies', coalesce(pl.policies, '[]')),
    'view', case when r.kind = 'v' then json_build_object(
      'securityInvoker', ${viewOption('security_invoker')},
      'securityBarrier', ${viewOption('security_barrier')}) end,
    'rule', vr.rule,
    'insertable', r.events & 8 <> 0,
    'updatable', r.events & 4 <> 0,
    'deletable', r.events & 16 <> 0,
    'rules', rl.rules,
    'afterTriggers', al.events,
    'deferrableKeys', dk.relation is not null,
    'routingColumns', rc.columns,
    'inherited', ih.relation is not null,
    'writtenInstead', r.written_instead,
    'mediaHandlers', mh.handlers,
    'privileges', json_build_object(
      -- A privilege on one column is enough to select it.
      'select', r.usable and has_any_column_privilege(r.oid, 'SELECT'),
      'insert', r.usable and has_any_column_privilege(r.oid, 'INSERT'),
      'update', r.usable and has_any_column_privilege(r.oid, 'UPDATE'),
      'delete', r.usable and has_table_privilege(r.oid, 'DELETE'))
  ) order by r.schema collate "C", r.name collate "C"), '[]')
  from relation r
  left join pg_description d on d.objoid = r.oid and d.classoid = 'pg_class'::regclass and d.objsubid = 0
  left join column_list cl on cl.relation = r.oid
  left join constraint_list k on k.relation = r.oid
  left join constraint_comments kd on kd.relation = r.oid
  left join index_list il on il.relation = r.oid
  left join policy_list pl on pl.relation = r.oid
  left join view_rule vr on vr.relation = r.oid
  left join rule_list rl on rl.relation = r.oid
  left join after_trigger_list al on al.relation = r.oid
  left join deferrable_key dk on dk.relation = r.oid
  left join routing_list rc on rc.relation = r.oid
  left join inherited_table ih on ih.relation = r.oid
  left join media_handler_list mh on mh.relation = r.oid`;
