import type { QualifiedName, Table, ViewSource } from '../catalog/catalog.js';

/** A relation of the FROM list of a view's query. */
export interface FromItem {
  /** Undefined for a subquery, a function, a CTE. */
  readonly relation: QualifiedName | undefined;
  /** Whether an outer join may put nulls in the place of its columns. */
  readonly nullable: boolean;
  /**
   * Conditions that hold for its rows: a column of it equals a column of another item (`other`), or
   * a constant (`other` undefined).
   */
  readonly equalities: readonly { readonly column: string; readonly other: number | undefined }[];
}

/** The sources of a view's columns and rows, from its query. */
export interface ViewQuery {
  readonly from: ReadonlyMap<number, FromItem>;
  /** By name in the view: columns that are a column of an item, unchanged. */
  readonly columns: ReadonlyMap<string, { readonly item: number; readonly column: string }>;
  /**
   * Whether rows are put together (GROUP BY, UNION, aggregates) or multiplied (functions that
   * return sets).
   */
  readonly reshapesRows: boolean;
}

/** The facts about a relation that decide which keys a view over it has. */
export type Keyed = Pick<Table, 'schema' | 'name' | 'primaryKey' | 'uniques' | 'indexes'> & {
  readonly columns: readonly { readonly name: string }[];
  /** Its keys are not those of all its rows: other tables inherit from it. */
  readonly inherited?: boolean | undefined;
};

/** Sets of columns that no two rows share. */
type Keys = readonly (readonly string[])[];

const nameOf = ({ schema, name }: QualifiedName): string => JSON.stringify([schema, name]);

/**
 * The relations that the columns of each view come from, unchanged.
 * @param queryOf the query of a view; undefined for a table, and for a query that is not understood
 */
export function viewSources<T extends Keyed>(
  relations: readonly T[],
  queryOf: (relation: T) => ViewQuery | undefined,
): (relation: T) => readonly ViewSource[] {
  const byName = new Map(relations.map((relation) => [nameOf(relation), relation]));
  const found = new Map<string, readonly ViewSource[]>();

  function sourcesOf(relation: T): readonly ViewSource[] {
    const name = nameOf(relation);
    const known = found.get(name);
    if (known !== undefined) return known;
    // Views that were renamed in a circle exist, although no statement can read them.
    found.set(name, []);
    const query = queryOf(relation);
    const sources = query === undefined ? [] : sourcesOfQuery(relation, query, keysOf);
    found.set(name, sources);
    return sources;
  }

  function keysOf(name: QualifiedName): Keys {
    const relation = byName.get(nameOf(name));
    if (relation === undefined || relation.inherited === true) return [];
    const indexes = relation.indexes
      .filter(
        ({ unique, predicate, keys }) => unique && predicate === null && keys.every(({ column }) => column !== null),
      )
      .map(({ keys }) => keys.flatMap(({ column }) => column ?? []));
    const own = [...(relation.primaryKey === null ? [] : [relation.primaryKey]), ...relation.uniques];
    const inherited = sourcesOf(relation).flatMap((source) =>
      source.single ? mappedKeys(source, keysOf(source)) : [],
    );
    return [...own.map(({ columns }) => columns), ...indexes, ...inherited];
  }

  return sourcesOf;
}

/** The keys of a source that the view has all columns of, under the view's names. */
function mappedKeys({ columns, from }: ViewSource, keys: Keys): Keys {
  return keys
    .map((key) => key.map((column) => columns[from.indexOf(column)]))
    .filter((key) => key.every((column) => column !== undefined));
}

function sourcesOfQuery(
  view: Keyed,
  query: ViewQuery,
  keysOf: (relation: QualifiedName) => Keys,
): readonly ViewSource[] {
  return [...query.from].flatMap(([index, { relation, nullable }]): readonly ViewSource[] => {
    if (relation === undefined) return [];
    const pairs = view.columns.flatMap(({ name }) => {
      const origin = query.columns.get(name);
      return origin?.item === index ? [[name, origin.column] as const] : [];
    });
    if (pairs.length === 0) return [];
    return [
      {
        schema: relation.schema,
        name: relation.name,
        columns: pairs.map(([column]) => column),
        from: pairs.map(([, from]) => from),
        single: !query.reshapesRows && !nullable && determinesAll(index, query.from, keysOf),
      },
    ];
  });
}

/**
 * Whether a row of one relation meets at most one row of every other: each is looked up by all
 * columns of a key of it, in relations that are settled already.
 */
function determinesAll(first: number, from: ViewQuery['from'], keysOf: (relation: QualifiedName) => Keys): boolean {
  const settled = new Set([first]);
  for (let before = 0; before < settled.size;) {
    before = settled.size;
    for (const [index, { relation, equalities }] of from) {
      if (settled.has(index) || relation === undefined) continue;
      const fixed = new Set(
        equalities.filter(({ other }) => other === undefined || settled.has(other)).map(({ column }) => column),
      );
      if (keysOf(relation).some((key) => key.length > 0 && key.every((column) => fixed.has(column))))
        settled.add(index);
    }
  }
  return settled.size === from.size;
}
