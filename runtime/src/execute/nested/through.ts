import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import type { NestedConflict, NestedRow, RelatedWrite, Values } from '../../plan/write/nested-write.js';
import { lostInsert, notRelated, notThere } from './failures.js';
import type { RowWriter } from './row-writer.js';
import type { By, Found } from './statements.js';

type Through = NonNullable<RelationDescriptor['through']>;

/** Rows that a junction table ties to a row. Each tie is a row of the junction table. */
export class ThroughRelation {
  private readonly table: Table;
  private readonly junction: Table;

  constructor(
    private readonly writer: RowWriter,
    private readonly relation: RelationDescriptor,
    private readonly through: Through,
    private readonly own: readonly (string | null)[],
  ) {
    this.table = writer.tableOf(relation);
    this.junction = writer.tableOf(through);
  }

  async write(step: RelatedWrite): Promise<void> {
    switch (step.does) {
      case 'disconnect':
        return this.untie(await this.tied(step.key));
      case 'delete': {
        const other = await this.tied(step.key);
        await this.untie(other);
        if ((await this.writer.remove(this.table, this.other({ texts: other }))) !== 1)
          throw notRelated(this.relation.name);
        return;
      }
      case 'update':
        return this.update(await this.tied(step.key), step.row);
      case 'upsert':
        return this.upsert(step);
      case 'connect': {
        const other = await this.look(step.key);
        if (other === undefined) throw notThere(this.relation.name);
        return this.tie(other);
      }
      case 'connectOrCreate': {
        const other = await this.look(step.key);
        return other === undefined ? this.create([step.create]) : this.tie(other);
      }
      case 'create':
        return this.create(step.rows, step.conflict);
    }
  }

  private async upsert({ key, create, update }: Extract<RelatedWrite, { does: 'upsert' }>): Promise<void> {
    const other = await this.look(key);
    if (other === undefined) return this.create([create]);
    if (!(await this.isTied(other))) throw notRelated(this.relation.name);
    return this.update(other, update);
  }

  private update(other: Found, row: NestedRow): Promise<void> {
    return this.writer.updateOne(this.table, this.other({ texts: other }), row, this.relation.name);
  }

  private async create(rows: readonly NestedRow[], conflict?: NestedConflict): Promise<void> {
    const others = await this.writer.insert(this.table, rows, [], this.relation.references, conflict);
    const ties = others.map((other) => this.tieTo(other));
    const nothing = { values: {}, relations: [] };
    if (conflict === undefined) {
      await this.writer.insert(
        this.junction,
        ties.map(() => nothing),
        ties,
        [],
      );
    } else for (const other of others) await this.tie(other);
  }

  /** An existing tie stays. */
  private async tie(other: Found): Promise<void> {
    if (await this.writer.insertUnlessThere(this.junction, this.tieTo(other))) return;
    if (!(await this.isTied(other))) throw lostInsert();
  }

  private async untie(other: Found): Promise<void> {
    if ((await this.writer.remove(this.junction, { texts: this.tieTo(other) })) !== 1)
      throw notRelated(this.relation.name);
  }

  /** The row of this key. Rejects unless it is tied. */
  private async tied(key: Values | undefined): Promise<Found> {
    const other = await this.look(key);
    if (other === undefined || !(await this.isTied(other))) throw notRelated(this.relation.name);
    return other;
  }

  private look(key: Values | undefined): Promise<Found | undefined> {
    return this.writer.find(this.table, this.other({ key }), this.relation.references);
  }

  /** A foreign key refers to rows of the table itself, and not to those that inherit from it. */
  private other(by: By): By {
    return { ...by, isOwn: this.relation.own !== undefined };
  }

  private async isTied(other: Found): Promise<boolean> {
    return (await this.writer.find(this.junction, { texts: this.tieTo(other) }, [])) !== undefined;
  }

  /** The columns of the junction's row. */
  private tieTo(other: Found): Found {
    const { columns, references } = this.through;
    return new Map([
      ...columns.map((name, at) => [name, this.own[at] ?? null] as const),
      ...references.map((name, at) => [name, other.get(this.relation.references[at] ?? '') ?? null] as const),
    ]);
  }
}
