import type { BaseTable, Catalog, DomainType, ForeignKey, Routine, Table } from '../../../catalog/catalog.js';
import { viewSources, type Keyed as KeyedRelation, type ViewQuery } from '../../view-sources.js';
import { routingColumnsOf } from './routed-views.js';
import { readViewQuery } from './view-query.js';

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
interface RawCatalog extends Omit<Catalog, 'mediaHandlers' | 'tables' | 'baseTables' | 'routines' | 'domains'> {
  readonly tables: readonly RawTable[];
  readonly baseTables: readonly RawBase[] | null;
  readonly mediaHandlers: Catalog['mediaHandlers'] | null;
  readonly routines: readonly (Omit<Routine, 'returnsOne'> & { readonly returnsOne: true | null })[];
  readonly domains: readonly (Omit<DomainType, 'representation'> & {
    readonly representation: DomainType['representation'] | null;
  })[];
  /** Operators that are equality of a btree operator family. */
  readonly equality: readonly number[];
}

type Facts = Omit<
  Table,
  'rules' | 'afterTriggers' | 'deferrableKeys' | 'mediaHandlers' | 'routingColumns' | 'foreignKeys' | 'inherited'
> &
  RawKeys;

type Keyed = KeyedRelation & { readonly rule: ViewRule | null; readonly inherited: boolean };

type RawBase = Keyed &
  Omit<BaseTable, 'sources' | 'foreignKeys' | 'inherited'> &
  RawKeys & { readonly routingColumns: readonly string[] | null };

interface RawKeys {
  readonly foreignKeys: readonly (Omit<ForeignKey, 'equality'> & {
    readonly equality: ForeignKey['equality'] | null;
  })[];
}

type RawTable = Facts & {
  readonly rule: ViewRule | null;
  readonly rules: Table['rules'] | null;
  readonly afterTriggers: Table['afterTriggers'] | null;
  readonly deferrableKeys: boolean;
  readonly mediaHandlers: Table['mediaHandlers'] | null;
  readonly routingColumns: readonly string[] | null;
  readonly inherited: boolean;
  /** A view whose triggers or rules make its writes. */
  readonly writtenInstead: boolean;
};

/** The catalogue from the JSON of its query: the sources of views replace their rules. */
export const parseRawCatalog = (text: string): Catalog => withViewSources(JSON.parse(text) as RawCatalog);

function withViewSources({ equality, baseTables, mediaHandlers: ofAny, ...catalog }: RawCatalog): Catalog {
  const operators = new Set(equality);
  const sourcesOf = viewSources<Keyed>([...catalog.tables, ...(baseTables ?? [])], ({ rule, columns }) =>
    rule === null ? undefined : namedQuery(rule, columns, operators),
  );
  const { dialect, schemas, tables, ...others } = catalog;
  const routingOf = routingColumnsOf([...tables, ...(baseTables ?? [])], sourcesOf);
  return {
    dialect,
    schemas,
    tables: tables.map(
      ({
        rule,
        rules,
        afterTriggers,
        deferrableKeys,
        mediaHandlers,
        routingColumns,
        writtenInstead,
        inherited,
        ...facts
      }): Table => {
        const sources = sourcesOf({ ...facts, rule, inherited });
        const routing = writtenInstead ? [] : routingOf({ ...facts, rule, inherited, routingColumns });
        return {
          ...facts,
          foreignKeys: foreignKeysOf(facts),
          ...(rules && { rules }),
          ...(afterTriggers && { afterTriggers }),
          ...(deferrableKeys && { deferrableKeys }),
          ...(routing.length > 0 && { routingColumns: routing }),
          ...(inherited && { inherited }),
          ...(mediaHandlers && { mediaHandlers }),
          ...(sources.length > 0 && { sources }),
        };
      },
    ),
    ...(baseTables && {
      baseTables: baseTables.map((table): BaseTable => {
        const { schema, name, kind, primaryKey, uniques } = table;
        const foreignKeys = foreignKeysOf(table);
        const sources = sourcesOf(table);
        const inherited = table.inherited && { inherited: true as const };
        return {
          schema,
          name,
          kind,
          primaryKey,
          uniques,
          foreignKeys,
          ...inherited,
          ...(sources.length > 0 && { sources }),
        };
      }),
    }),
    ...others,
    domains: others.domains.map(({ representation, ...domain }) =>
      representation === null ? domain : { ...domain, representation },
    ),
    routines: others.routines.map(({ returnsOne, ...routine }) =>
      returnsOne === null ? routine : { ...routine, returnsOne },
    ),
    ...(ofAny && { mediaHandlers: ofAny }),
  };
}

const foreignKeysOf = ({ foreignKeys }: RawKeys): readonly ForeignKey[] =>
  foreignKeys.map(({ equality, ...key }) => (equality === null ? key : { ...key, equality }));

/** The query of a view with the names of relations and columns in the place of their numbers. */
function namedQuery(
  { definition, relations }: ViewRule,
  columns: Keyed['columns'],
  operators: ReadonlySet<number>,
): ViewQuery | undefined {
  const query = readViewQuery(definition, operators);
  if (query === undefined) return undefined;
  const byOid = new Map(relations.map((relation) => [relation.oid, relation]));
  const items = [...query.from].map(([index, item]) => {
    const relation = item.oid === undefined ? undefined : byOid.get(item.oid);
    return [index, { ...item, relation }] as const;
  });
  const byIndex = new Map(items);
  const nameAt = (index: number, column: number): string | undefined =>
    byIndex.get(index)?.relation?.columns[String(column)];
  return {
    from: new Map(
      items.map(([index, { relation, nullable, equalities }]) => {
        const named = equalities.flatMap(({ column, other }) => {
          const name = nameAt(index, column);
          return name === undefined ? [] : [{ column: name, other: other?.relation }];
        });
        return [index, { relation, nullable, equalities: named }];
      }),
    ),
    columns: new Map(
      columns.flatMap(({ name }, at) => {
        const reference = query.columns.get(at + 1);
        const column = reference === undefined ? undefined : nameAt(reference.relation, reference.column);
        return reference === undefined || column === undefined ? [] : [[name, { item: reference.relation, column }]];
      }),
    ),
    reshapesRows: query.reshapesRows,
  };
}
