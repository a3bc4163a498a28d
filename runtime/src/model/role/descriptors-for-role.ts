import type { MediaHandler } from '../../catalog/catalog.js';
import type {
  ColumnDescriptor,
  ColumnType,
  CompositeDescriptor,
  ComputedDescriptor,
  FunctionDescriptor,
  RelationDescriptor,
  TableDescriptor,
} from '../../descriptor/descriptor.js';
import type { Descriptors } from '../../descriptor/registry.js';
import type { GrantedColumns, RoleRights, TableRights } from '../../catalog/rights.js';
import { ruleFor, type RowRules } from '../../descriptor/row-rules.js';
import { answeredTables } from '../../descriptor/results.js';
import { rowKeyOf } from '../../descriptor/unique-keys.js';
import { sharedTypes } from '../../schema/shared-types.js';

/** A role, and what limits it. */
export interface RoleLimits {
  /** Undefined: requests without a role. */
  readonly role: string | undefined;
  /** Undefined: the database knows no roles of requests. */
  readonly rights: RoleRights | undefined;
  readonly rules: RowRules | undefined;
}

/**
 * The part of descriptors that a role may use, by its rights and by the rules of the configuration.
 * Names stay as they are. What is not limited is the same object, so that roles share it.
 */
export function descriptorsForRole<T extends Descriptors>(all: T, limits: RoleLimits): T {
  const access = new Access(all, limits);
  const tables = same(
    all.tables,
    all.tables.flatMap((table) => access.table(table) ?? []),
  );
  const shown = new Set(tables.flatMap(({ field, columns }) => (columns.length > 0 ? [field] : [])));
  const { procedures = [], functions = [], callable = [] } = all;
  const composites =
    all.composites &&
    same(
      all.composites,
      all.composites.map((each) => access.composite(each)),
    );
  const nameless = new Set(composites?.flatMap(({ type, attributes }) => (attributes.length === 0 ? [type] : [])));
  const isKnown = (type: ColumnType): boolean =>
    access.knows(type) && !nameless.has(type.composite ?? '') && (type.element === undefined || isKnown(type.element));
  const isCalled = (called: Pick<FunctionDescriptor, 'schema' | 'name' | 'arguments' | 'returns'>): boolean =>
    access.mayCall(called) &&
    called.arguments.every(({ type }) => isKnown(type)) &&
    (called.returns === undefined || isKnown(called.returns));
  const isShown = (called: FunctionDescriptor): boolean =>
    isCalled(called) && answeredTables(called).every((table) => shown.has(table));
  const kept = {
    tables,
    procedures: procedures.filter((each) => isCalled(each)),
    functions: functions.filter(isShown),
    ...(all.callable === undefined ? {} : { callable: callable.filter(isShown) }),
    ...(all.mediaHandlers && { mediaHandlers: all.mediaHandlers.filter((each) => access.mayAggregate(each)) }),
  };
  const isWhole =
    tables === all.tables &&
    composites === all.composites &&
    kept.procedures.length === procedures.length &&
    kept.functions.length === functions.length &&
    kept.callable?.length === all.callable?.length &&
    kept.mediaHandlers?.length === all.mediaHandlers?.length;
  if (isWhole) return all;
  const { named } = sharedTypes(
    {
      ...kept,
      tables: tables.map((table) => ({ ...table, columns: [...table.columns, ...(table.writeOnly ?? [])] })),
      functions: [...kept.functions, ...(kept.callable ?? [])],
      composites: composites ?? [],
    },
    new Set(),
  );
  const isUsed = ({ type }: { readonly type: string }): boolean => named.has(type);
  return { ...all, ...kept, enums: all.enums?.filter(isUsed), composites: composites?.filter(isUsed) };
}

/** The first list, if the second has the same items. */
const same = <T>(all: readonly T[], some: readonly T[]): readonly T[] =>
  all.length === some.length && all.every((each, at) => each === some[at]) ? all : some;

type Names = ReadonlySet<string> | 'all';

const has = (names: Names, name: string): boolean => names === 'all' || names.has(name);
const hasAll = (names: Names, wanted: readonly string[]): boolean => wanted.every((name) => has(names, name));

/** What the role may do with a table. */
interface TableAccess {
  /** By grants alone: functions of a row get columns that a rule hides, too. */
  readonly granted: Names;
  readonly hidden: ReadonlySet<string>;
  readonly insert: Names;
  readonly update: Names;
  readonly delete: boolean;
  /** Written rows are checked by their key, which the role has to read. */
  readonly checksWrites: boolean;
}

const none: ReadonlySet<string> = new Set();
const noAccess: TableAccess = {
  ...{ granted: none, hidden: none, insert: none, update: none },
  ...{ delete: false, checksWrites: false },
};

class Access {
  readonly #rights: ReadonlyMap<string, TableRights> | undefined;
  readonly #denied: ReadonlySet<string>;
  readonly #tables: ReadonlyMap<string, TableDescriptor>;
  readonly #byName: ReadonlyMap<string, TableDescriptor>;
  readonly #accesses = new Map<string, TableAccess>();

  constructor(
    all: Descriptors,
    private readonly limits: RoleLimits,
  ) {
    const { rights } = limits;
    this.#rights = rights && new Map(rights.tables.map((each) => [`${each.schema}.${each.name}`, each]));
    this.#denied = new Set(
      rights?.denied.flatMap(({ schema, name, inputs }) => [nameOf(schema, name), nameOf(schema, name, inputs)]),
    );
    this.#tables = new Map(all.tables.map((table) => [table.field, table]));
    this.#byName = new Map(all.tables.map((table) => [`${table.schema}.${table.name}`, table]));
  }

  /** Whether the role may execute a function. Of equal names of inputs, one denied denies all. */
  mayCall({ schema, name, arguments: taken }: Pick<FunctionDescriptor, 'schema' | 'name' | 'arguments'>): boolean {
    const inputs = taken.filter(({ mode }) => mode !== 'out').map((each) => each.name);
    return !this.#denied.has(nameOf(schema, name, inputs));
  }

  mayAggregate({ schema, name }: MediaHandler): boolean {
    return !this.#denied.has(nameOf(schema, name));
  }

  /** The table as it is for the role; undefined: it is not there. */
  table(table: TableDescriptor): TableDescriptor | undefined {
    const access = this.#of(table);
    const isReadable = ({ name }: Pick<ColumnDescriptor, 'name'>): boolean => this.#reads(access, name);
    const keyIsReadable = rowKeyOf(table)?.every((name) => isReadable({ name })) === true;
    const mayWrite = !access.checksWrites || keyIsReadable;
    const insertable = table.insertable === true && mayWrite && access.insert !== none;
    const updatable = table.updatable === true && mayWrite && access.update !== none;
    const deletable = table.deletable === true && access.delete;
    const isLimited = insertable !== (table.insertable === true) || updatable !== (table.updatable === true);
    const isWritten = insertable || updatable;
    const columns = table.columns.map((column) => {
      const inserts = insertable && has(access.insert, column.name);
      const updates = updatable && has(access.update, column.name) && column.insertOnly !== true;
      return isWritten ? limitedColumn(column, { inserts, updates }, table) : column;
    });
    const readable = same(table.columns, columns.filter(isReadable));
    const writeOnly = columns.filter(
      (column) => !isReadable(column) && !access.hidden.has(column.name) && column.readOnly !== true,
    );
    const mayWriteOnly = isWritten && writeOnly.length > 0;
    const mayRead = readable.length > 0 || (table.columns.length === 0 && access.granted === 'all');
    if (!mayRead && !mayWriteOnly && !deletable) return undefined;
    const {
      primaryKey,
      rowKey,
      shownKey,
      nodeId,
      uniques,
      unmergedKeys,
      relations,
      embedded,
      computed,
      mediaHandlers,
      ...rest
    } = table;
    const keyed = (names: readonly string[]): boolean => names.every((name) => isReadable({ name }));
    const limited: TableDescriptor = {
      ...without(rest, ['insertable', 'updatable', 'deletable']),
      columns: readable,
      ...(mayWriteOnly ? { writeOnly } : {}),
      ...(primaryKey !== undefined && keyed(primaryKey.columns) ? { primaryKey } : {}),
      ...(rowKey !== undefined && keyed(rowKey) ? { rowKey } : {}),
      ...(shownKey !== undefined && keyed(shownKey) ? { shownKey } : {}),
      ...(nodeId !== undefined && keyIsReadable ? { nodeId } : {}),
      ...kept({ uniques }, (each) => keyed(each.columns)),
      ...kept({ unmergedKeys }, keyed),
      ...kept({ relations }, (each) => this.#follows(table, each)),
      ...kept({ embedded }, (each) => this.#follows(table, each)),
      ...kept({ computed }, (each) => this.#computes(access, each)),
      ...kept({ mediaHandlers }, (each) => this.#computes(access, { function: each })),
      ...(insertable ? { insertable } : {}),
      ...(updatable ? { updatable } : {}),
      ...(deletable ? { deletable } : {}),
    };
    const isWhole =
      !isLimited && deletable === (table.deletable === true) && readable === table.columns && isEqual(table, limited);
    return isWhole ? table : limited;
  }

  /** Whether the role knows the table whose rows the values are, if they are rows. */
  knows({ sql: { schema, name } }: ColumnType): boolean {
    const table = this.#byName.get(`${schema ?? ''}.${name}`);
    return table === undefined || this.table(table) !== undefined;
  }

  /** Rows of a table that functions take, without the columns that the role may not know. */
  composite(composite: CompositeDescriptor): CompositeDescriptor {
    const table = this.#byName.get(`${composite.schema}.${composite.name}`);
    if (table === undefined) return composite;
    const access = this.#of(table);
    const attributes = composite.attributes.filter(
      ({ name }) =>
        !access.hidden.has(name) && [access.granted, access.insert, access.update].some((names) => has(names, name)),
    );
    return attributes.length === composite.attributes.length ? composite : { ...composite, attributes };
  }

  #reads(access: TableAccess, name: string): boolean {
    return has(access.granted, name) && !access.hidden.has(name);
  }

  /** Whether the role reads what joins the tables of a relation. */
  #follows(table: TableDescriptor, { function: called, through, ...relation }: RelationDescriptor): boolean {
    const reads = (of: TableDescriptor | undefined, names: readonly string[]): boolean =>
      of !== undefined && names.every((name) => this.#reads(this.#of(of), name));
    const other = this.#tables.get(relation.table);
    if (called !== undefined) {
      const isShown = other?.columns.some(({ name }) => reads(other, [name])) === true;
      return isShown && this.#computes(this.#of(table), { function: called });
    }
    if (!reads(table, relation.columns) || !reads(other, relation.references)) return false;
    return through === undefined || reads(this.#tables.get(through.table), [...through.columns, ...through.references]);
  }

  /** Whether the role may call a function of a row, and reads what it takes of the row. */
  #computes(access: TableAccess, { function: called, columns }: Pick<ComputedDescriptor, 'function' | 'columns'>) {
    if (this.#denied.has(nameOf(called.schema, called.name))) return false;
    return columns === undefined ? access.granted === 'all' : hasAll(access.granted, columns);
  }

  #of(table: TableDescriptor): TableAccess {
    const known = this.#accesses.get(table.field);
    if (known !== undefined) return known;
    const found = this.#find(table);
    this.#accesses.set(table.field, found);
    return found;
  }

  #find({ schema, name }: TableDescriptor): TableAccess {
    const { role, rules } = this.limits;
    const id = `${schema}.${name}`;
    const rights = this.#rights?.get(id);
    if (this.#rights !== undefined && rights === undefined) return noAccess;
    const { select = true, insert = true, update = true, delete: deletes = true } = rights ?? {};
    const rule = rules?.[id];
    const { read, write, hide } = rule === undefined ? { read: true, write: true, hide: [] } : ruleFor(rule, role);
    if (read === false && write === false) return noAccess;
    const writable = (granted: GrantedColumns): Names => (write === false ? none : namesOf(granted));
    return {
      granted: namesOf(select),
      hidden: new Set(hide),
      insert: writable(insert),
      update: writable(update),
      delete: deletes && write !== false,
      checksWrites: typeof write !== 'boolean',
    };
  }
}

const namesOf = (granted: GrantedColumns): Names =>
  granted === true ? 'all' : granted.length === 0 ? none : new Set(granted);

const nameOf = (schema: string, name: string, inputs?: readonly string[]): string =>
  JSON.stringify([schema, name, inputs]);

/** The column with the writes that the role may make; the same object if those are all. */
function limitedColumn(
  column: ColumnDescriptor,
  { inserts, updates }: { readonly inserts: boolean; readonly updates: boolean },
  { insertable, updatable }: TableDescriptor,
): ColumnDescriptor {
  const isWhole = inserts === (insertable === true) && updates === (updatable === true && column.insertOnly !== true);
  if (column.readOnly === true || isWhole) return column;
  const limited = inserts
    ? { insertOnly: true as const }
    : updates
      ? { updateOnly: true as const }
      : { readOnly: true as const };
  return { ...column, ...limited, ungranted: true };
}

/** The items of a list that are kept, as a member that is absent where there are none. */
function kept<K extends string, T>(
  given: Readonly<Record<K, readonly T[] | undefined>>,
  keeps: (item: T) => boolean,
): Partial<Record<K, readonly T[]>> {
  const [[name, all = []] = []] = Object.entries<readonly T[] | undefined>(given) as [K, readonly T[] | undefined][];
  const items = same(all, all.filter(keeps));
  return name === undefined || items.length === 0 ? {} : ({ [name]: items } as Record<K, readonly T[]>);
}

const without = <T extends object, K extends keyof T>(given: T, names: readonly K[]): Omit<T, K> =>
  Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name as K))) as Omit<T, K>;

/** Whether two tables have the same members. */
const isEqual = (table: TableDescriptor, other: TableDescriptor): boolean =>
  (Object.keys(table) as (keyof TableDescriptor)[]).every(
    (name) => table[name] === other[name] || (Array.isArray(table[name]) && table[name].length === 0),
  );
