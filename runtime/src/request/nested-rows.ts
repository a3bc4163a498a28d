import type { ColumnDescriptor, RelationDescriptor } from '../descriptor/descriptor.js';
import type { Registry, Table } from '../descriptor/registry.js';
import { mergeKeys, rowKeyOf, uniqueKeys } from '../descriptor/unique-keys.js';
import type { ServerError } from '../errors.js';
import { isRecord } from '../is-record.js';
import {
  nestedOrder,
  type NestedConflict,
  type NestedRow,
  type RelatedWrite,
  type RelatedWrites,
  type Values,
} from '../plan/write/nested-write.js';

/**
 * What the members of rows are called in a protocol, and how it refuses what contradicts itself.
 */
export interface NestedNames {
  readonly column: (table: Table, name: string) => ColumnDescriptor | undefined;
  /** The relation of a member that is not a column. Throws ServerError 400 for an unknown name. */
  readonly relation: (table: Table, name: string) => RelationDescriptor | undefined;
  readonly nameOf: (column: ColumnDescriptor) => string;
  readonly refuse: (message: string, hint?: string) => ServerError;
  /**
   * Checks the value of a relation, if no schema has checked it. Throws ServerError 400.
   * @param creating the name that new rows have there
   */
  readonly check?: (table: Table, relation: RelationDescriptor, given: unknown, creating: Creating) => void;
}

/**
 * A new row has new rows as `data`; a row that is changed has them as `create`, beside what else
 * becomes of those that it has.
 */
export type Creating = 'data' | 'create';

/**
 * Reads rows that contain related rows. The names of the members of each relation say how to change
 * its rows. The values belong to one request. Throws ServerError 400 for contradictions: a foreign
 * key that is given twice, an incomplete key.
 */
export class NestedRows {
  constructor(
    private readonly registry: Pick<Registry, 'table'>,
    private readonly names: NestedNames,
  ) {}

  /** @param around the relation through which new rows are given inside others */
  created(table: Table, given: unknown, around?: RelationDescriptor): NestedRow {
    return this.row(table, given, 'data', around);
  }

  updated(table: Table, given: unknown): NestedRow {
    return this.row(table, given, 'create');
  }

  private row(table: Table, given: unknown, creating: Creating, around?: RelationDescriptor): NestedRow {
    const values = new Map<string, unknown>();
    const relations: RelatedWrites[] = [];
    for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
      if (value === undefined) continue;
      const column = this.names.column(table, name);
      if (column !== undefined) values.set(column.name, value);
      const relation = column === undefined ? this.names.relation(table, name) : undefined;
      if (relation === undefined || value === null) continue;
      this.names.check?.(table, relation, value, creating);
      const steps = isRecord(value) ? this.stepsOf(relation, value, creating) : [];
      if (steps.length > 0) relations.push({ relation, steps });
    }
    const filled = around?.direction === 'reverse' ? around.references : [];
    for (const { relation } of relations) this.refuseGivenTwice(table, relation, [...values.keys(), ...filled]);
    this.refuseSharedColumns(relations);
    return { values: Object.fromEntries(values), relations };
  }

  private stepsOf(relation: RelationDescriptor, given: Values, creating: Creating): readonly RelatedWrite[] {
    const table = this.registry.table.get(relation.table);
    if (table === undefined) throw new TypeError(`The table ${relation.table} of a relation is not there.`);
    const steps = nestedOrder.flatMap((does): readonly RelatedWrite[] => {
      const part = given[does === 'create' ? creating : does];
      if (part === undefined || part === null || part === false) return [];
      if (does === 'create') return this.createStep(table, relation, part, given['onConflict']);
      return listOf(part).map((each) => this.stepOf(does, table, relation, each));
    });
    if (relation.cardinality === 'one') this.refuseSeveral(relation, steps);
    return steps;
  }

  private createStep(
    table: Table,
    relation: RelationDescriptor,
    part: unknown,
    onConflict: unknown,
  ): readonly RelatedWrite[] {
    const rows = listOf(part).map((each) => this.created(table, each, relation));
    if (rows.length === 0) return [];
    const conflict = this.conflict(table, onConflict);
    return [{ does: 'create', rows, ...(conflict === undefined ? {} : { conflict }) }];
  }

  private stepOf(
    does: Exclude<RelatedWrite['does'], 'create'>,
    table: Table,
    relation: RelationDescriptor,
    given: unknown,
  ): RelatedWrite {
    const { name } = relation;
    const part = (key: string): unknown => (isRecord(given) ? given[key] : undefined);
    const isMany = relation.cardinality === 'many';
    const created = () => this.created(table, part('create'), relation);
    switch (does) {
      case 'disconnect':
      case 'delete':
        return isMany ? { does, key: this.keyOf(table, name, given) } : { does };
      case 'update':
        return isMany
          ? { does, key: this.keyOf(table, name, part('where')), row: this.updated(table, part('data')) }
          : { does, row: this.updated(table, given) };
      case 'upsert': {
        const rows = { create: created(), update: this.updated(table, part('update')) };
        return isMany ? { does, key: this.keyOf(table, name, part('where')), ...rows } : { does, ...rows };
      }
      case 'connect':
        return { does, key: this.keyOf(table, name, given) };
      case 'connectOrCreate':
        return { does, key: this.keyOf(table, name, part('where')), create: created() };
    }
  }

  /**
   * The columns that name a row: a whole unique key, and other columns that have to hold beside.
   */
  private keyOf(table: Table, relation: string, given: unknown): Values {
    const key = new Map<string, unknown>();
    for (const [name, value] of Object.entries(isRecord(given) ? given : {})) {
      if (value === undefined) continue;
      const column = this.names.column(table, name);
      if (value === null)
        throw this.names.refuse(`${relation}: a key has null in it, which names no row.`, 'Leave it out.');
      if (column === undefined) this.names.relation(table, name);
      else key.set(column.name, value);
    }
    const keys = [rowKeyOf(table) ?? [], ...uniqueKeys(table).map((each) => each.columns)];
    if (!keys.some((names) => names.length > 0 && names.every((name) => key.has(name)))) {
      const named = keys.map((names) => names.map((name) => this.nameOf(table, name)).join(' and '));
      throw this.names.refuse(
        `${relation}: a row is named by a whole key.`,
        `Give ${[...new Set(named)].join(', or ')}.`,
      );
    }
    return Object.fromEntries(key);
  }

  private refuseGivenTwice(table: Table, relation: RelationDescriptor, written: readonly string[]): void {
    const twice =
      relation.direction === 'forward' ? relation.columns.find((name) => written.includes(name)) : undefined;
    if (twice === undefined) return;
    throw this.names.refuse(
      `${relation.name} gives ${this.nameOf(table, twice)}, which is given too.`,
      'Leave one of them out.',
    );
  }

  /** Two rows to refer to by the same column: only one of them could be meant. */
  private refuseSharedColumns(relations: readonly RelatedWrites[]): void {
    const by = new Map<string, string>();
    for (const { relation } of relations) {
      if (relation.direction !== 'forward') continue;
      for (const column of relation.columns) {
        const other = by.get(column);
        if (other !== undefined) {
          throw this.names.refuse(
            `${other} and ${relation.name} give the same column.`,
            'Write them one after the other, in two writes.',
          );
        }
        by.set(column, relation.name);
      }
    }
  }

  /** One row is related: it is changed, or another takes its place. */
  private refuseSeveral({ name }: RelationDescriptor, steps: readonly RelatedWrite[]): void {
    const does = steps.map((step) => step.does);
    const leaving = does.filter((each) => each === 'disconnect' || each === 'delete');
    const staying = does.filter((each) => each === 'update' || each === 'upsert');
    const coming = steps.filter((step) => ['connect', 'connectOrCreate', 'create'].includes(step.does));
    const rows = coming.reduce((count, step) => count + (step.does === 'create' ? step.rows.length : 1), 0);
    const isOne = staying.length === 0 ? leaving.length <= 1 && rows <= 1 : does.length === 1;
    if (isOne) return;
    throw this.names.refuse(
      `${name} is one row, and ${does.join(' and ')} are not done with it together.`,
      'Give one of them; disconnect and delete go with connect, connectOrCreate and create.',
    );
  }

  /**
   * `{constraint, updateColumns}`: a condition on the row that is there would be another one for
   * each of many rows.
   */
  conflict(table: Table, given: unknown): NestedConflict | undefined {
    if (!isRecord(given)) return undefined;
    if (given['where'] !== undefined)
      throw this.names.refuse('onConflict has no where beside rows that are connected.', 'Leave it out.');
    const listed = given['updateColumns'] ?? given['update_columns'];
    const name = String(given['constraint']);
    const keys = mergeKeys(table);
    const constraint = keys.find((key) => key.field === name) ?? keys.find((key) => key.name === name);
    if (constraint === undefined) {
      throw this.names.refuse(
        `onConflict: there is no such constraint of ${table.name}.`,
        `It has ${keys.map((key) => key.field ?? key.name).join(', ')}.`,
      );
    }
    if (listed === undefined || listed === null) return { constraint: constraint.name };
    const update = listOf(listed).flatMap((field) => this.names.column(table, String(field))?.name ?? []);
    return { constraint: constraint.name, update };
  }

  private nameOf(table: Table, name: string): string {
    const column = table.byName.get(name);
    return column === undefined ? name : this.names.nameOf(column);
  }
}

/** A list, or one in its place. */
const listOf = (given: unknown): readonly unknown[] => (Array.isArray(given) ? given : [given]);
