import { graphqlWhere, randomComparisons } from '../filter.js';
import { literal } from '../graphql.js';
import type { Random } from '../random.js';
import { randomRow, type OracleColumn, type OracleTable } from '../schema.js';
import type { Relation, RowType } from './relations.js';

/** A row type with the columns of its table. */
export interface Shape extends RowType {
  readonly table: OracleTable;
  /** Its rows have an `id`. */
  readonly hasKey: boolean;
}

/** Random documents that go through relations in every form that a relation has. */
export class Documents {
  constructor(
    private readonly random: Random,
    private readonly shapes: readonly Shape[],
  ) {}

  query(): string {
    return `{ ${this.random.times(1 + this.random.below(2), (at) => `q${String(at)}: ${this.root()}`).join(' ')} }`;
  }

  mutation(): string {
    const { random } = this;
    const shape = random.pick(this.shapes.filter(({ hasKey }) => hasKey));
    const { type, table } = shape;
    const answer = this.selection(shape, 2);
    const values = (): string => literal(withoutKey(randomRow(random, table, 40)));
    switch (random.below(4)) {
      case 0:
        return `mutation { create${type}(input: ${values()}) ${answer} }`;
      case 1:
        return `mutation { delete${type}(where: { id: { eq: ${this.key()} } }) ${answer} }`;
      case 2:
        return `mutation { update${type}(where: ${this.where(shape, 1)}, input: ${values()}) ${answer} }`;
      default:
        return `mutation { update${type}(where: { id: { eq: ${this.key()} } }, input: ${this.changed(shape)}) ${answer} }`;
    }
  }

  /** The key of a row of the caller, of a hidden one, or of none. */
  private key(): string {
    return String(this.random.chance(40) ? 26 + this.random.below(12) : 1 + this.random.below(10));
  }

  /** Rows inside rows, by keys of which some are hidden. */
  private changed(shape: Shape): string {
    const { random } = this;
    // A junction with a hidden column is not written as one without it.
    const keyed = this.shapes.filter(({ hasKey }) => hasKey).map(({ type }) => type);
    const meets = [keyed[0], keyed.at(-1)];
    const many = shape.relations.filter(
      ({ kind, target }) =>
        kind === 'many' && keyed.includes(target) && !(meets.includes(shape.type) && meets.includes(target)),
    );
    const relation = many.length === 0 ? undefined : random.pick(many);
    if (relation === undefined) return literal(withoutKey(randomRow(random, shape.table, 50)));
    const row = literal(withoutKey(randomRow(random, this.shapeOf(relation.target).table, 40)));
    const id = `{ id: ${this.key()} }`;
    const part = random.pick([
      `connect: [${id}]`,
      `disconnect: [${id}]`,
      `delete: [${id}]`,
      `update: [{ where: ${id}, data: ${row} }]`,
      `upsert: [{ where: ${id}, create: ${row}, update: ${row} }]`,
    ]);
    return `{ ${relation.name}: { ${part} } }`;
  }

  private root(): string {
    const { random } = this;
    const shape = random.pick(this.shapes);
    const field = shape.type.charAt(0).toLowerCase() + shape.type.slice(1);
    const kind = random.below(10);
    const where = `where: ${this.where(shape, 2)}`;
    if (kind < 5) return `${field}(${where}${this.order(shape)}) ${this.selection(shape, 2)}`;
    if (kind < 6 && shape.hasKey) return `${field}ByPk(id: ${this.key()}) ${this.selection(shape, 2)}`;
    if (kind < 8 && shape.hasKey)
      return `${field}Connection(${where}${this.order(shape)}, first: ${String(1 + random.below(5))}) { totalCount nodes ${this.selection(shape, 2)} pageInfo { hasNextPage hasPreviousPage } }`;
    return `${field}Aggregate(${where}${this.groupBy(shape)}`;
  }

  private selection(shape: Shape, depth: number): string {
    const { random } = this;
    const related = depth === 0 ? [] : random.some(shape.relations, 35).map((each) => this.related(each, depth - 1));
    return `{ ${[...random.some(columnsOf(shape)), ...related].join(' ')} }`;
  }

  private related(relation: Relation, depth: number): string {
    const { random } = this;
    const shape = this.shapeOf(relation.target);
    if (relation.kind === 'one') return `${relation.name} ${this.selection(shape, depth)}`;
    const where = random.chance(40) ? `where: ${this.where(shape, 1)}` : `where: {}`;
    if (relation.kind === 'aggregate') return `${relation.name}(${where}${this.groupBy(shape)}`;
    return `${relation.name}(${where}${this.order(shape)}) ${this.selection(shape, depth)}`;
  }

  /** The end of the arguments of an aggregate, and its selection. */
  private groupBy(shape: Shape): string {
    const { random } = this;
    const columns = shape.table.columns.filter(({ kind }) => kind !== 'json').map(({ name }) => name);
    const totals = `count${shape.hasKey ? ' max { id }' : ''}`;
    if (random.chance(35) || columns.length === 0) return `) { ${totals} }`;
    const keys = random.some(columns, 40);
    const having = random.chance(25) ? `, having: { count: { gt: ${String(random.below(3))} } }` : '';
    return `, groupBy: [${keys.join(', ')}]${having}) { ${random.chance(60) ? totals : ''} groups { key { ${keys.join(' ')} } ${totals} } }`;
  }

  private where(shape: Shape, depth: number): string {
    const { random } = this;
    const comparisons = randomComparisons(random, shape.table).filter(({ column }) =>
      shape.columns.includes(column.name),
    );
    const own = comparisons.length === 0 ? [] : [literal(graphqlWhere(comparisons))];
    const relations = shape.relations.filter(({ kind }) => kind !== 'aggregate');
    if (depth === 0 || relations.length === 0 || random.chance(60)) return own[0] ?? '{}';
    const relation = random.pick(relations);
    const inner = this.where(this.shapeOf(relation.target), depth - 1);
    // `every` needs a condition; the others ask whether there is a row.
    const quantifiers = inner === '{}' ? ['some', 'none'] : ['some', 'none', 'every'];
    const through =
      relation.kind === 'one'
        ? `{ ${relation.name}: ${inner} }`
        : `{ ${relation.name}: { ${random.pick(quantifiers)}: ${inner} } }`;
    return `{ and: [${[...own, random.chance(20) ? `{ not: ${through} }` : through].join(', ')}] }`;
  }

  /** With a limit only where the order is total. */
  private order(shape: Shape): string {
    const { random } = this;
    if (!shape.hasKey || random.chance(40)) return '';
    const relations = shape.relations.filter(({ kind }) => kind !== 'aggregate');
    const through = relations.length === 0 || random.chance(60) ? [] : [random.pick(relations)];
    const orders = through.map(({ name, kind, target }) => {
      const column = this.shapeOf(target).table.columns.find(({ kind: of }) => of !== 'json')?.name ?? 'id';
      return kind === 'many' ? `{ ${name}: { _count: DESC } }` : `{ ${name}: { ${column}: ASC } }`;
    });
    return `, orderBy: [${[...orders, '{ id: ASC }'].join(', ')}]`;
  }

  private shapeOf(type: string): Shape {
    const found = this.shapes.find((each) => each.type === type);
    if (found === undefined) throw new Error(`There is no type ${type}.`);
    return found;
  }
}

const columnsOf = ({ hasKey, table }: Shape): readonly string[] => [
  ...(hasKey ? ['id'] : []),
  ...table.columns.map(({ name }: OracleColumn) => name),
];

const withoutKey = (row: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => name !== 'id'));
