import type { BaseTable, Catalog, DomainType, Routine, Table, ViewSource } from '../../../catalog/catalog.js';
import { readViewQuery, type FromItem, type ViewQuery } from './view-query.js';

/** A relation that a view reads: its name, and its columns by `attnum`. */
interface RelationNames {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly columns: Readonly<Record<string, string>>;
}

/** The result of the catalogue's query for a view, beside its facts. */
export interface ViewRule {
  /** `pg_rewrite.ev_action` */
  readonly definition: string;
  readonly relations: readonly RelationNames[];
}

/** A catalogue as the query gives it. */
interface RawCatalog extends Omit<Catalog, 'tables' | 'baseTables' | 'routines' | 'domains'> {
  readonly tables: readonly RawTable[];
  readonly baseTables: readonly RawBase[] | null;
  readonly routines: readonly (Omit<Routine, 'returnsOne'> & { readonly returnsOne: true | null })[];
  readonly domains: readonly (Omit<DomainType, 'representation'> & {
    readonly representation: DomainType['representation'] | null;
  })[];
  /** Operators that are equality of a btree operator family. */
  readonly equality: readonly number[];
}

type Facts = Omit<Table, 'rules' | 'afterTriggers' | 'mediaHandlers'>;

/** The facts about a relation that decide which keys a view over it has. */
type Keyed = Pick<Table, 'schema' | 'name' | 'primaryKey' | 'uniques' | 'indexes'> & {
  readonly columns: readonly { readonly name: string }[];
  readonly rule: ViewRule | null;
};

type RawBase = Keyed & Omit<BaseTable, 'sources'>;

type RawTable = Facts & {
  readonly rule: ViewRule | null;
  readonly rules: Table['rules'] | null;
  readonly afterTriggers: Table['afterTriggers'] | null;
  readonly mediaHandlers: Table['mediaHandlers'] | null;
};

/** Sets of columns that no two rows share. */
type Keys = readonly (readonly string[])[];

/** The catalogue from the JSON of its query: the sources of views replace their rules. */
export const parseRawCatalog = (text: string): Catalog => withViewSources(JSON.parse(text) as RawCatalog);

function withViewSources({ equality, baseTables, ...catalog }: RawCatalog): Catalog {
  const operators = new Set(equality);
  const keyed: readonly Keyed[] = [...catalog.tables, ...(baseTables ?? [])];
  const byName = new Map(keyed.map((table) => [nameOf(table), table]));
  const found = new Map<string, readonly ViewSource[]>();

  function sourcesOf(table: Keyed): readonly ViewSource[] {
    const { rule } = table;
    const name = nameOf(table);
    const known = found.get(name);
    if (known !== undefined) return known;
    const query = rule === null ? undefined : readViewQuery(rule.definition, operators);
    const sources = rule === null || query === undefined ? [] : sourcesOfQuery(table, rule, query, keysOf);
    found.set(name, sources);
    return sources;
  }

  function keysOf(relation: { readonly schema: string; readonly name: string }): Keys {
    const table = byName.get(nameOf(relation));
    if (table === undefined) return [];
    const indexes = table.indexes
      .filter(
        ({ unique, predicate, keys }) => unique && predicate === null && keys.every(({ column }) => column !== null),
      )
      .map(({ keys }) => keys.flatMap(({ column }) => column ?? []));
    const own = [...(table.primaryKey === null ? [] : [table.primaryKey]), ...table.uniques];
    const inherited = sourcesOf(table).flatMap((source) => (source.single ? mappedKeys(source, keysOf(source)) : []));
    return [...own.map(({ columns }) => columns), ...indexes, ...inherited];
  }

  const { dialect, schemas, tables, ...others } = catalog;
  return {
    dialect,
    schemas,
    tables: tables.map(({ rule, rules, afterTriggers, mediaHandlers, ...facts }): Table => {
      const sources = sourcesOf({ ...facts, rule });
      return {
        ...facts,
        ...(rules && { rules }),
        ...(afterTriggers && { afterTriggers }),
        ...(mediaHandlers && { mediaHandlers }),
        ...(sources.length > 0 && { sources }),
      };
    }),
    ...(baseTables && {
      baseTables: baseTables.map((table): BaseTable => {
        const { schema, name, kind, primaryKey, uniques, foreignKeys } = table;
        const sources = sourcesOf(table);
        return { schema, name, kind, primaryKey, uniques, foreignKeys, ...(sources.length > 0 && { sources }) };
      }),
    }),
    ...others,
    domains: others.domains.map(({ representation, ...domain }) =>
      representation === null ? domain : { ...domain, representation },
    ),
    routines: others.routines.map(({ returnsOne, ...routine }) =>
      returnsOne === null ? routine : { ...routine, returnsOne },
    ),
  };
}

const nameOf = ({ schema, name }: { readonly schema: string; readonly name: string }): string =>
  JSON.stringify([schema, name]);

/** The keys of a source that the view has all columns of, under the view's names. */
function mappedKeys({ columns, from }: ViewSource, keys: Keys): Keys {
  return keys
    .map((key) => key.map((column) => columns[from.indexOf(column)]))
    .filter((key) => key.every((column) => column !== undefined));
}

function sourcesOfQuery(
  view: Keyed,
  rule: ViewRule,
  query: ViewQuery,
  keysOf: (relation: RelationNames) => Keys,
): readonly ViewSource[] {
  const byOid = new Map(rule.relations.map((relation) => [relation.oid, relation]));
  const relationOf = (item: FromItem | undefined): RelationNames | undefined =>
    item?.oid === undefined ? undefined : byOid.get(item.oid);
  return [...query.from].flatMap(([index, item]): readonly ViewSource[] => {
    const relation = relationOf(item);
    if (relation === undefined) return [];
    const pairs = view.columns.flatMap((column, at) => {
      const reference = query.columns.get(at + 1);
      const from = reference?.relation === index ? relation.columns[String(reference.column)] : undefined;
      return from === undefined ? [] : [[column.name, from] as const];
    });
    if (pairs.length === 0) return [];
    const single = !query.reshapesRows && !item.nullable && determinesAll(index, query.from, relationOf, keysOf);
    return [
      {
        schema: relation.schema,
        name: relation.name,
        columns: pairs.map(([column]) => column),
        from: pairs.map(([, from]) => from),
        single,
      },
    ];
  });
}

/**
 * Whether a row of one relation meets at most one row of every other: each is looked up by all
 * columns of a key of it, in relations that are settled already.
 */
function determinesAll(
  first: number,
  from: ViewQuery['from'],
  relationOf: (item: FromItem) => RelationNames | undefined,
  keysOf: (relation: RelationNames) => Keys,
): boolean {
  const settled = new Set([first]);
  for (let before = 0; before < settled.size;) {
    before = settled.size;
    for (const [index, item] of from) {
      const relation = relationOf(item);
      if (settled.has(index) || relation === undefined) continue;
      const fixed = new Set(
        item.equalities
          .filter(({ other }) => other === undefined || settled.has(other.relation))
          .map(({ column }) => relation.columns[String(column)]),
      );
      if (keysOf(relation).some((key) => key.length > 0 && key.every((column) => fixed.has(column))))
        settled.add(index);
    }
  }
  return settled.size === from.size;
}
