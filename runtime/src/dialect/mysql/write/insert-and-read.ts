import { sql } from 'kysely';
import { unsupported } from '../../../plan/refuse.js';
import type { InsertGroup, InsertPlan, TypedColumn } from '../../../plan/write/write-plan.js';
import type { RawRow } from '../../../plan/statement.js';
import type { RunOne } from '../../../plan/write-program.js';
import { clauses, compileFragment, join, nothing, slot, table, type Fragment } from '../sql.js';
import { createCompiler } from '../read/words.js';
import type { Scope, Types } from '../read/scope.js';
import { answersNothing, fixedRow, keyless } from './answer.js';
import {
  idOf,
  insertStatements,
  returnedOf,
  type InsertRows,
  type PlacedRow,
  type WrittenRow,
} from './insert-group.js';
import { given, keyTable, sameKey, sentTexts, type Key } from './keys.js';

/**
 * Without RETURNING: inserts rows, and reads them by their keys in the same transaction. The
 * AUTO_INCREMENT key is known only for the first row of a statement, so each such row is a
 * statement of its own.
 * @param onDuplicate as of `insertGroup`; absent: all rows are new
 */
export function insertAndRead(
  plan: InsertPlan,
  { columns }: InsertGroup,
  types: Types,
  onDuplicate?: Fragment,
): InsertRows {
  const id = idOf(plan, types);
  const insert = insertStatements(plan, columns, onDuplicate ?? nothing, nothing, types);
  const row = fixedRow(plan.returning);
  const needsNone = row !== undefined || answersNothing(plan.returning);
  if (needsNone && (onDuplicate === undefined || id.length === 0)) return withoutReading(insert, row ?? null);
  if (id.length === 0) throw keyless();
  const scope: Scope = { row: 'r0', style: plan.returning.style, compiler: createCompiler(types) };
  const returned = returnedOf(plan, id, scope);
  const source = sql`${keyTable(id, slot(given))} straight_join ${table(plan.table, types)} as ${sql.id(scope.row)} on ${sameKey(id, scope.row, types)}`;
  const readBack = compileFragment(clauses(sql`select ${join(returned.columns)}`, sql`from ${source} order by k.rn`));
  const generated = id.filter(({ name }) => isMadeByDatabase(plan, name, types));
  return async (run, rows) => {
    if (rows.length === 0) return [];
    const keys = await insertedKeys(run, rows, { id, generated, insert });
    const answered = await run(readBack, sentTexts(id, keys));
    // A trigger has changed a key or deleted the row.
    if (answered.length !== rows.length) throw unknownKey();
    return answered.map((each, at) => ({ at: rows[at]?.at ?? at, isNew: true, ...returned.read(each) }));
  };
}

type Insert = ReturnType<typeof insertStatements>;

interface Inserting {
  readonly id: readonly TypedColumn[];
  /** Columns of the key that AUTO_INCREMENT fills if no value is given. */
  readonly generated: readonly TypedColumn[];
  readonly insert: Insert;
}

/**
 * Inserts rows and returns their keys: the given values, and the numbers that the database
 * generated.
 */
async function insertedKeys(
  run: RunOne,
  rows: readonly PlacedRow[],
  { id, generated, insert }: Inserting,
): Promise<readonly Key[]> {
  const isMade = (name: string, { row }: PlacedRow): boolean => {
    const text = row.get(name) ?? null;
    return text === null || (text === '0' && generated.some((each) => each.name === name));
  };
  const keys = rows.map((row) => id.map(({ name }) => (isMade(name, row) ? null : (row.row.get(name) ?? null))));
  const lacking = new Set(id.filter((_, at) => keys.some((key) => key[at] === null)).map(({ name }) => name));
  if (lacking.size === 0) {
    await insert(run, rows);
    return keys;
  }
  if (lacking.size > 1 || !generated.some(({ name }) => lacking.has(name))) throw unknownKey();
  const made: Key[] = [];
  for (const [at, row] of rows.entries()) {
    const [answer] = await insert(run, [row]);
    made.push((keys[at] ?? []).map((text) => text ?? numberOf(answer)));
  }
  return made;
}

/** The number that AUTO_INCREMENT generated; 0: none. */
function numberOf(answer: RawRow | undefined): string {
  const number = answer?.[1] ?? '0';
  if (number === '0') throw unknownKey();
  return number;
}

/**
 * Whether AUTO_INCREMENT may fill the column: an integer with a default. If the default is
 * something else, the database returns no number.
 */
function isMadeByDatabase({ table: { schema, name } }: InsertPlan, column: string, types: Types): boolean {
  const found = types.schemas?.get(schema)?.get(name)?.byName.get(column);
  return found?.hasDefault === true && (found.type.kind === 'int' || found.type.kind === 'bigint');
}

/** @param text of each row */
const withoutReading =
  (insert: Insert, text: string | null): InsertRows =>
  async (run, rows) => {
    await insert(run, rows);
    return rows.map(({ at }): WrittenRow => ({ at, id: [], keys: [], text, isNew: true }));
  };

const unknownKey = () =>
  unsupported(
    'The database has made the key of a new row, and does not say which.',
    'Give the key with the row. REST: or ask with Prefer: return=minimal.',
  );
