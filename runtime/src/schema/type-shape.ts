/**
 * A GraphQL object, input or interface type, as data. The runtime declares it at start; the
 * generator writes it into schema.graphql.
 */
export interface TypeShape {
  readonly kind: 'object' | 'input' | 'interface';
  readonly name: string;
  readonly description: string;
  /** Made on first use: a server of a thousand tables has 200,000 fields. */
  readonly fields: () => readonly FieldShape[];
  /** The names of the interfaces that an object implements. Absent: none. */
  readonly interfaces?: readonly string[];
  /**
   * Whether the type has no fields, so that the schema omits it. Only known when all tables are
   * known.
   */
  readonly isAbsent?: () => boolean;
}

/** A GraphQL enum. */
export interface EnumShape {
  readonly name: string;
  readonly description: string;
  readonly values: readonly string[];
}

/** A field, or an argument of one. */
export interface FieldShape {
  readonly name: string;
  /** The name of the type inside `depth` lists. */
  readonly type: string;
  readonly depth: number;
  readonly nullable: boolean;
  readonly nullableItems: boolean;
  /** For a field of an object: its arguments, if they follow from a table or a function. */
  readonly parameters?: () => readonly FieldShape[];
  /**
   * Absent: inputs of rows have the descriptions of their columns (describe-inputs.ts), other
   * fields none.
   */
  readonly description?: string;
}

/**
 * An object whose keys are names of the user's database, which differ from table to table. Without
 * a prototype, V8 stores it as a dictionary. Objects that begin as `{}` share one tree of shapes;
 * once this tree has more than 1,536 first names, no object of the process can share a shape.
 */
export function dictionary<T>(entries: Iterable<readonly [name: string, value: T]>): Readonly<Record<string, T>> {
  const made = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** The same field with a description. */
export function described(field: FieldShape, description: string): FieldShape {
  return { ...field, description };
}

/** `T!` */
export function required(name: string, type: string): FieldShape {
  return { name, type, depth: 0, nullable: false, nullableItems: false };
}

/** `T` */
export function optional(name: string, type: string): FieldShape {
  return { name, type, depth: 0, nullable: true, nullableItems: false };
}

/** `[T!]!` */
export function list(name: string, type: string): FieldShape {
  return { name, type, depth: 1, nullable: false, nullableItems: false };
}

/** `[T!]` */
export function optionalList(name: string, type: string): FieldShape {
  return { name, type, depth: 1, nullable: true, nullableItems: false };
}

export function object(name: string, description: string, fields: TypeShape['fields']): TypeShape {
  return { kind: 'object', name, description, fields };
}

export function input(name: string, description: string, fields: TypeShape['fields']): TypeShape {
  return { kind: 'input', name, description, fields };
}
