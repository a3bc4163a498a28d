/**
 * `view_rule`: the query of each view as PostgreSQL keeps it, and the names of the relations and
 * columns that its numbers mean.
 * Source: PostgreSQL manual, pg_rewrite, pg_depend.
 */
export const viewRules = /* sql */ `
  rule_of_view as materialized (
    select r.oid as relation, w.oid as rule, w.ev_action::text as definition
    from keyed_relation r
    join pg_rewrite w on w.ev_class = r.oid and w.ev_type = '1'
    where r.kind in ('v', 'm')
  ),
  rule_relation as materialized (
    select distinct v.rule, e.source as relation
    from rule_of_view v
    join view_edge e on e.view = v.relation
  ),
  rule_relation_names as (
    select c.oid, json_build_object(
      'oid', c.oid::int8, 'schema', n.nspname, 'name', c.relname,
      'columns', json_object_agg(a.attnum, a.attname)
    ) as names
    from (select distinct relation from rule_relation) u
    join pg_class c on c.oid = u.relation
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    group by c.oid, n.nspname, c.relname
  ),
  rule_relations as (
    select u.rule, json_agg(m.names) as relations
    from rule_relation u
    join rule_relation_names m on m.oid = u.relation
    group by u.rule
  ),
  view_rule as (
    select v.relation, json_build_object('definition', v.definition, 'relations', coalesce(u.relations, '[]')) as rule
    from rule_of_view v
    left join rule_relations u on u.rule = v.rule
  )`;

/** `equality`: the operators that compare as a unique index does. */
export const equality = /* sql */ `
  select coalesce(json_agg(distinct o.amopopr::int8), '[]')
  from pg_amop o
  join pg_am m on m.oid = o.amopmethod and m.amname = 'btree'
  where o.amopstrategy = 3`;
