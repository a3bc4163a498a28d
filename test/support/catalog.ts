import type {
  Catalog,
  Column,
  CompositeType,
  DomainType,
  EnumType,
  ForeignKey,
  Index,
  Key,
  RangeType,
  Routine,
  RoutineArgument,
  Table,
  TypeRef,
  UniqueKey,
} from '../../runtime/src/catalog/catalog.js';

/** Catalogues as plain data: each function fills in the members that the test does not set. */

export function catalog(facts: Partial<Catalog>): Catalog {
  const schemas = [...new Set((facts.tables ?? []).map((each) => each.schema))].sort();
  return {
    dialect: 'postgres',
    schemas: schemas.map((name) => ({ name, comment: null })),
    tables: [],
    enums: [],
    domains: [],
    composites: [],
    ranges: [],
    routines: [],
    extensions: [],
    ...facts,
  };
}

/**
 * For example `table('kanban.issues', [column('id', 'int4')])`. The schema ends at the first dot.
 */
export function table(path: string, columns: readonly Column[], facts: Partial<Table> = {}): Table {
  return {
    ...qualified(path),
    kind: 'table',
    comment: null,
    columns,
    primaryKey: null,
    uniques: [],
    foreignKeys: [],
    checks: [],
    exclusions: [],
    constraintComments: [],
    indexes: [],
    rowSecurity: { enabled: false, forced: false, policies: [] },
    view: null,
    insertable: true,
    updatable: true,
    deletable: true,
    privileges: { select: true, insert: true, update: true, delete: true },
    ...facts,
  };
}

export function column(name: string, type: string | TypeRef = 'text', facts: Partial<Column> = {}): Column {
  return {
    name,
    type: typeof type === 'string' ? typeRef(type) : type,
    nullable: false,
    default: null,
    identity: null,
    generated: null,
    updatable: true,
    comment: null,
    ...facts,
  };
}

/** For example `int4` or `text[]`. The text before a dot is the schema. */
export function typeRef(name: string, facts: Partial<TypeRef> = {}): TypeRef {
  const array = name.endsWith('[]');
  const path = array ? name.slice(0, -2) : name;
  const place = path.includes('.') ? qualified(path) : { schema: 'pg_catalog', name: path };
  return { ...place, array, kind: 'base', modifier: null, formatted: name, ...facts };
}

export function primaryKey(...columns: readonly string[]): Key {
  return { name: 'pk', columns };
}

export function unique(name: string, columns: readonly string[], facts: Partial<UniqueKey> = {}): UniqueKey {
  return { name, columns, nullsNotDistinct: false, deferrable: false, ...facts };
}

/**
 * For example `foreignKey('issues_project_id_fkey', ['project_id'], 'kanban.projects', ['id'])`.
 */
export function foreignKey(
  name: string,
  columns: readonly string[],
  target: string,
  references: readonly string[],
): ForeignKey {
  return {
    name,
    columns,
    references: { ...qualified(target), columns: references },
    onUpdate: 'noAction',
    onDelete: 'noAction',
    deferrable: false,
  };
}

export function uniqueIndex(name: string, columns: readonly (string | null)[], predicate: string | null = null): Index {
  const keys = columns.map((each) => ({ column: each, expression: each === null ? 'lower(name)' : null }));
  return { name, method: 'btree', unique: true, keys, include: [], predicate };
}

export function enumType(path: string, labels: readonly string[]): EnumType {
  return { ...qualified(path), labels, comment: null };
}

export function domain(path: string, base: string | TypeRef, facts: Partial<DomainType> = {}): DomainType {
  const type = typeof base === 'string' ? typeRef(base) : base;
  return {
    ...qualified(path),
    base: type,
    notNull: false,
    default: null,
    checks: [],
    constraintComments: [],
    comment: null,
    ...facts,
  };
}

export function composite(path: string, attributes: Readonly<Record<string, string | TypeRef>>): CompositeType {
  const list = Object.entries(attributes).map(([name, type]) => ({
    name,
    type: typeof type === 'string' ? typeRef(type) : type,
    comment: null,
  }));
  return { ...qualified(path), attributes: list, comment: null };
}

export function range(path: string, subtype: string): RangeType {
  return { ...qualified(path), subtype: typeRef(subtype), multirange: null };
}

export function routine(path: string, facts: Partial<Routine> = {}): Routine {
  return {
    ...qualified(path),
    kind: 'procedure',
    signature: '',
    arguments: [],
    returns: null,
    returnsSet: false,
    volatility: 'volatile',
    strict: false,
    securityDefiner: false,
    executable: true,
    comment: null,
    ...facts,
  };
}

export function argument(name: string, type: string | TypeRef, mode: RoutineArgument['mode'] = 'in'): RoutineArgument {
  return { name, mode, type: typeof type === 'string' ? typeRef(type) : type, hasDefault: false };
}

/**
 * The same catalogue with every unordered list in another order: a model must not depend on the
 * order.
 */
export function shuffled(facts: Catalog, seed: number): Catalog {
  let state = seed;
  const random = (): number => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 2147483648;
  };
  const mix = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  return {
    ...facts,
    schemas: mix(facts.schemas),
    tables: mix(facts.tables).map((each) => ({
      ...each,
      uniques: mix(each.uniques),
      foreignKeys: mix(each.foreignKeys),
      checks: mix(each.checks),
      exclusions: mix(each.exclusions),
      indexes: mix(each.indexes),
    })),
    enums: mix(facts.enums),
    domains: mix(facts.domains),
    composites: mix(facts.composites),
    ranges: mix(facts.ranges),
    routines: mix(facts.routines),
    extensions: mix(facts.extensions),
  };
}

function qualified(path: string): { readonly schema: string; readonly name: string } {
  const dot = path.indexOf('.');
  return { schema: path.slice(0, dot), name: path.slice(dot + 1) };
}
