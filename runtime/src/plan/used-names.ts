import { nodeColumns } from '../descriptor/node-id.js';
import type { Registry, Table } from '../descriptor/registry.js';
import type { Filter, Having, Intent, Order, ReadIntent, RootField, Selection } from './intent.js';
import type { AggregateIntent, AggregateSelection, ChangesIntent, ConnectionIntent, RowValueName } from './intent.js';
import { isNestedWrite, type NestedInsert, type RowsShape, type WriteIntent } from './write/write-intent.js';

/**
 * Names of columns, computed fields and relations that a request uses, by `schema.table`; also
 * the functions that it calls, without such names.
 */
export type UsedNames = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Every name of the database that an intent uses: the request depends on them, independent of its
 * values.
 */
export function usedNames(intent: Intent | WriteIntent, registry: Registry): UsedNames {
  const collector = new Collector(registry);
  switch (intent.kind) {
    case 'document':
      for (const field of intent.fields) collector.root(field);
      break;
    case 'rows':
    case 'row':
      collector.read(intent.read);
      break;
    case 'changes':
      collector.changes(intent);
      break;
    default:
      collector.write(intent);
  }
  return collector.names;
}

const nameOf = (named: RowValueName | { readonly column: string }): string =>
  typeof named === 'string' ? named : 'column' in named ? named.column : named.computed;

type Named = Pick<Table, 'schema' | 'name'>;

const keyOf = ({ schema, name }: Named): string => `${schema}.${name}`;

class Collector {
  readonly names = new Map<string, Set<string>>();

  constructor(private readonly registry: Registry) {}

  root(field: RootField): void {
    switch (field.kind) {
      case 'list':
      case 'one':
        this.read(field.read);
        break;
      case 'connection':
        this.connection(field.connection);
        break;
      case 'aggregate':
        this.aggregate(field.aggregate);
        break;
      case 'nodes':
        for (const read of field.reads) if (read !== undefined) this.read(read);
        break;
      case 'value':
        this.add(field.value.call.function);
        break;
      case 'nothing':
      case 'typename':
        break;
    }
  }

  read({ table, from, select, where, orderBy, distinctOn, vector }: ReadIntent): void {
    if (from !== undefined) this.add(from.function);
    this.add(table, ...(distinctOn ?? []).map(nameOf), ...(vector === undefined ? [] : [vector.column]));
    this.selections(table, select);
    this.filter(table, where);
    for (const order of orderBy ?? []) this.order(table, order.by);
  }

  changes({ table, keys, rows, formerRows, where }: ChangesIntent): void {
    this.add(table, ...(table.primaryKey?.columns.slice(0, keys.length) ?? []));
    for (const select of [...rows, ...formerRows]) this.selections(table, select);
    this.filter(table, where);
  }

  write(intent: WriteIntent): void {
    if (intent.kind === 'call') return;
    if (intent.kind === 'function') {
      if (intent.rows !== undefined) this.read(intent.rows.read);
      return;
    }
    const { table } = intent;
    this.add(table, ...(isNestedWrite(intent) ? intent.inside.relations : []));
    if (intent.kind === 'insert') this.rows(table, intent);
    else this.filter(table, intent.where);
    if (intent.kind === 'update') {
      this.add(table, ...intent.columns.map(({ column }) => column), ...(intent.inc ?? []).map(({ column }) => column));
    }
    this.selections(table, intent.returning.select ?? []);
  }

  private rows(table: Table, { columns, nested }: RowsShape): void {
    this.add(table, ...columns.map(({ column }) => column));
    for (const each of nested ?? []) this.nested(table, each);
  }

  private nested(table: Table, insert: NestedInsert): void {
    const other = this.follow(table, insert.relation);
    if (other !== undefined) this.rows(other, insert);
  }

  private connection({ table, select, where, orderBy }: ConnectionIntent): void {
    this.add(table);
    this.filter(table, where);
    for (const order of orderBy ?? []) this.order(table, order.by);
    for (const part of select) {
      if (part.kind === 'nodes') this.selections(table, part.select);
      if (part.kind !== 'edges') continue;
      for (const edge of part.select) if (edge.kind === 'node') this.selections(table, edge.select);
    }
  }

  private aggregate({ table, where, groupBy, having, select }: AggregateIntent): void {
    this.add(table, ...(groupBy ?? []).map(nameOf));
    this.filter(table, where);
    if (having !== undefined) this.having(table, having);
    for (const each of select) this.aggregated(table, each);
  }

  private aggregated(table: Table, selection: AggregateSelection): void {
    if (selection.kind === 'groups') for (const each of selection.select) this.aggregated(table, each);
    if (selection.kind !== 'function' && selection.kind !== 'key') return;
    this.add(table, ...selection.columns.flatMap((each) => ('type' in each ? [] : [nameOf(each)])));
  }

  private having(table: Table, having: Having): void {
    if (having.kind === 'compare')
      this.add(table, ...[having.column, having.computed].filter((name) => name !== undefined));
    else if (having.kind === 'not') this.having(table, having.condition);
    else for (const each of having.conditions) this.having(table, each);
  }

  private selections(table: Table, selections: readonly Selection[]): void {
    for (const each of selections) {
      switch (each.kind) {
        case 'column':
        case 'composite':
          this.add(table, each.column);
          break;
        case 'computed':
          this.add(table, each.name);
          break;
        case 'aggregated':
          this.groupFunction(table, each);
          break;
        case 'spread':
        case 'relation':
          this.add(table, each.relation);
          this.read(each.read);
          break;
        case 'aggregate':
          this.add(table, each.relation);
          this.aggregate(each.aggregate);
          break;
        case 'nodeId':
          this.add(table, ...nodeColumns(table).map(({ name }) => name));
          break;
        case 'typename':
          break;
      }
    }
  }

  private groupFunction(table: Table, { of, through = [] }: Extract<Selection, { kind: 'aggregated' }>): void {
    let holder: Table | undefined = table;
    for (const { relation, where } of through) {
      holder = holder === undefined ? undefined : this.follow(holder, relation);
      if (holder !== undefined) this.filter(holder, where);
    }
    if (holder !== undefined && of !== undefined) this.add(holder, of.column);
  }

  private filter(table: Table, filter: Filter | undefined): void {
    switch (filter?.kind) {
      case 'and':
      case 'or':
        for (const each of filter.filters) this.filter(table, each);
        break;
      case 'not':
        this.filter(table, filter.filter);
        break;
      case 'compare':
        this.add(table, filter.column);
        break;
      case 'relation': {
        const other = this.follow(table, filter.relation);
        if (other !== undefined) this.filter(other, filter.filter);
        break;
      }
      case undefined:
        break;
    }
  }

  private order(table: Table, by: Order['by']): void {
    switch (by.kind) {
      case 'column':
        this.add(table, by.column);
        break;
      case 'computed':
        this.add(table, by.name);
        break;
      case 'count':
        this.add(table, by.relation);
        break;
      case 'relation': {
        const other = this.follow(table, by.relation);
        if (other !== undefined) this.order(other, by.by);
        break;
      }
    }
  }

  /** The table that a relation leads to; the relation is used. */
  private follow(table: Table, relation: string): Table | undefined {
    this.add(table, relation);
    const descriptor = table.relations?.find(({ name }) => name === relation);
    return descriptor === undefined ? undefined : this.registry.table.get(descriptor.table);
  }

  private add(table: Named, ...names: readonly string[]): void {
    const key = keyOf(table);
    const known = this.names.get(key) ?? new Set();
    for (const name of names) known.add(name);
    this.names.set(key, known);
  }
}
