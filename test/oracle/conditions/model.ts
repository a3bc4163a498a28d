/** A row of the model: values by column. */
export type Row = Readonly<Record<string, string | number | null>>;

export interface Caller {
  readonly sub: string;
  readonly role?: string;
}

/** What protects the rows of a table, beside the conditions of the requests. */
export type TableName = 'plain' | 'ruled' | 'owned' | 'policed' | 'hooked';

export const callers: readonly Caller[] = [{ sub: 'ada' }, { sub: 'bob' }, { sub: 'eve', role: 'support' }];

/** Rows of the embedded table by key: the row that they refer to. */
export type Kids = ReadonlyMap<number, number>;

/** The rows of one tenant. */
export class TenantModel {
  readonly tables = new Map<TableName, Map<number, Row>>();
  readonly kids = new Map<number, number>();
  /** The keys of rows that `afterUpdate` has logged. */
  readonly log: number[] = [];
  /** A migration has added the column `extra`. */
  isSwapped = false;

  constructor(names: readonly TableName[]) {
    for (const name of names) this.tables.set(name, new Map());
  }

  row(table: TableName, id: number): Row | undefined {
    return this.tables.get(table)?.get(id);
  }

  set(table: TableName, id: number, row: Row | undefined): void {
    const rows = this.tables.get(table);
    if (row !== undefined) rows?.set(id, row);
    else {
      rows?.delete(id);
      if (table === 'plain') for (const [kid, item] of this.kids) if (item === id) this.kids.delete(kid);
    }
  }
}

const isLimited = (table: TableName, { role }: Caller): boolean =>
  table === 'policed' || ((table === 'ruled' || table === 'owned') && role !== 'support');

export const isVisible = (table: TableName, caller: Caller, row: Row): boolean =>
  !isLimited(table, caller) || row['owner'] === caller.sub || row['shared'] === 1;

/** Of the row before a write, and of the row after it. */
export const isWritable = (table: TableName, caller: Caller, row: Row): boolean =>
  !isLimited(table, caller) || row['owner'] === caller.sub;

export const hides = (table: TableName, caller: Caller, column: string): boolean =>
  column === 'secret' && table === 'ruled' && caller.role !== 'support';

/** What a request may select: some columns, embedded rows, or all columns. */
export type Select = readonly string[] | undefined;

/** The row as a caller reads it; undefined where there is none. */
export function viewOf(model: TenantModel, table: TableName, id: number, caller: Caller, select: Select): unknown {
  const row = model.row(table, id);
  if (row === undefined || !isVisible(table, caller, row)) return undefined;
  return shown(model, table, row, caller, select);
}

export function shown(model: TenantModel, table: TableName, row: Row, caller: Caller, select: Select): object {
  const columns = select ?? Object.keys(row).filter((column) => !hides(table, caller, column));
  const kids = [...model.kids].flatMap(([id, item]) => (item === row['id'] ? [{ id }] : []));
  return Object.fromEntries(
    columns.map((column): readonly [string, unknown] =>
      column === 'kids(id)' ? ['kids', kids.sort((one, other) => one.id - other.id)] : [column, row[column]],
    ),
  );
}

export interface ModelWrite {
  readonly method: 'PATCH' | 'PUT' | 'DELETE';
  readonly table: TableName;
  readonly id: number;
  readonly caller: Caller;
  /** What PATCH sets, or all that PUT writes. */
  readonly body: Row;
}

/** What a write does once its conditions hold. */
export type Effect =
  /** The row is `after` then, undefined where it is deleted, and `answered` is in the answer. */
  | { readonly kind: 'written'; readonly after: Row | undefined; readonly answered: Row; readonly created: boolean }
  /** No row is found, or nothing is set. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'refused' };

/** The number that `beforeDelete` refuses. */
export const kept = 13;

export function effectOf(model: TenantModel, { method, table, id, caller, body }: ModelWrite): Effect {
  const row = model.row(table, id);
  const isReached = row !== undefined && isVisible(table, caller, row) && isWritable(table, caller, row);
  const isHooked = table === 'hooked';
  if (method === 'DELETE') {
    if (!isReached) return { kind: 'nothing' };
    if (isHooked && row['n'] === kept) return { kind: 'refused' };
    return { kind: 'written', after: undefined, answered: row, created: false };
  }
  if (Object.keys(body).some((column) => hides(table, caller, column))) return { kind: 'refused' };
  if (method === 'PATCH') {
    if (!isReached || Object.keys(body).length === 0) return { kind: 'nothing' };
    return changed(table, caller, { ...row, ...hookedBody(isHooked, body, '!') }, false);
  }
  if (row === undefined)
    return changed(table, caller, { ...emptyRow(body), ...hookedBody(isHooked, body, '+'), id }, true);
  if (!isReached) return { kind: 'refused' };
  return changed(table, caller, { ...row, ...hookedBody(isHooked, body, '!'), id }, false);
}

function changed(table: TableName, caller: Caller, after: Row, created: boolean): Effect {
  if (!isWritable(table, caller, after)) return { kind: 'refused' };
  return { kind: 'written', after, answered: after, created };
}

const hookedBody = (isHooked: boolean, body: Row, mark: string): Row =>
  isHooked && typeof body['note'] === 'string' ? { ...body, note: `${body['note']}${mark}` } : body;

/** A column that the writer does not see gets its default. */
const emptyRow = (body: Row): Row => ({ id: 0, n: 0, note: null, secret: null, owner: null, shared: 0, ...body });
