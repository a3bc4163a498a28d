import type { RelationDescriptor } from '../../descriptor/descriptor.js';
import type { Table } from '../../descriptor/registry.js';
import { nullableKey } from '../../descriptor/nesting.js';
import type { NestedConflict, NestedRow, RelatedWrite, RelatedWrites } from '../../plan/write/nested-write.js';
import { hiddenRow, lostInsert, notRelated, notThere } from './failures.js';
import type { By, Found } from './statements.js';
import type { RowWriter } from './row-writer.js';

/** The result of writing the rows that a row refers to. */
export interface Pointed {
  /** The columns of the foreign keys. */
  readonly filled: Found;
  /** Steps to run once the row no longer has its former reference. */
  readonly after: readonly (() => Promise<void>)[];
}

/**
 * Writes the rows that a row refers to, before the row itself.
 * @param table of the row
 * @param current the columns of its foreign keys; undefined: the row is new
 */
export async function pointElsewhere(
  writer: RowWriter,
  table: Table,
  relations: readonly RelatedWrites[],
  current: Found | undefined,
): Promise<Pointed> {
  const filled = new Map<string, string | null>();
  const after: (() => Promise<void>)[] = [];
  for (const { relation, steps } of relations) {
    if (relation.direction !== 'forward') continue;
    const one = new ForwardRelation(writer, table, relation, current);
    for (const step of steps) for (const [name, text] of await one.write(step)) filled.set(name, text);
    after.push(...one.after);
  }
  return { filled, after };
}

/** One foreign key of one row. */
class ForwardRelation {
  readonly after: (() => Promise<void>)[] = [];
  private readonly table: Table;

  constructor(
    private readonly writer: RowWriter,
    private readonly holder: Table,
    private readonly relation: RelationDescriptor,
    private readonly current: Found | undefined,
  ) {
    this.table = writer.tableOf(relation);
  }

  /** Returns the changed columns of the foreign key. */
  async write(step: RelatedWrite): Promise<Found> {
    const { name, references } = this.relation;
    switch (step.does) {
      case 'connect': {
        const found = await this.writer.find(this.table, this.own({ key: step.key }), references);
        if (found === undefined) throw notThere(name);
        return this.pointingAt(found);
      }
      case 'connectOrCreate': {
        const found = await this.writer.find(this.table, this.own({ key: step.key }), references);
        return found === undefined ? this.create([step.create]) : this.pointingAt(found);
      }
      case 'create':
        return this.create(step.rows, step.conflict);
      case 'update':
        await this.writer.updateOne(this.table, this.own({ texts: this.relatedRow() }), step.row, name);
        return new Map();
      case 'upsert':
        return this.upsert(step);
      case 'disconnect':
        return this.pointingNowhere();
      case 'delete':
        return this.remove();
    }
  }

  private async create(rows: readonly NestedRow[], conflict?: NestedConflict): Promise<Found> {
    const [found] = await this.writer.insert(this.table, rows, [], this.relation.references, conflict);
    if (found === undefined) throw lostInsert();
    return this.pointingAt(found);
  }

  /**
   * A related row that is hidden from the caller is an error: creating another one would silently
   * lose it.
   */
  private async upsert({ create, update }: Extract<RelatedWrite, { does: 'upsert' }>): Promise<Found> {
    const related = this.related();
    if (related === undefined) return this.create([create]);
    const found = await this.writer.find(this.table, this.own({ texts: related }), []);
    if (found === undefined) throw hiddenRow(this.relation.name);
    await this.writer.updateOne(this.table, this.own({ texts: related }), update, this.relation.name);
    return new Map();
  }

  private async remove(): Promise<Found> {
    const related = this.relatedRow();
    const found = await this.writer.find(this.table, this.own({ texts: related }), []);
    if (found === undefined) this.fail();
    this.after.push(async () => {
      if ((await this.writer.remove(this.table, this.own({ texts: related }))) !== 1) this.fail();
    });
    return this.pointingNowhere();
  }

  /** A foreign key refers to rows of the table itself, and not to those that inherit from it. */
  private own(by: By): By {
    return { ...by, isOwn: this.relation.own !== undefined };
  }

  private relatedRow(): Found {
    return this.related() ?? this.fail();
  }

  private fail(): never {
    throw notRelated(this.relation.name);
  }

  /** The row's current reference; undefined: none. */
  private related(): Found | undefined {
    const { columns, references } = this.relation;
    const texts = columns.map((name, at) => [references[at] ?? '', this.current?.get(name) ?? null] as const);
    return texts.some(([, text]) => text === null) ? undefined : new Map(texts);
  }

  private pointingAt(found: Found): Found {
    const { columns, references } = this.relation;
    return new Map(columns.map((name, at) => [name, found.get(references[at] ?? '') ?? null]));
  }

  private pointingNowhere(): Found {
    return new Map(nullableKey(this.holder, this.relation.columns).map((name) => [name, null]));
  }
}
