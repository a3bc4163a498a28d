import type { Registry } from '../../../descriptor/registry.js';
import type { Driver } from '../../driver.js';
import type { SchemaNames } from '../../schema-names.js';
import type { RawRow } from '../../../plan/statement.js';

/** A database role and how it relates to the role that the server connects as. */
export interface RoleFacts {
  readonly name: string;
  readonly connecting: boolean;
  readonly exists: boolean;
  /** Superuser or BYPASSRLS: no policy applies to it. */
  readonly bypasses: boolean;
  /** Whether the connecting role may switch to it. */
  readonly reachable: boolean;
}

/**
 * A served relation and the facts that decide whether policies apply to its readers. Names are
 * quoted, ready for SQL.
 */
export interface RelationFacts {
  readonly name: string;
  readonly kind: 'table' | 'view' | 'materializedView';
  readonly enabled: boolean;
  readonly forced: boolean;
  readonly policies: boolean;
  /** Whether a role of requests may read or write it. */
  readonly accessible: boolean;
  /** The quoted roles, and `public`, through which roles of requests may read it. */
  readonly readers: readonly string[];
  /**
   * A role of requests has the owner's privileges, and is exempt unless row level security is
   * forced.
   */
  readonly owned: boolean;
  /** Views: at any depth, it reads a table with row level security. */
  readonly readsProtected: boolean;
  /**
   * Views: the views between it and a protected table, itself included, that read with the rights
   * of their owner.
   */
  readonly ownerViews: readonly string[];
}

const roleQuery = `
  select r.name, r.name = current_user, a.oid is not null,
    coalesce(a.rolsuper or a.rolbypassrls, false),
    coalesce(pg_has_role(current_user, a.oid, 'MEMBER'), false)
  from (select current_user::text as name union select json_array_elements_text($1::json)) r
  left join pg_catalog.pg_roles a on a.rolname = r.name
  order by r.name collate "C"`;

/** Policies do not apply to the owner of a table: PostgreSQL manual, "Row Security Policies". */
const relationQuery = `
  with recursive serving as (
    select r.oid from json_array_elements_text($2::json) role(name) join pg_catalog.pg_roles r on r.rolname = role.name
  ),
  served as (
    select c.oid, c.relkind, c.relowner, c.relacl, c.relrowsecurity, c.relforcerowsecurity,
      format('%I.%I', n.nspname, c.relname) as name
    from json_to_recordset($1::json) as t(schema text, name text)
    join pg_catalog.pg_namespace n on n.nspname = t.schema
    join pg_catalog.pg_class c on c.relnamespace = n.oid and c.relname = t.name
  ),
  below(root, oid) as (
    select oid, oid from pg_catalog.pg_class
    where relkind in ('v', 'm') and relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
    union
    select below.root, d.refobjid
    from below
    join pg_catalog.pg_rewrite w on w.ev_class = below.oid
    join pg_catalog.pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = w.oid
      and d.refclassid = 'pg_class'::regclass and d.refobjid <> below.oid
  ),
  protected as (
    select distinct root from below join pg_catalog.pg_class t on t.oid = below.oid where t.relrowsecurity
  )
  select s.name,
    case s.relkind when 'v' then 'view' when 'm' then 'materializedView' else 'table' end,
    s.relrowsecurity, s.relforcerowsecurity,
    exists (select from pg_catalog.pg_policy p where p.polrelid = s.oid),
    exists (select from serving where pg_has_role(serving.oid, s.relowner, 'USAGE')),
    s.oid in (select root from protected),
    (
      select coalesce(json_agg(v.name order by v.name collate "C"), '[]') from (
        select format('%I.%I', n.nspname, c.relname) as name, (
          select option_value::boolean from pg_options_to_table(c.reloptions) where option_name = 'security_invoker'
        ) as invoker
        from below join protected on protected.root = below.oid
        join pg_catalog.pg_class c on c.oid = below.oid
        join pg_catalog.pg_namespace n on n.oid = c.relnamespace
        where below.root = s.oid and c.relkind = 'v'
      ) v
      where v.invoker is not true
    ),
    not exists (select from serving) or exists (
      select from serving where has_any_column_privilege(serving.oid, s.oid, 'SELECT, INSERT, UPDATE')
        or has_table_privilege(serving.oid, s.oid, 'DELETE')
    ),
    (
      select coalesce(json_agg(distinct coalesce(quote_ident(r.rolname), 'public')), '[]') from (
        select coalesce(s.relacl, acldefault('r', s.relowner))
        union all select attacl from pg_catalog.pg_attribute where attrelid = s.oid
      ) granted(acl)
      cross join aclexplode(granted.acl) g left join pg_catalog.pg_roles r on r.oid = g.grantee
      where g.privilege_type = 'SELECT'
        and (g.grantee = 0 or exists (select from serving where pg_has_role(serving.oid, g.grantee, 'USAGE')))
    )
  from served s
  order by s.name collate "C"`;

/** The connecting role, and the roles of these names, sorted by name. */
export async function readRoles(driver: Driver, names: readonly string[]): Promise<readonly RoleFacts[]> {
  const rows = await driver.run([{ text: roleQuery, values: [JSON.stringify(names)] }]);
  return rows.map((row) => ({
    name: row[0] ?? '',
    connecting: isTrue(row, 1),
    exists: isTrue(row, 2),
    bypasses: isTrue(row, 3),
    reachable: isTrue(row, 4),
  }));
}

/** The served relations, with the rights of the given `roles`. Sorted by name. */
export async function readRelations(
  driver: Driver,
  registry: Registry,
  roles: readonly string[],
  { of }: SchemaNames,
): Promise<readonly RelationFacts[]> {
  const served = registry.tables.map(({ schema, name }) => ({ schema: of(schema), name }));
  const values = [JSON.stringify(served), JSON.stringify(roles)];
  const rows = await driver.run([{ text: relationQuery, values }]);
  return rows.map((row) => ({
    name: row[0] ?? '',
    kind: row[1] === 'view' || row[1] === 'materializedView' ? row[1] : 'table',
    enabled: isTrue(row, 2),
    forced: isTrue(row, 3),
    policies: isTrue(row, 4),
    owned: isTrue(row, 5),
    readsProtected: isTrue(row, 6),
    ownerViews: JSON.parse(row[7] ?? '[]') as string[],
    accessible: isTrue(row, 8),
    readers: JSON.parse(row[9] ?? '[]') as string[],
  }));
}

/** Booleans in the database's text form. */
const isTrue = (row: RawRow, at: number): boolean => row[at] === 't' || row[at] === 'true';
