import type { RelationDescriptor, TableDescriptor } from '../descriptor/descriptor.js';
import { aggregateShape } from './aggregate-shape.js';
import { computedFilters } from './computed-shape.js';
import { classOf, columnFilters, declaredTypes, declareEnums, declareTypes, enumOf, type Class } from './declare.js';
import { readShape } from './read-shape.js';
import { findTable, rememberTable } from './tables.js';
import { dictionary, type EnumShape, type TypeShape } from './type-shape.js';
import { createShape, updateShape } from './write-shape.js';
import { canCreate, canUpdate } from './writable.js';
import { nestedTypes } from './nested-shape.js';

/** The result of a resolver of a `<f>Aggregate` field. */
export type AggregateResult = Readonly<Record<string, unknown>>;

/**
 * The ends of the names of a table's types. A table has only the types that its columns and keys
 * allow.
 */
type TypeEnd =
  | 'Connection'
  | 'WhereInput'
  | 'OrderByInput'
  | 'Aggregate'
  | 'HavingInput'
  | 'CreateInput'
  | 'OnConflictInput'
  | 'UpdateInput'
  | 'IncInput';

/**
 * A table's TypeGraphQL types, for `@Query(() => …)` and `@Arg(…)`. Throws TypeError for a type
 * that the table does not have.
 */
export type TableTypes = Readonly<Record<TypeEnd, Class>> & {
  /** The columns that `groupBy` and `distinctOn` may name. */
  readonly Column: Readonly<Record<string, string>>;
};

/**
 * Declares the types of a table's pages, conditions, orders, aggregates and writes. They follow
 * from the descriptor, so that generated files do not contain them. read-shape.ts,
 * aggregate-shape.ts and write-shape.ts define their names.
 * @param filters the filter inputs that belong to single columns, by field
 */
export function tableTypes(table: TableDescriptor, filters: Readonly<Record<string, Named>> = {}): TableTypes {
  rememberTable(table);
  const names = dictionary(Object.entries(filters).map(([field, { name }]) => [field, name] as const));
  for (const { name } of Object.values(filters)) columnFilters.add(name);
  const aggregates = aggregateShape(table);
  const creates = canCreate(table) ? createShape(table, findTable) : nothing;
  const updates = canUpdate(table) ? updateShape(table, findTable) : nothing;
  const nested = nestedTypes(table, findTable);
  declareTypes(computedFilters(table).filter(({ name }) => !declaredTypes.has(name)));
  declareTypes([
    ...readShape(table, names, tableOf),
    ...aggregates.types,
    ...creates.types,
    ...updates.types,
    ...nested,
  ]);
  declareEnums([...columnEnum(table, aggregates.columns), ...creates.enums]);
  return new DeclaredTypes(table.type);
}

interface Named {
  readonly name: string;
}

const nothing: { readonly types: readonly TypeShape[]; readonly enums: readonly EnumShape[] } = {
  types: [],
  enums: [],
};

const columnEnum = ({ type, name }: TableDescriptor, values: readonly string[]): readonly EnumShape[] =>
  values.length === 0 ? [] : [{ name: `${type}Column`, description: `Columns of ${name}.`, values }];

function tableOf({ name, table }: RelationDescriptor): TableDescriptor {
  const found = findTable(table);
  if (found === undefined) throw new TypeError(`No table is called ${table}, which the relation ${name} leads to.`);
  return found;
}

/** Getters, so that TypeGraphQL knows only the types that files use. */
class DeclaredTypes implements TableTypes {
  constructor(private readonly type: string) {}

  get Connection(): Class {
    return this.end('Connection');
  }
  get WhereInput(): Class {
    return this.end('WhereInput');
  }
  get OrderByInput(): Class {
    return this.end('OrderByInput');
  }
  get Aggregate(): Class {
    return this.end('Aggregate');
  }
  get HavingInput(): Class {
    return this.end('HavingInput');
  }
  get Column(): Readonly<Record<string, string>> {
    return enumOf(`${this.type}Column`);
  }
  get CreateInput(): Class {
    return this.end('CreateInput');
  }
  get OnConflictInput(): Class {
    return this.end('OnConflictInput');
  }
  get UpdateInput(): Class {
    return this.end('UpdateInput');
  }
  get IncInput(): Class {
    return this.end('IncInput');
  }

  private end(end: TypeEnd): Class {
    return classOf(`${this.type}${end}`);
  }
}
