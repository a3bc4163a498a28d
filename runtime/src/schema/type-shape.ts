/** A GraphQL object or input type, as data: declared to TypeGraphQL at start, and made into schema.graphql by the generator. */
export interface TypeShape {
  readonly kind: 'object' | 'input' | 'interface';
  readonly name: string;
  readonly description: string;
  /** Made when they are asked for: a server of a thousand tables has two hundred thousand of them. */
  readonly fields: () => readonly FieldShape[];
  /** The names of the interfaces that an object has. Absent: none. */
  readonly interfaces?: readonly string[];
  /** Whether there is nothing in it after all, which only shows when every table is known: then there is no such type. */
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
  /** The named type, in so many lists. */
  readonly type: string;
  readonly depth: number;
  readonly nullable: boolean;
  readonly nullableItems: boolean;
  /** Of a field of an object: its arguments, where they follow from a table or a function. */
  readonly parameters?: () => readonly FieldShape[];
  /** Absent: none of its own. Inputs of rows have those of the columns: describe-inputs.ts. */
  readonly description?: string;
}

/**
 * An object by names of somebody's database, which differ from table to table. Without a prototype V8 keeps it as a dictionary: objects that
 * begin as `{}` share one tree of shapes, and once that has more than 1,536 first names no object of the process has a shape to share.
 */
export function dictionary<T>(entries: Iterable<readonly [name: string, value: T]>): Readonly<Record<string, T>> {
  const made = Object.create(null) as Record<string, T>;
  for (const [name, value] of entries) made[name] = value;
  return made;
}

/** The same field, described. */
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
