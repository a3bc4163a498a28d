import { changedFunction } from './changed-function.js';

/**
 * `rule_list` and `after_trigger_list`: the writes of each relation that run rules or fire AFTER
 * triggers. A view that PostgreSQL writes through runs those of the tables behind it; a partitioned
 * or inherited table fires the triggers of its parts, and runs no rules of them. `deferrable_key`:
 * the relations whose writes meet a deferrable key or exclusion.
 * Source: PostgreSQL manual, pg_rewrite, pg_trigger, CREATE RULE, pg_index.
 */
export const writeEffects = /* sql */ `
  -- Views whose writes reach the tables that they read.
  written_through as materialized (
    select distinct w.ev_class as relation, d.refobjid as target, true as by_name
    from pg_rewrite w
    join pg_class c on c.oid = w.ev_class and c.relkind = 'v'
    join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid <> w.ev_class
    where w.ev_type = '1' and w.ev_class >= 16384 -- the first object that is not the system's
      and not exists (select from pg_rewrite o where o.ev_class = w.ev_class and o.ev_type <> '1')
      and not exists (select from pg_trigger t where t.tgrelid = w.ev_class and t.tgtype & 64 <> 0)
    union all
    select inhparent, inhrelid, false from pg_inherits
  ),
  written as (
    select r.oid as relation, r.oid as target, true as by_name from relation r where r.events <> 0
    union
    select w.relation, n.target, w.by_name and n.by_name
    from written w
    join written_through n on n.relation = w.target
  ),
  write_rule as (
    select w.relation, e.event, e.place, bool_or(q.is_instead) as instead
    from written w
    join pg_rewrite q on q.ev_class = w.target and q.ev_enabled in ('O', 'A')
    join (values ('3', 'insert', 1), ('2', 'update', 2), ('4', 'delete', 3)) as e(type, event, place)
      on e.type = q.ev_type::text
    where w.by_name
    group by w.relation, e.event, e.place
  ),
  rule_list as (
    select relation, json_agg(json_build_object('event', event, 'instead', instead) order by place) as rules
    from write_rule
    group by relation
  ),
  after_trigger as (
    -- tgtype bits: 2 BEFORE, 4 INSERT, 8 DELETE, 16 UPDATE, 64 INSTEAD OF. The triggers that notify
    -- subscriptions change nothing.
    select distinct w.relation, e.event, e.place
    from written w
    join pg_trigger t on t.tgrelid = w.target and not t.tgisinternal and t.tgenabled in ('O', 'A')
      and t.tgtype & (2 | 64) = 0 and not t.tginitdeferred
    join pg_proc p on p.oid = t.tgfoid and p.proname <> '${changedFunction}'
    join (values (4, 'insert', 1), (16, 'update', 2), (8, 'delete', 3)) as e(bit, event, place)
      on t.tgtype & e.bit <> 0
  ),
  after_trigger_list as (
    select relation, json_agg(event order by place) as events from after_trigger group by relation
  ),
  deferrable_key as (
    select distinct w.relation
    from written w
    join pg_index i on i.indrelid = w.target and not i.indimmediate
  )`;
