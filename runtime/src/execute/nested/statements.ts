import { boundsOf } from '../../descriptor/cache-bounds.js';
import type { Table } from '../../descriptor/registry.js';
import type { RawRow, Statement } from '../../plan/statement.js';
import type { InsertTree, RowsProgram, Steps } from '../../plan/write-program.js';
import type { PlanContext, RowFilter } from '../../plan/context.js';
import type { Filter, Value } from '../../plan/intent.js';
import { graphqlForm } from '../../plan/intent-form.js';
import type { Parameter } from '../../plan/parameter.js';
import type { ColumnLimits } from '../../plan/read/columns.js';
import { keyColumns } from '../../plan/read/orders.js';
import { planMatching, planTouched } from '../../plan/read/filters.js';
import { columnSubject } from '../../plan/refuse.js';
import type { Values } from '../../plan/write/nested-write.js';
import { typedColumn, updatableColumn, writableColumn } from '../../plan/write/rows.js';
import { keysOnly, planTree } from '../../plan/write/tree.js';
import { planCheck, planDelete } from '../../plan/write/table-writes.js';
import type { OnConflict, UpdateIntent } from '../../plan/write/write-intent.js';
import type { TableWritePlan, UpdatePlan, WritePlan } from '../../plan/write/write-plan.js';
import type { WriteProgram } from '../../plan/write-program.js';
import { ownRows, tableName, writtenTable } from '../../plan/context.js';
import type { WrittenTable } from '../../plan/read/plan.js';
import { unsupported, quoted } from '../../plan/refuse.js';
import { BoundedCache } from '../../bounded-cache.js';
import { numberForEach } from '../../once-for-each.js';

/** The known values of a row: the texts of some of its columns. */
export type Found = ReadonlyMap<string, string | null>;

/**
 * The columns that find rows: columns with values of the client, and columns whose texts the
 * database has returned.
 */
export interface By {
  readonly key?: Values | undefined;
  readonly texts?: Found | undefined;
  /** The columns are a key that no rows of tables that inherit from this one have. */
  readonly isOwn?: boolean | undefined;
}

/** The inputs of a statement of a nested write. */
export interface StatementInputs extends By {
  readonly values?: Values;
  readonly filled?: Found;
  /** The inputs of the request. */
  readonly request?: unknown;
}

export type Compiled = Statement | Steps;

type Inc = NonNullable<UpdateIntent['inc']>;

/**
 * The statements of nested writes, cached by kind of write and by columns: requests of different
 * shapes share them.
 */
export class NestedStatements {
  constructor(
    private readonly context: PlanContext,
    private readonly compile: (plan: WritePlan) => WriteProgram,
    private readonly known = new BoundedCache<RowsProgram>(boundsOf(context.registry, 1000, 8000)),
  ) {}

  /** The same statements for the rows that a request may read. */
  for(rowFilter: RowFilter): NestedStatements {
    return new NestedStatements({ ...this.context, rowFilter }, this.compile, this.known);
  }

  /**
   * The key by which a row is found again.
   * @throws ServerError 400 where the caller may read none
   */
  keyOf(table: Table): readonly string[] {
    return ownKey(table, this.context);
  }

  /** Finds the rows with these columns, at most two of them. */
  find(table: Table, by: By, wanted: readonly string[], lock: boolean): Compiled {
    return this.statement(table, ['find', shapeOf(by), wanted, lock], () => ({
      kind: 'find',
      table: touchedBy(by, tableName(table), table),
      ...(lock ? planTouched : planMatching)(filterOf(by), table, this.context),
      lock,
      atMost: 2,
      returning: keysOnly(wanted),
    }));
  }

  /** @param inc read from `request` */
  update(
    table: Table,
    by: By,
    values: readonly string[],
    filled: readonly string[],
    wanted: readonly string[],
    inc: Inc = [],
  ): Compiled {
    const id = ['update', shapeOf(by), values, filled, wanted, inc.length === 0 ? '' : numberOf(inc)];
    const make = (): UpdatePlan => {
      if (table.updatable !== true) throw unsupported(`Rows of ${quoted(table.name)} can't be updated.`);
      const columns = [...values.filter((name) => !filled.includes(name)), ...filled];
      for (const name of [...columns, ...inc.map(({ column }) => column)]) updatableColumn(table, name, this.context);
      return {
        kind: 'update',
        table: touchedBy(by, writtenTable(table, 'update'), table),
        columns: columns.map((name) => typedColumn(table, name)),
        cells: columns.map((name) =>
          cellOf(table, name, filled.includes(name) ? textOf(name) : valueOf(name), this.context),
        ),
        defaults: [],
        inc: inc.map(({ column, by: value }) => ({
          column: typedColumn(table, column),
          by: { ...cellOf(table, column, ofRequest(value), this.context), required: column },
        })),
        ...planTouched(filterOf(by), table, this.context),
        ...planCheck(table, keysOnly(wanted), this.context),
      };
    };
    return this.statement(table, id, make);
  }

  remove(table: Table, by: By, wanted: readonly string[]): Compiled {
    const where = filterOf(by);
    const returning = { as: 'list', format: 'json' } as const;
    return this.statement(table, ['delete', shapeOf(by), wanted], () => {
      const intent = { kind: 'delete', table, where, returning, form: graphqlForm } as const;
      const plan = planDelete(intent, keysOnly(wanted), this.context);
      return { ...plan, table: touchedBy(by, plan.table, table) };
    });
  }

  /** @param keySets the different sets of columns that rows have */
  insert(
    table: Table,
    keySets: readonly (readonly string[])[],
    wanted: readonly string[],
    onConflict?: OnConflict,
  ): InsertTree {
    const program = this.kept(table, ['insert', keySets, wanted, onConflict], () => {
      const columns = [...new Set(keySets.flat())].map((column) => ({ column, key: column }));
      const shape = { columns, ...(keySets.length > 1 ? { keySets } : {}) };
      const tree = planTree({ table, shape, filled: [], onConflict, returning: keysOnly(wanted) }, this.context);
      return { kind: 'tree', rows: () => [], tree, empty: null };
    });
    if (program.tree === undefined) throw new TypeError('an insert of a tree was compiled to something else');
    return program.tree;
  }

  private statement(table: Table, id: readonly unknown[], make: () => TableWritePlan): Compiled {
    return required(this.kept(table, id, () => ({ kind: 'rows', write: make(), empty: null })));
  }

  /**
   * A statement reads only rows of its own table, so only that table's conditions are in the key.
   */
  private kept(table: Table, parts: readonly unknown[], make: () => WritePlan): RowsProgram {
    const unread = [...(this.context.rowFilter?.unread?.(table) ?? [])];
    const id = JSON.stringify([table.field, this.context.rowFilter?.shape(table), unread, ...parts]);
    return this.known.getOrMake(id, 4000 + id.length, () => this.rowsProgram(make()));
  }

  private rowsProgram(plan: WritePlan): RowsProgram {
    const program = this.compile(plan);
    if (program.kind !== 'rows') throw new TypeError('a write of rows was compiled to a call');
    return program;
  }
}

export function ownKey(table: Table, limits: ColumnLimits): readonly string[] {
  const key = keyColumns(table, limits);
  if (key === undefined)
    throw unsupported(`Rows of ${quoted(table.name)} have no key, so no rows are written inside them.`);
  return key;
}

/** The values to add are read from the request: these belong to requests of one shape. */
const numberOf = numberForEach();

/** The keys of the rows in the answer of a statement, by column. */
export function foundIn(answer: RawRow | undefined, wanted: readonly string[]): readonly Found[] {
  const keys = answer?.[3];
  if (keys === null || keys === undefined) return [];
  return (JSON.parse(keys) as readonly RawRow[]).map(
    (row) => new Map(wanted.map((name, at) => [name, row[at] ?? null])),
  );
}

function required({ statement }: RowsProgram): Compiled {
  if (statement === undefined) throw new TypeError('a write of rows has no statement');
  return statement;
}

const shapeOf = ({ key = {}, texts = new Map(), isOwn = false }: By): unknown => [
  Object.keys(key),
  [...texts.keys()],
  isOwn,
];

const touchedBy = ({ isOwn }: By, written: WrittenTable, table: Table): WrittenTable =>
  isOwn === true ? { ...written, ...ownRows(table) } : written;

function filterOf({ key = {}, texts = new Map() }: By): Filter {
  const equal = (column: string, value: Value): Filter => ({
    kind: 'compare',
    column,
    operator: 'eq',
    values: [value],
  });
  const given = Object.keys(key).map((name) =>
    equal(name, { read: (inputs) => (inputs as StatementInputs).key?.[name], form: 'json' }),
  );
  const known = [...texts.keys()].map((name) =>
    equal(name, { read: (inputs) => (inputs as StatementInputs).texts?.get(name), form: 'text' }),
  );
  return { kind: 'and', filters: [...given, ...known] };
}

const valueOf = (name: string): Value => ({
  read: (inputs) => (inputs as StatementInputs).values?.[name],
  form: 'json',
});

const textOf = (name: string): Value => ({
  read: (inputs) => (inputs as StatementInputs).filled?.get(name),
  form: 'text',
});

const ofRequest = (value: Value): Value => ({
  ...value,
  read: (inputs) => value.read((inputs as StatementInputs).request),
});

const cellOf = (table: Table, name: string, value: Value, context: PlanContext): Parameter => ({
  value,
  as: 'value',
  type: writableColumn(table, name, context).type,
  subject: columnSubject(name),
  cell: name,
});
