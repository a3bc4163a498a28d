import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import { nullableKey } from '../../descriptor/nesting.js';
import type { Table } from '../../descriptor/registry.js';
import type { NestedConflict, NestedRow, RelatedWrite, RelatedWrites, Values } from '../../plan/write/nested-write.js';
import { noKeyToGive, notRelated, notThere } from './failures.js';
import { ThroughRelation } from './through.js';
import type { RowWriter } from './row-writer.js';
import type { Found } from './statements.js';

/**
 * Writes the rows that refer to a row, or that a junction table connects with it, after the row
 * itself.
 * @param found the columns of the row that the related rows refer to
 */
export async function writeRelated(
  writer: RowWriter,
  relations: readonly RelatedWrites[],
  found: Found,
): Promise<void> {
  for (const { relation, steps } of relations) {
    if (relation.direction === 'forward') continue;
    const own = relation.columns.map((name) => found.get(name) ?? null);
    if (own.includes(null)) throw noKeyToGive(relation.name);
    const one =
      relation.through === undefined
        ? new ReverseRelation(writer, relation, own)
        : new ThroughRelation(writer, relation, relation.through, own);
    for (const step of steps) await one.write(step);
  }
}

/** Rows whose foreign key refers to one row. */
class ReverseRelation {
  private readonly table: Table;
  /** The values of a related row's foreign key. */
  private readonly related: Found;

  constructor(
    private readonly writer: RowWriter,
    private readonly relation: RelationDescriptor,
    own: readonly (string | null)[],
  ) {
    this.table = writer.tableOf(relation);
    this.related = new Map(relation.references.map((name, at) => [name, own[at] ?? null]));
  }

  async write(step: RelatedWrite): Promise<void> {
    const { name } = this.relation;
    switch (step.does) {
      case 'disconnect':
        return this.disconnect(step.key);
      case 'delete':
        if ((await this.writer.remove(this.table, { key: step.key, texts: this.related })) !== 1)
          throw notRelated(name);
        return;
      case 'update':
        return this.writer.updateOne(this.table, { key: step.key, texts: this.related }, step.row, name);
      case 'upsert':
        return this.upsert(step);
      case 'connect':
        return this.connect(step.key);
      case 'connectOrCreate': {
        const there = await this.writer.find(this.table, { key: step.key }, []);
        return there === undefined ? this.create([step.create]) : this.connect(step.key);
      }
      case 'create':
        return this.create(step.rows, step.conflict);
    }
  }

  /** Without a key, the relation has at most one row. If there is none, nothing happens. */
  private async disconnect(key: Values | undefined): Promise<void> {
    const nothing = new Map(nullableKey(this.table, this.relation.references).map((name) => [name, null]));
    const affected = await this.writer.reconnect(this.table, { key, texts: this.related }, nothing);
    if (key !== undefined && affected !== 1) throw notRelated(this.relation.name);
  }

  private async connect(key: Values): Promise<void> {
    if ((await this.writer.reconnect(this.table, { key }, this.related)) !== 1) throw notThere(this.relation.name);
  }

  /** A row with this key that belongs to another row stays unchanged: the write fails. */
  private async upsert({ key, create, update }: Extract<RelatedWrite, { does: 'upsert' }>): Promise<void> {
    const by = { key, texts: this.related };
    if ((await this.writer.find(this.table, by, [])) !== undefined)
      return this.writer.updateOne(this.table, by, update, this.relation.name);
    if (key !== undefined && (await this.writer.find(this.table, { key }, [])) !== undefined)
      throw notRelated(this.relation.name);
    return this.create([create]);
  }

  private async create(rows: readonly NestedRow[], conflict?: NestedConflict): Promise<void> {
    const filled = rows.map(() => this.related);
    await this.writer.insert(this.table, rows, filled, [], conflict);
  }
}
