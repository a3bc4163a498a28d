import type {
  BaseTable,
  Catalog,
  ForeignKey,
  KeyOperator,
  QualifiedName,
  Table,
  TypeRef,
  ViewSource,
} from '../catalog/catalog.js';
import { TablewrightError } from '../tablewright-error.js';
import type { GivenRelation, ModelOptions } from '../descriptor/options.js';
import { typeKey } from './types.js';

export interface LinkedKey extends ForeignKey {
  /** By the configuration: no constraint of the database holds it. */
  readonly isGiven?: true;
  /** A view shows a column twice: PostgREST's form has the key with each of them. */
  readonly isOther?: true;
}

/**
 * The keys of a relation's rows and their references: constraints, what views take
 * over of them, and the configuration's.
 */
export interface Links {
  /** The primary key's columns; of a view, the columns of its substitute. Null without any. */
  readonly rowKey: readonly string[] | null;
  /** The keys of all sources that a view shows whole, in the view's order; empty without any. */
  readonly shownKey: readonly string[];
  readonly foreignKeys: readonly LinkedKey[];
  /**
   * REST's alone: to each view that shows the columns that a foreign key refers to, and with the
   * other columns that show the same.
   */
  readonly toViews: readonly LinkedKey[];
}

/** Keys before views are found that they lead to. */
interface OwnLinks extends Omit<Links, 'toViews'> {
  /** With other columns that show the same. */
  readonly others: readonly LinkedKey[];
}

/** Of the ways in which a view shows the columns of a key, so many are taken. */
const MAX_WAYS = 16;

export const isView = ({ kind }: Pick<Table, 'kind'>): boolean => kind === 'view' || kind === 'materializedView';

/**
 * The keys and foreign keys of every table and view, by `schema.table`. A view has the foreign keys
 * of its sources whose columns it shows, and the primary key of the first source that has exactly
 * one row for each row of the view.
 * @throws TablewrightError CONFIG_INVALID if `keys` or `relations` of the configuration name
 * something that does not exist
 */
export function linkTables(catalog: Catalog, options: ModelOptions): ReadonlyMap<string, Links> {
  const byKey = new Map(catalog.tables.map((table) => [typeKey(table), table]));
  const known: readonly BaseTable[] = [...(catalog.baseTables ?? []), ...catalog.tables];
  const readable = new Map(known.map((each) => [typeKey(each), each]));
  const links = new Map<string, OwnLinks>();

  const givenKeys = (table: Table): readonly LinkedKey[] =>
    (options.relations?.[typeKey(table)] ?? []).map((given) => givenForeignKey(table, given, byKey, catalog));

  function linksOf(table: BaseTable): OwnLinks {
    const id = typeKey(table);
    const found = links.get(id);
    if (found !== undefined) return found;
    const inherited = inheritedLinks(table);
    const served = byKey.get(id);
    const key = options.keys?.[id];
    if (key !== undefined && served !== undefined) checkColumns(`keys["${id}"]`, served, key);
    const own = {
      rowKey: key ?? inherited.rowKey,
      shownKey: inherited.shownKey,
      foreignKeys: distinctNames([
        ...table.foreignKeys,
        ...inherited.foreignKeys,
        ...(served === undefined ? [] : givenKeys(served)),
      ]),
      others: inherited.others,
    };
    links.set(id, own);
    return own;
  }

  function inheritedLinks(table: BaseTable): OwnLinks {
    let rowKey = table.primaryKey?.columns ?? null;
    const foreignKeys: LinkedKey[] = [];
    const others: LinkedKey[] = [];
    const shownKey = new Set(table.primaryKey?.columns);
    for (const { columns, from, single, ...name } of table.sources ?? []) {
      const source = readable.get(typeKey(name));
      if (source === undefined) continue;
      const here = (theirs: readonly string[]): readonly (readonly string[])[] =>
        waysOf(theirs.map((column) => columns.filter((_, at) => from[at] === column)));
      const theirs = linksOf(source);
      // A view of all rows of an inherited table has no key.
      if (single && source.inherited !== true && theirs.rowKey !== null) rowKey ??= here(theirs.rowKey)[0] ?? null;
      for (const name of here(theirs.shownKey)[0] ?? []) shownKey.add(name);
      for (const key of theirs.foreignKeys) {
        const [first, ...more] = here(key.columns);
        if (first !== undefined) foreignKeys.push({ ...key, columns: first });
        others.push(...more.map((own) => ({ ...key, columns: own, isOther: true as const })));
      }
      for (const key of theirs.others) others.push(...here(key.columns).map((own) => ({ ...key, columns: own })));
    }
    return { rowKey, shownKey: [...shownKey], foreignKeys, others };
  }

  for (const table of catalog.tables) linksOf(table);
  for (const option of ['keys', 'relations'] as const) {
    for (const id of Object.keys(options[option] ?? {})) {
      if (!byKey.has(id)) throw invalid(`${option}["${id}"]: the database has no such table or view.`);
    }
  }
  const shown = shownBy(catalog.tables, readable);
  return new Map(
    [...links].map(([id, { others, ...own }]) => {
      const toViews = [...own.foreignKeys, ...others].flatMap((key) => keysToViews(key, shown));
      return [id, { ...own, toViews: [...others, ...toViews] }];
    }),
  );
}

/** Every choice of one name from each list; none where a list is empty. */
const waysOf = (lists: readonly (readonly string[])[]): readonly (readonly string[])[] =>
  lists.reduce<readonly (readonly string[])[]>(
    (ways, names) => ways.flatMap((way) => names.map((name) => [...way, name])).slice(0, MAX_WAYS),
    [[]],
  );

/** A view of a table, and the names that it has for each column of the table. */
interface Shown {
  readonly view: QualifiedName;
  readonly columns: Names;
}

type Names = ReadonlyMap<string, readonly string[]>;

/** The views of each table, also those of views of it, by `schema.table`. */
function shownBy(
  tables: readonly Table[],
  readable: ReadonlyMap<string, BaseTable>,
): ReadonlyMap<string, readonly Shown[]> {
  const found = new Map<string, Shown[]>();
  const add = (view: Table, source: ViewSource, names: Names): void => {
    const columns = new Map<string, readonly string[]>();
    for (const [at, from] of source.from.entries()) {
      const shown = names.get(source.columns[at] ?? '');
      if (shown !== undefined) columns.set(from, [...(columns.get(from) ?? []), ...shown]);
    }
    if (columns.size === 0) return;
    const id = typeKey(source);
    found.set(id, [...(found.get(id) ?? []), { view, columns }]);
    for (const deeper of readable.get(id)?.sources ?? []) add(view, deeper, columns);
  };
  for (const view of tables) {
    const own = new Map(view.columns.map(({ name }) => [name, [name]]));
    for (const source of view.sources ?? []) add(view, source, own);
  }
  return found;
}

function keysToViews(key: LinkedKey, shown: ReadonlyMap<string, readonly Shown[]>): readonly LinkedKey[] {
  return (shown.get(typeKey(key.references)) ?? []).flatMap(({ view: { schema, name }, columns }) => {
    const ways = waysOf(key.references.columns.map((column) => columns.get(column) ?? []));
    return ways.map((names, at) => ({
      ...key,
      references: { schema, name, columns: names },
      ...(at > 0 && { isOther: true as const }),
    }));
  });
}

/** A view that reads a table twice has its foreign keys twice: the later ones are numbered. */
function distinctNames(keys: readonly LinkedKey[]): readonly LinkedKey[] {
  const seen = new Map<string, number>();
  return keys.map((key) => {
    const count = (seen.get(key.name) ?? 0) + 1;
    seen.set(key.name, count);
    return count === 1 ? key : { ...key, name: `${key.name}_${String(count)}` };
  });
}

function givenForeignKey(
  table: Table,
  given: GivenRelation,
  byKey: ReadonlyMap<string, Table>,
  catalog: Pick<Catalog, 'domains' | 'extensions'>,
): LinkedKey {
  const { columns, table: target, references } = given;
  const place = `relations["${typeKey(table)}"]`;
  const other = byKey.get(target);
  if (other === undefined) throw invalid(`${place}: the database has no table or view ${target}.`);
  if (columns.length === 0 || columns.length !== references.length) {
    throw invalid(`${place}: "columns" and "references" name as many columns each, and at least one.`);
  }
  checkColumns(place, table, columns);
  checkColumns(place, other, references);
  for (const [at, column] of columns.entries()) {
    const [here, there] = [typeOf(table, column), typeOf(other, references[at] ?? '')];
    if (here !== there)
      throw invalid(`${place}: ${column} is of type ${here}, ${references[at] ?? ''} of type ${there}.`);
  }
  const equality = columns.map((column) => operatorOf(typeRefOf(table, column), catalog));
  return {
    name: given.name ?? `${table.name}_${columns.join('_')}_fkey`,
    columns,
    references: { schema: other.schema, name: other.name, columns: references },
    ...(equality.some((each) => each !== null) && { equality }),
    onUpdate: 'noAction',
    onDelete: 'noAction',
    deferrable: false,
    isGiven: true,
  };
}

/** The `=` of an extension's type: no constraint of the database names it. */
function operatorOf(
  type: TypeRef | undefined,
  { domains, extensions }: Pick<Catalog, 'domains' | 'extensions'>,
): KeyOperator | null {
  if (type === undefined || type.array) return null;
  const domain = domains.find((each) => typeKey(each) === typeKey(type));
  if (domain !== undefined) return operatorOf(domain.base, { domains, extensions });
  const isOfExtension = type.kind === 'base' && extensions.some(({ schema }) => schema === type.schema);
  return isOfExtension && type.schema !== 'pg_catalog' ? { schema: type.schema, name: '=' } : null;
}

const typeRefOf = (table: Table, name: string): TypeRef | undefined =>
  table.columns.find((column) => column.name === name)?.type;

function typeOf(table: Table, name: string): string {
  const type = typeRefOf(table, name);
  return type === undefined ? '' : typeKey(type) + (type.array ? '[]' : '');
}

function checkColumns(place: string, table: Table, columns: readonly string[]): void {
  const missing = columns.find((name) => !table.columns.some((column) => column.name === name));
  if (missing !== undefined) throw invalid(`${place}: ${typeKey(table)} has no column ${missing}.`);
}

const invalid = (message: string): TablewrightError =>
  new TablewrightError(
    'CONFIG_INVALID',
    message,
    'Names are those of the database, case-sensitive: see docs/configuration.md.',
  );
