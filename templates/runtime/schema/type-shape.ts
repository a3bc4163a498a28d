/** A GraphQL object or input type, as data: declared to TypeGraphQL at start, and made into schema.graphql by the generator. */
export interface TypeShape {
  readonly kind: 'object' | 'input';
  readonly name: string;
  readonly description: string;
  /** Made when they are asked for: a server of a thousand tables has two hundred thousand of them. */
  readonly fields: () => readonly FieldShape[];
}

/** A field, or an argument of one. */
export interface FieldShape {
  readonly name: string;
  /** The named type, in so many lists. */
  readonly type: string;
  readonly depth: number;
  readonly nullable: boolean;
  readonly nullableItems: boolean;
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
