import { restNameOf, type Registry, type Table } from '../../../descriptor/registry.js';
import type { InsertIntent, UpdateIntent, WriteIntent, WrittenColumn } from '../../../plan/write/write-intent.js';
import { canMergeByKey, keyTarget } from '../../../plan/write/table-writes.js';
import { rowKeyOf } from '../../../descriptor/unique-keys.js';
import { codes, ServerError } from '../../../errors.js';
import { quoteName } from '../grammar/malformed.js';
import type { Tokens } from '../grammar/tokens.js';
import { columnNamed } from '../read/rest-column.js';
import { jsonInput } from '../read/where.js';
import { atMostOf, begin, common, returningOf, whereOf, type RestWrite, type WriteRequest } from './parse-write.js';
import { readRows } from './body.js';
import { malformedBody } from './malformed.js';
import { ownWrites } from './write-form.js';

/**
 * A PUT is an update, and an insert if there is no row to update: two writes with the same inputs.
 */
export interface RestReplace {
  /** Absent if the table has no columns except its key. */
  readonly update?: ReplacingWrite<UpdateIntent>;
  readonly insert: ReplacingWrite<InsertIntent>;
}

export interface ReplacingWrite<Intent extends WriteIntent> extends RestWrite {
  readonly intent: (registry: Registry) => Intent;
}

/**
 * Parses a PUT: the whole row of a key. The filter is the whole key and nothing else; the body has
 * every other writable column. Throws ServerError 400. Source: decision 006;
 * PostgREST, "Single upsert".
 * @param withheld columns that the client cannot know: they keep their values, or have defaults
 */
export function parseReplace(request: WriteRequest, withheld: ReadonlySet<string>): RestReplace {
  const { table } = request;
  const parts = begin(request, 'PUT');
  const key = keyIn(parts.tokens, parts.builder.inputs, table);
  const body = wholeRow(request, key, withheld);
  const others = Object.keys(body).filter((name) => !key.has(name));
  parts.builder.names('set', others);
  const update = inputOf(parts.builder.input(Object.fromEntries(others.map((name) => [name, body[name]]))));
  const insert = inputOf(parts.builder.input({ ...body, ...Object.fromEntries(key) }));
  const returning = returningOf(parts, false);
  const atMost = atMostOf(parts);
  const shared = common(parts);
  const replaced = (registry: Registry): UpdateIntent => ({
    kind: 'update',
    table,
    ...whereOf(parts, registry),
    columns: others.map(byDatabaseName),
    set: update,
    returning: returning(registry),
    ...atMost,
    isOnly: true,
    form: parts.form,
  });
  const inserted = (registry: Registry): InsertIntent => ({
    kind: 'insert',
    table,
    rows: insert,
    columns: [...key.keys(), ...others].map(byDatabaseName),
    ...(canMergeByKey(table) && {
      onConflict: { target: keyTarget(table), action: 'update' },
    }),
    returning: returning(registry),
    ...atMost,
    form: parts.form,
  });
  return {
    ...(others.length === 0 ? {} : { update: { ...shared, intent: replaced } }),
    insert: { ...shared, shape: `${shared.shape}\0insert`, intent: inserted },
  };
}

/** `wholeRow` has renamed the members of the body to the database's names. */
const byDatabaseName = (column: string): WrittenColumn => ({ column, key: column });

const inputOf = (index: number) => ({ ...jsonInput(index), form: 'json' as const });

/** The key's values, from filters that are `eq` on each of its columns. */
function keyIn({ root }: Tokens, inputs: readonly unknown[], table: Table): ReadonlyMap<string, string> {
  const columns = rowKeyOf(table) ?? [];
  const key = new Map<string, string>();
  for (const condition of root.conditions) {
    if (condition.kind !== 'compare' || condition.negated) throw notTheKey(table);
    const column = table.byRestName.get(condition.column)?.name ?? '';
    const isKey = columns.includes(column) && !key.has(column);
    if (!isKey || condition.operator !== 'eq' || condition.quantifier !== undefined) throw notTheKey(table);
    key.set(column, String(inputs[condition.values[0] ?? -1]));
  }
  if (columns.length === 0 || key.size !== columns.length) throw notTheKey(table);
  return key;
}

const notTheKey = (table: Table) => {
  const { name } = table;
  const columns = rowKeyOf(table);
  const hint =
    columns === undefined
      ? 'This table has no primary key: use PATCH.'
      : `As in ?${columns.map((column) => `${restNameOf(table, column)}=eq.…`).join('&')}.`;
  return new ServerError(
    400,
    codes.malformedFilter,
    `PUT replaces the row of a key, so it is filtered by the whole primary key of "${name}" and nothing else.`,
    { hint, reason: { kind: 'notTheKey' } },
  );
};

/** The one row of the body, complete, by the database's names. */
function wholeRow(
  { headers, body, table, form = ownWrites }: WriteRequest,
  key: ReadonlyMap<string, string>,
  withheld: ReadonlySet<string>,
): Readonly<Record<string, unknown>> {
  const rows = readRows(headers['content-type'], body, table, { form, as: 'json' });
  const given = (rows.value as readonly Readonly<Record<string, unknown>>[])[0];
  const row = given === undefined ? undefined : byDatabaseNames(given, table);
  if (row === undefined || rows.count !== 1)
    throw malformedBody('PUT takes one object: the whole row.', undefined, { kind: 'otherKey' });
  const missing = table.columns.filter(
    ({ name, readOnly }) => readOnly !== true && !key.has(name) && !withheld.has(name) && !Object.hasOwn(row, name),
  );
  // Where that is allowed, a column that is left out keeps its value, or has its default.
  if (missing.length > 0 && form.partialRows === 'refused') {
    throw malformedBody(
      `The body lacks ${missing.map(({ name }) => quoteName(restNameOf(table, name))).join(', ')}.`,
      'PUT replaces the whole row: give every column, or use PATCH.',
    );
  }
  for (const [name, value] of key) {
    if (Object.hasOwn(row, name) && String(row[name]) !== value) {
      throw malformedBody(
        `The body's ${quoteName(restNameOf(table, name))} differs from the filter.`,
        'Leave it out of the body.',
        { kind: 'otherKey' },
      );
    }
  }
  return row;
}

function byDatabaseNames(row: Readonly<Record<string, unknown>>, table: Table): Readonly<Record<string, unknown>> {
  if (table.byRestName === table.byName) return row;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [columnNamed(table, key), value]));
}
