import { tableKey, type RowOperation } from '../dialect/change-feed.js';
import type { Identity } from '../dialect/driver.js';
import type { Registry, Table } from '../descriptor/registry.js';
import type { Statement } from '../plan/statement.js';
import type { RowFilter } from '../plan/context.js';
import type { ListKeys } from './snapshot.js';
import type { Condition } from '../plan/read/plan.js';
import type { AggregateIntent, AggregateSelection, ChangesIntent, Filter, Having, Selection } from '../plan/intent.js';

/** A change of a row, or a row that was there when its subscription began. */
export type ReportedOperation = RowOperation | 'SNAPSHOT';

/** The messages of a subscription. */
export type ChangeOperation = ReportedOperation | 'RESYNC';

/** An event as its text is made from. */
export interface ChangeEvent {
  readonly operation: ChangeOperation;
  readonly timestamp: string;
  /** JSON text; null for RESYNC. */
  readonly key: string | null;
  /** JSON text of each row that the document asks for; none where there is no row. */
  readonly rows: readonly (string | null)[];
  /** The same of the row before the change. */
  readonly formerRows: readonly (string | null)[];
  readonly error?: string;
}

/** The subscription of a client. */
export interface ChangeSource {
  readonly table: Table;
  /** Undefined: all operations. */
  readonly operations: ReadonlySet<string> | undefined;
  /** The statement of a ChangesIntent. */
  readonly statement: Statement;
  readonly inputs: object;
  /** Which rows the statement may read, as the user's hooks say. */
  readonly rowFilter?: RowFilter;
  /**
   * How many rows the statement answers for each key: first the current ones, then the former ones.
   */
  readonly rowCount: number;
  readonly formerCount: number;
  /** Equal for sources that answer the same text to the same identity. */
  readonly key: string;
  /**
   * The tables that the statement reads, as `tableKey` writes them; undefined if the identity may
   * matter in other ways: views, functions.
   */
  readonly reads: ReadonlySet<string> | undefined;
  /** Whether hooks restrict the readable rows of the table. */
  readonly isHidden?: true;
  /**
   * The columns that the subscriber may see. Absent if the document reads more than columns of the
   * row: an update of others may matter.
   */
  readonly visible?: ReadonlySet<string>;
  /** Whether an update of columns that are not visible may show a row: a rule reads them. */
  readonly isShownByOthers?: true;
  /** Whether a row may stop matching the filter. */
  readonly isFiltered: boolean;
  /** Lists the keys of the snapshot. Absent: the subscription has none. */
  readonly snapshot?: ListKeys;
  /** The JSON text of an event: `{"data":…}`, or the input of `finish`. */
  readonly write: (event: ChangeEvent) => string;
  /**
   * Present if custom code takes part: makes the text of an event, as its subscriber. It may take
   * long.
   */
  readonly finish?: (written: string, identity: Identity) => Promise<string>;
}

/**
 * The columns of the table that a subscriber may see; undefined where the document reads other
 * tables, or values that the database computes.
 */
export function visibleColumns(
  { table, rows, formerRows, where }: ChangesIntent,
  rowFilter: RowFilter | undefined,
): ReadonlySet<string> | undefined {
  const isPlain = [...rows, ...formerRows].flat().every(({ kind }) => plain.has(kind)) && isOfColumns(where);
  const hidden = rowFilter?.hidden(table);
  if (!isPlain) return undefined;
  return new Set(table.columns.flatMap(({ name }) => (hidden?.has(name) === true ? [] : [name])));
}

/** Selections of a row that depend on its own columns alone. */
const plain: ReadonlySet<string> = new Set(['column', 'typename', 'nodeId', 'composite']);

function isOfColumns(filter: Filter | undefined): boolean {
  if (filter === undefined) return true;
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.every(isOfColumns);
  return filter.kind === 'not' ? isOfColumns(filter.filter) : filter.kind === 'compare' && filter.computed !== true;
}

/** Whether a condition reads these columns of its row, and nothing else. */
export function readsOnly(condition: Condition, columns: ReadonlySet<string>): boolean {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.conditions.every((each) => readsOnly(each, columns));
    case 'not':
    case 'notTrue':
      return readsOnly(condition.condition, columns);
    case 'operation':
      return condition.operand.kind === 'column' && columns.has(condition.operand.column);
    default:
      return false;
  }
}

/** The tables that an intent reads; undefined where it reads more than tables. */
export function tablesRead(intent: ChangesIntent, registry: Registry): ReadonlySet<string> | undefined {
  const found = new Set<string>();
  const reader = new TableReader(registry, found);
  const isPlain =
    reader.table(intent.table) &&
    [...intent.rows, ...intent.formerRows].every((select) => reader.selections(select, intent.table)) &&
    reader.filter(intent.where, intent.table);
  return isPlain ? found : undefined;
}

/**
 * Every method adds the tables that it finds, and returns whether nothing else is read: a view or a
 * function may read anything.
 */
class TableReader {
  constructor(
    private readonly registry: Registry,
    private readonly found: Set<string>,
  ) {}

  table(table: Table): boolean {
    this.found.add(tableKey(table));
    return table.kind === 'table';
  }

  selections(select: readonly Selection[], table: Table): boolean {
    return select.every((selection) => this.selection(selection, table));
  }

  selection(selection: Selection, table: Table): boolean {
    switch (selection.kind) {
      case 'column':
      case 'typename':
      case 'nodeId':
      case 'composite':
        return true;
      case 'computed':
        return false;
      case 'aggregated':
        return false;
      case 'spread':
      case 'relation': {
        const { read } = selection;
        // An order may go through relations and functions.
        return (
          this.related(selection.relation, table) &&
          read.orderBy === undefined &&
          this.selections(read.select, read.table) &&
          this.filter(read.where, read.table)
        );
      }
      case 'aggregate':
        return this.related(selection.relation, table) && this.aggregate(selection.aggregate);
    }
  }

  aggregate({ table, where, groupBy = [], having, select }: AggregateIntent): boolean {
    const isPlain = [...groupBy, ...select.flatMap(aggregatedNames)].every((each) => typeof each === 'string');
    return isPlain && !(having !== undefined && hasComputed(having)) && this.filter(where, table);
  }

  filter(filter: Filter | undefined, table: Table): boolean {
    if (filter === undefined) return true;
    switch (filter.kind) {
      case 'and':
      case 'or':
        return filter.filters.every((each) => this.filter(each, table));
      case 'not':
        return this.filter(filter.filter, table);
      case 'compare':
        return filter.computed !== true;
      case 'relation': {
        const target = this.target(filter.relation, table);
        return target !== undefined && this.related(filter.relation, table) && this.filter(filter.filter, target);
      }
    }
  }

  private related(name: string, table: Table): boolean {
    const target = this.target(name, table);
    if (table.relationsByName.get(name)?.function !== undefined) return false;
    const through = table.relationsByName.get(name)?.through;
    const junction = through === undefined ? undefined : this.registry.table.get(through.table);
    return (
      target !== undefined &&
      this.table(target) &&
      (through === undefined || (junction !== undefined && this.table(junction)))
    );
  }

  private target(name: string, table: Table): Table | undefined {
    return this.registry.table.get(table.relationsByName.get(name)?.table ?? '');
  }
}

/** The aggregated values: the names of columns, and computed fields. */
function aggregatedNames(selection: AggregateSelection): readonly unknown[] {
  if (selection.kind === 'groups') return selection.select.flatMap(aggregatedNames);
  if (selection.kind !== 'function' && selection.kind !== 'key') return [];
  return selection.columns.map((each) => ('computed' in each ? each : each.as));
}

function hasComputed(having: Having): boolean {
  if (having.kind === 'compare') return having.computed !== undefined;
  return having.kind === 'not' ? hasComputed(having.condition) : having.conditions.some(hasComputed);
}
