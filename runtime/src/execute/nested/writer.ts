import type { Registry, Table } from '../../descriptor/registry.js';
import { objectText } from '../../dialect/object-text.js';
import type { RawRow } from '../../plan/statement.js';
import { runWrite, type RunOne } from '../../plan/write-program.js';
import type { NestedConflict, NestedRow, RelatedWrites, Values } from '../../plan/write/nested-write.js';
import type { OnConflict, UpdateIntent } from '../../plan/write/write-intent.js';
import { lostInsert, lostUpdate, notReferred, notRelated, severalRows, tooManySteps } from './failures.js';
import { pointElsewhere, type Pointed } from './forward.js';
import { writeRelated } from './related.js';
import type { RowWriter } from './row-writer.js';
import {
  foundIn,
  type By,
  type Compiled,
  type Found,
  type NestedStatements,
  type StatementInputs,
} from './statements.js';

/** The user's code around the writes of nested rows. */
export interface NestedHooks {
  readonly insert: (table: Table, rows: readonly Values[]) => Promise<readonly Values[]>;
  readonly update: (table: Table, set: Values) => Promise<Values>;
  readonly remove: (table: Table) => Promise<void>;
}

/** The writes to rows of a table. */
export interface NestedEvent {
  readonly table: Table;
  readonly operation: 'insert' | 'update' | 'delete';
  readonly affected: number;
}

export interface WriterParts {
  readonly statements: NestedStatements;
  readonly registry: Registry;
  readonly run: RunOne;
  readonly hooks: NestedHooks;
  /** The inputs of the request. */
  readonly request: unknown;
  /** Receives each write after it is done. */
  readonly notify: (event: NestedEvent) => void;
  /** Receives the purpose of the next statement, for its error. */
  readonly begin: (does: NestedEvent['operation'], table: Table) => void;
}

type Inc = NonNullable<UpdateIntent['inc']>;

/** Each statement is a round trip, in a transaction whose locks other requests may wait for. */
const maxStatements = 1000;

const noneFilled: Found = new Map();

/**
 * Writes rows and the rows inside them in the caller's transaction: a row is written after the rows
 * that it refers to, and before the rows that refer to it. The new rows of one list are one
 * statement; every other row is a statement of its own.
 */
export class NestedWriter implements RowWriter {
  private statements = 0;

  constructor(private readonly parts: WriterParts) {}

  tableOf({ table }: { readonly table: string }): Table {
    const found = this.parts.registry.table.get(table);
    if (found === undefined) throw new TypeError(`The table ${table} of a relation is not there.`);
    return found;
  }

  async insert(
    table: Table,
    rows: readonly NestedRow[],
    filled: readonly Found[],
    wanted: readonly string[],
    conflict?: NestedConflict,
  ): Promise<readonly Found[]> {
    const found = await this.insertRows(table, rows, filled, wanted, conflict);
    if (found.length !== rows.length) throw lostInsert();
    this.parts.notify({ table, operation: 'insert', affected: rows.length });
    return found;
  }

  async insertUnlessThere(table: Table, filled: Found): Promise<boolean> {
    const values = await this.parts.hooks.insert(table, [{}]);
    const [own = {}] = values;
    const columns = [...without(own, filled), ...filled.keys()].sort();
    const tree = this.parts.statements.insert(table, [columns], [], { action: 'ignore' });
    const members = tree.encode(own);
    for (const [column, text] of filled) members.set(column, JSON.stringify(text));
    this.parts.begin('insert', table);
    const affected = affectedOf(await this.perform(tree.statement, `[${objectText(members)}]`));
    if (affected > 0) this.parts.notify({ table, operation: 'insert', affected });
    return affected > 0;
  }

  /**
   * The same as `insert` for the rows of the request: a conflict may leave a row unchanged if no
   * rows are inside it.
   */
  async insertRows(
    table: Table,
    rows: readonly NestedRow[],
    filled: readonly Found[],
    wanted: readonly string[],
    conflict?: NestedConflict,
  ): Promise<readonly Found[]> {
    if (rows.length === 0) return [];
    const { hooks, statements } = this.parts;
    const values = await hooks.insert(
      table,
      rows.map((row) => row.values),
    );
    if (values.length !== rows.length)
      throw new TypeError(`beforeInsert of ${table.schema}.${table.name} answered another number of rows`);
    const given: Found[] = [];
    for (const [at, { relations }] of rows.entries()) {
      const pointed = await pointElsewhere(this, table, relations, undefined);
      given.push(new Map([...pointed.filled, ...(filled[at] ?? noneFilled)]));
    }
    const sets = values.map((each, at) => [...new Set([...definedIn(each), ...(given[at]?.keys() ?? [])])].sort());
    const needed = [...new Set([...wanted, ...rows.flatMap(({ relations }) => columnsBelow(relations))])];
    const tree = statements.insert(table, distinct(sets), needed, conflict && onConflictOf(conflict));
    const texts = values.map((each, at) => {
      const members = tree.encode(each);
      for (const [column, text] of given[at] ?? noneFilled) members.set(column, JSON.stringify(text));
      return objectText(members);
    });
    this.parts.begin('insert', table);
    const answer = await this.perform(tree.statement, `[${texts.join(',')}]`);
    const found =
      needed.length > 0 ? foundIn(answer, needed) : Array.from({ length: affectedOf(answer) }, () => noneFilled);
    const hasInside = rows.some(({ relations }) => relations.length > 0);
    if (hasInside && found.length !== rows.length) throw lostInsert();
    for (const [at, { relations }] of rows.entries()) await writeRelated(this, relations, found[at] ?? noneFilled);
    return found;
  }

  async updateOne(table: Table, by: By, row: NestedRow, name: string): Promise<void> {
    if (row.relations.length > 0 || definedIn(row.values).length === 0) {
      const found = await this.find(table, by, this.neededOf(table, row), true);
      if (found === undefined) throw notRelated(name);
      const now = await this.updateFound(table, row, found);
      if (now !== found) this.parts.notify({ table, operation: 'update', affected: 1 });
      return;
    }
    const values = await this.parts.hooks.update(table, row.values);
    const updated = await this.change(table, by, { values, filled: noneFilled });
    if (updated !== 1) throw notRelated(name);
  }

  /**
   * Updates a row that was found. Returns its current key; returns `found` itself if there was
   * nothing to change.
   * @param found its key, and the columns of the relations inside it: see `neededOf`
   * @param inc numbers that are added to it
   */
  async updateFound(table: Table, row: NestedRow, found: Found, inc: Inc = []): Promise<Found> {
    await this.assertReferred(table, row, found);
    const pointed = await pointElsewhere(this, table, row.relations, found);
    const now = await this.changeFound(table, row, found, pointed, inc);
    await writeRelated(this, row.relations, now);
    for (const finish of pointed.after) await finish();
    return now;
  }

  /**
   * Foreign keys never refer to rows of tables that inherit from this one, though their keys may be
   * equal.
   */
  private async assertReferred(table: Table, { relations }: NestedRow, found: Found): Promise<void> {
    const below = relations.find(
      ({ relation: { direction, own, through } }) =>
        direction !== 'forward' && (through === undefined ? own : through.near) !== undefined,
    );
    if (below === undefined) return;
    const by = { ...this.keyTexts(table, found), isOwn: true };
    if ((await this.find(table, by, [])) === undefined) throw notReferred(below.relation.name);
  }

  private async changeFound(
    table: Table,
    { values: given, relations }: NestedRow,
    found: Found,
    { filled }: Pointed,
    inc: Inc,
  ): Promise<Found> {
    if (definedIn(given).length + filled.size + inc.length === 0) return found;
    const values = await this.parts.hooks.update(table, given);
    const names = without(values, filled);
    if (names.length + filled.size + inc.length === 0) return found;
    const by = this.keyTexts(table, found);
    const wanted = [...new Set([...by.texts.keys(), ...columnsBelow(relations)])];
    const { statements, request } = this.parts;
    const statement = statements.update(table, by, names, [...filled.keys()], wanted, inc);
    this.parts.begin('update', table);
    const [now] = foundIn(await this.perform(statement, { ...by, values, filled, request }), wanted);
    if (now === undefined) throw lostUpdate();
    return new Map([...found, ...now]);
  }

  /**
   * Sets columns of the rows that `by` finds, without reading them first. Returns the number of
   * rows.
   */
  async change(
    table: Table,
    by: By,
    { values = {}, filled }: { readonly values?: Values; readonly filled: Found },
  ): Promise<number> {
    const names = without(values, filled);
    // A hook has removed all values.
    if (names.length + filled.size === 0) return (await this.find(table, by, [])) === undefined ? 0 : 1;
    const { statements } = this.parts;
    const statement = statements.update(table, by, names, [...filled.keys()], statements.keyOf(table));
    this.parts.begin('update', table);
    const affected = oneAtMost(await this.perform(statement, { ...by, values, filled }));
    this.parts.notify({ table, operation: 'update', affected });
    return affected;
  }

  async reconnect(table: Table, by: By, filled: Found): Promise<number> {
    const values = await this.parts.hooks.update(table, {});
    return this.change(table, by, { values, filled });
  }

  async remove(table: Table, by: By): Promise<number> {
    await this.parts.hooks.remove(table);
    const { statements } = this.parts;
    const statement = statements.remove(table, by, statements.keyOf(table));
    this.parts.begin('delete', table);
    const affected = oneAtMost(await this.perform(statement, by));
    this.parts.notify({ table, operation: 'delete', affected });
    return affected;
  }

  async find(table: Table, by: By, wanted: readonly string[], lock = false): Promise<Found | undefined> {
    if ([...(by.texts?.values() ?? [])].includes(null)) return undefined;
    const statement = this.parts.statements.find(table, by, wanted, lock && table.updatable === true);
    const answer = await this.perform(statement, by);
    return oneAtMost(answer) === 0 ? undefined : (foundIn(answer, wanted)[0] ?? noneFilled);
  }

  private keyTexts(table: Table, found: Found): { readonly texts: Found } {
    return { texts: new Map(this.parts.statements.keyOf(table).map((name) => [name, found.get(name) ?? null])) };
  }

  /** The columns of a row whose values are needed before its update. */
  private neededOf(table: Table, { relations }: Pick<NestedRow, 'relations'>): readonly string[] {
    const needed = relations.flatMap(({ relation }) => relation.columns);
    return [...new Set([...this.parts.statements.keyOf(table), ...needed])];
  }

  private async perform(statement: Compiled, inputs: StatementInputs | string): Promise<RawRow | undefined> {
    this.statements += 1;
    if (this.statements > maxStatements) throw tooManySteps(maxStatements);
    return runWrite(statement, inputs, this.parts.run);
  }
}

/** The columns of a row that rows below refer to. */
const columnsBelow = (relations: readonly RelatedWrites[]): readonly string[] =>
  relations.flatMap(({ relation }) => (relation.direction === 'forward' ? [] : relation.columns));

const definedIn = (values: Values): readonly string[] =>
  Object.keys(values).filter((name) => values[name] !== undefined);

const without = (values: Values, filled: Found): readonly string[] =>
  definedIn(values).filter((name) => !filled.has(name));

const affectedOf = (answer: RawRow | undefined): number => Number(answer?.[1] ?? 0);

/** A key is that of several rows where tables inherit. */
function oneAtMost(answer: RawRow | undefined): number {
  const affected = affectedOf(answer);
  if (affected > 1) throw severalRows();
  return affected;
}

function distinct(sets: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const known = new Map(sets.map((set) => [JSON.stringify(set), set]));
  return [...known.keys()].sort().flatMap((id) => [known.get(id) ?? []]);
}

const onConflictOf = ({ constraint, update }: NestedConflict): OnConflict => ({
  target: { kind: 'constraint', name: constraint },
  action: update?.length === 0 ? 'ignore' : 'update',
  ...(update === undefined || update.length === 0 ? {} : { columns: update }),
});
