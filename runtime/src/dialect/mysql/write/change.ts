import { sql } from 'kysely';
import { ServerError } from '../../../errors.js';
import { unsupported } from '../../../plan/refuse.js';
import type { Condition, TableName } from '../../../plan/read/plan.js';
import type {
  DeletePlan,
  FindPlan,
  ReplacePlan,
  ReturningPlan,
  TypedColumn,
  UpdatePlan,
} from '../../../plan/write/write-plan.js';
import type { Slot, Statement } from '../../../plan/statement.js';
import type { RunOne, Steps } from '../../../plan/write-program.js';
import { textOfSent } from '../parameters/encode.js';
import { parameter, slotOf, typed } from '../parameters/parameter.js';
import { filterOf, where } from '../../sql/condition.js';
import { clauses, columnOf, compileFragment, join, nothing, slot, table, type Fragment } from '../sql.js';
import { createCompiler } from '../read/words.js';
import { keyOf, type Scope, type Types } from '../read/scope.js';
import { writerOf } from '../read/format.js';
import { whole } from '../read/text.js';
import { entries } from '../../sql/selection.js';
import { answerOf, answersNothing, fixedRow, keyless, onlyStep, shownRows } from './answer.js';
import { compileInsert } from './insert.js';
import { columnsOf, compileReadByKeys, given, keysText, keyTable, keyText, sameKey, type Key } from './keys.js';
import { rowsReader } from './rows.js';

/**
 * Locks the rows, changes them, and reads them again by their keys. One statement is enough if no
 * row is part of the answer.
 */
export function compileUpdate(plan: UpdatePlan, types: Types): Steps {
  const scope = scopeOf(plan, types);
  const sets = setsOf(plan, scope);
  const key = keyOf(plan.table, types);
  const target = sql`${table(plan.table, types)} as ${sql.id(scope.row)}`;
  if (key === undefined || isDirect(plan, types)) {
    const row = fixedRow(plan.returning);
    if (row === undefined && !answersNothing(plan.returning)) throw keyless();
    const matching = where([filterOf(plan.where, scope)]);
    const statement = clauses(sql`update ${target} set ${join(sets.map(({ set }) => set))}`, matching);
    return direct(compileFragment(statement), plan.returning, row);
  }
  const lock = lockedKeys(plan, key, types);
  const source = sql`${keyTable(key, slot(keysIn))} straight_join ${target} on ${sameKey(key, scope.row, types)}`;
  const update = compileFragment(sql`update ${source} set ${join(sets.map(({ set }) => set))}`);
  const after = answered(plan, key, types);
  const moved = sets.filter(({ column }) => key.some(({ name }) => name === column));
  return {
    perform: async (run, inputs) => {
      const keys = await lock(run, inputs);
      if (keys.length > 0) await run(bindingBoth(update), { keys: keysText(key, keys, types), inputs });
      const now = keys.map((each) => each.map((text, at) => movedText(moved, key[at]?.name ?? '', text, inputs)));
      return answerOf({ affected: keys.length, ...(await after(run, now)) });
    },
  };
}

export function compileDelete(plan: DeletePlan, types: Types): Steps {
  const key = keyOf(plan.table, types);
  if (key === undefined || isDirect(plan, types)) return deleteAtOnce(plan, types);
  const lock = lockedKeys(plan, key, types);
  const after = answered(plan, key, types);
  const row = 'r0';
  const source = sql`${keyTable(key, slot(given))} straight_join ${table(plan.table, types)} as ${sql.id(row)} on ${sameKey(key, row, types)}`;
  const remove = compileFragment(sql`delete ${sql.id(row)} from ${source}`);
  return {
    perform: async (run, inputs) => {
      const keys = await lock(run, inputs);
      const done = await after(run, keys);
      if (keys.length > 0) await run(remove, keysText(key, keys, types));
      return answerOf({ affected: keys.length, ...done });
    },
  };
}

/** Reads the requested columns of matching rows, and locks the rows if they will be changed. */
export function compileFind(plan: FindPlan, types: Types): Steps {
  const scope = scopeOf(plan, types);
  const wanted = columnsOf(plan.table, plan.returning.keys ?? [], types);
  const texts = wanted.map((each) => keyText(each, scope.row, plan.returning.style, types));
  const statement = compileFragment(
    clauses(
      sql`select ${texts.length === 0 ? sql`1` : join(texts)} from ${table(plan.table, types)} as ${sql.id(scope.row)}`,
      where([filterOf(plan.where, scope)]),
      sql`limit ${sql.lit(plan.atMost)}`,
      plan.lock ? sql`for update` : nothing,
    ),
  );
  return {
    perform: async (run, inputs) => {
      const rows = await run(statement, inputs);
      return answerOf({ text: null, affected: rows.length, keys: rows.map((row) => row.slice(0, wanted.length)) });
    },
  };
}

/**
 * Deletes in one statement. The table has no alias in it; related rows are subselects of RETURNING.
 */
function deleteAtOnce(plan: DeletePlan, types: Types): Steps {
  const { select, format, keys } = plan.returning;
  const scope: Scope = { ...scopeOf(plan, types), row: plan.table.name };
  const matching = where([filterOf(plan.where, scope)]);
  const from = sql`from ${table(plan.table, types)}`;
  const remove = clauses(sql`delete`, from, matching);
  const row = fixedRow(plan.returning);
  if (row !== undefined || answersNothing(plan.returning)) return direct(compileFragment(remove), plan.returning, row);
  if (select === undefined || keys !== undefined) throw keyless();
  const members = entries(select, scope);
  const text = whole(writerOf(format, select).row(members));
  if (!types.features.returning) {
    const lock = compileFragment(clauses(sql`select ${text}`, from, matching, sql`for update`));
    return readAndDeleted(lock, compileFragment(remove), plan.returning);
  }
  return onlyStep({ ...compileFragment(sql`${remove} returning ${text}`), answers: 'rows' }, (rows) => {
    const texts = rows.map(([row]) => row ?? 'null');
    return answerOf({ text: shownRows(plan.returning, texts), affected: rows.length });
  });
}

/**
 * Without RETURNING: reads and locks the rows, then deletes them. A row that another request
 * inserts in between is not read.
 */
const readAndDeleted = (lock: Statement, remove: Statement, returning: ReturningPlan): Steps => ({
  perform: async (run, inputs) => {
    const rows = await run(lock, inputs);
    const [done] = await run(remove, inputs);
    if (done?.[0] !== String(rows.length)) throw overtaken();
    const texts = rows.map(([row]) => row ?? 'null');
    return answerOf({ text: shownRows(returning, texts), affected: rows.length });
  },
});

const overtaken = (): ServerError =>
  new ServerError(409, '40001', 'The request conflicted with another one.', {
    hint: 'Send it again.',
    headers: { 'retry-after': '1' },
    kind: 'serialization',
  });

/** PUT: updates the row, and inserts it only if there is none. */
export function compileReplace(plan: ReplacePlan, types: Types): Steps {
  const key = keyOf(plan.table, types);
  if (key === undefined) throw keyless();
  const lock = lockedKeys(plan, key, types);
  const after = answered(plan, key, types);
  const read = rowsReader(plan.input, plan.columns, types);
  const updated = columnsOf(plan.table, plan.update, types);
  const sets = updated.map(({ name, type }) => {
    const value: Slot = {
      bind: (inputs) => (inputs as { row: ReadonlyMap<string, string | null> }).row.get(name) ?? null,
    };
    const column = columnOf('r0', name);
    return sql`${column} = ${typed(type, slot(value), types.features, column)}`;
  });
  const source = sql`${keyTable(key, slot(keysIn))} straight_join ${table(plan.table, types)} as r0 on ${sameKey(key, 'r0', types)}`;
  const update = sets.length === 0 ? undefined : compileFragment(sql`update ${source} set ${join(sets)}`);
  const { table: target, input, columns, returning } = plan;
  const insert = compileInsert(
    { kind: 'insert', table: target, input, groups: [{ columns, has: [], lacks: [] }], returning },
    types,
  );
  return {
    perform: async (run, inputs) => {
      const keys = await lock(run, inputs);
      if (keys.length === 0) return insert.perform(run, inputs);
      const [row] = read(inputs);
      if (update !== undefined) await run(update, { keys: keysText(key, keys, types), row });
      return answerOf({ affected: keys.length, ...(await after(run, keys)) });
    },
  };
}

/**
 * Whether one statement is enough: the answer needs nothing of the rows, and the condition may be
 * evaluated while the table is written.
 */
const isDirect = ({ returning }: UpdatePlan | DeletePlan, { features }: Types): boolean =>
  answersNothing(returning) && features.readsWrittenTable;

const scopeOf = ({ returning }: { readonly returning: ReturningPlan }, types: Types): Scope => {
  const compiler = createCompiler(types);
  return { row: compiler.newRow(), style: returning.style, compiler };
};

/**
 * One statement, which returns the number of changed rows.
 * @param row the text of each row; undefined: the answer has no rows
 */
const direct = (statement: Statement, returning: ReturningPlan, row: string | undefined): Steps =>
  onlyStep({ ...statement, answers: 'count' }, ([done]) => {
    const affected = Number(done?.[0] ?? 0);
    const rows = row === undefined ? undefined : Array.from({ length: affected }, () => row);
    return answerOf({ text: rows === undefined ? null : shownRows(returning, rows), affected });
  });

interface SetColumn {
  readonly column: string;
  readonly set: Fragment;
  /** The new value as text, if the server knows it. */
  readonly value: Slot | 'increased' | 'default';
}

function setsOf({ input, cells, columns, inc, defaults }: UpdatePlan, scope: Scope): readonly SetColumn[] {
  const { types } = scope.compiler;
  const read = input === undefined ? undefined : rowsReader(input, columns, types);
  const given = columns.map(({ name, type }, at): SetColumn => {
    const cell = cells?.[at];
    const value: Slot =
      cell === undefined ? { bind: (inputs) => read?.(inputs)[0]?.get(name) ?? null } : slotOf(cell, types);
    const text: Slot = {
      bind: (inputs) => {
        const sent = value.bind(inputs);
        return sent === null ? null : textOfSent(type, sent);
      },
    };
    const target = columnOf(scope.row, name);
    return {
      column: name,
      set: sql`${target} = ${typed(type, slot(value), types.features, target)}`,
      value: text,
    };
  });
  const increased = inc.map(({ column: { name }, by }): SetColumn => {
    const column = columnOf(scope.row, name);
    return { column: name, set: sql`${column} = ${column} + ${parameter(by, types)}`, value: 'increased' };
  });
  const absent = defaults.map((column): SetColumn => ({
    column,
    set: sql`${columnOf(scope.row, column)} = default`,
    value: 'default',
  }));
  return [...given, ...increased, ...absent];
}

function movedText(moved: readonly SetColumn[], name: string, text: string | null, inputs: unknown): string | null {
  const set = moved.find(({ column }) => column === name);
  if (set === undefined) return text;
  if (typeof set.value === 'string') {
    const change = set.value === 'increased' ? 'increased' : 'set to its default';
    throw unsupported(`A key cannot be ${change} on this database.`, 'Set it to its new value.');
  }
  return set.value.bind(inputs);
}

interface Matching {
  readonly table: TableName;
  readonly where?: Condition;
  readonly returning: ReturningPlan;
}

/** Locks the matching rows and returns their keys. */
function lockedKeys(
  plan: Matching,
  key: readonly TypedColumn[],
  types: Types,
): (run: RunOne, inputs: unknown) => Promise<readonly Key[]> {
  const scope = scopeOf(plan, types);
  const texts = key.map((each) => keyText(each, scope.row, plan.returning.style, types));
  const matching = where([filterOf(plan.where, scope)]);
  const from = sql`from ${table(plan.table, types)} as ${sql.id(scope.row)}`;
  const statement = compileFragment(clauses(sql`select ${join(texts)}`, from, matching, sql`for update`));
  return (run, inputs) => run(statement, inputs);
}

/** The answer about the rows of these keys. */
function answered(plan: Matching, key: readonly TypedColumn[], types: Types) {
  const { select, keys, as, format, style } = plan.returning;
  const text =
    select === undefined
      ? undefined
      : compileReadByKeys({ table: plan.table, key, select, as, format, style }, given, types);
  const wanted = keys === undefined ? undefined : columnsOf(plan.table, keys, types);
  const isOwnKey = wanted?.length === key.length && wanted.every(({ name }, at) => name === key[at]?.name);
  const others =
    wanted === undefined || isOwnKey
      ? undefined
      : compileFragment(
          sql`select ${join(wanted.map((each) => keyText(each, 'r0', style, types)))} from ${keyTable(key, slot(given))} straight_join ${table(plan.table, types)} as r0 on ${sameKey(key, 'r0', types)} order by k.rn`,
        );
  return async (
    run: RunOne,
    found: readonly Key[],
  ): Promise<{ text: string | null; keys: readonly Key[] | undefined }> => {
    const parameterText = keysText(key, found, types);
    const [row] = text === undefined || found.length === 0 ? [] : await run(text, parameterText);
    if (text !== undefined && found.length > 0 && (row === undefined || Number(row[1] ?? found.length) < found.length))
      throw lostKey();
    return {
      text: row?.[0] ?? null,
      keys: others === undefined ? (wanted === undefined ? undefined : found) : await run(others, parameterText),
    };
  };
}

/** The rows are locked, so that no other client has changed or deleted them. */
const lostKey = (): ServerError =>
  unsupported(
    'A trigger or a rounded value changed the key of a written row, so that this database cannot answer it.',
    'Nothing was written. Ask for no rows. GraphQL: select __typename alone. REST: Prefer: return=minimal.',
  );

/** Inputs of a statement with keys from the step before and values of the request. */
interface Both {
  readonly keys: string;
  readonly inputs: unknown;
}

const keysIn: Slot = { bind: (inputs) => (inputs as Both).keys };

/** Slots of the request read `inputs`; the slot of the keys reads `keys`. */
const bindingBoth = (statement: Statement): Statement => ({
  ...statement,
  slots: statement.slots.map((each) =>
    each === keysIn ? each : { ...each, bind: (inputs, conditions) => each.bind((inputs as Both).inputs, conditions) },
  ),
});
