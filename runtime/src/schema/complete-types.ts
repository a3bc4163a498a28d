import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  introspectionTypes,
  isInterfaceType,
  specifiedScalarTypes,
  type GraphQLArgument,
  type GraphQLFieldConfig,
  type GraphQLFieldConfigArgumentMap,
  type GraphQLFieldConfigMap,
  type GraphQLInputFieldConfigMap,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLType,
} from 'graphql';
import * as scalars from './scalars.js';
import type { Declarations } from './declare.js';
import { describeInput } from './describe-inputs.js';
import { acceptSpellings } from './spellings.js';
import { dictionary, type FieldShape, type TypeShape } from './type-shape.js';

/** The members of a GraphQLArgument that have no value here. */
const nothing = {
  description: undefined,
  deprecationReason: undefined,
  extensions: Object.freeze({}),
  astNode: undefined,
} as const;

/**
 * The types of a schema by name. It makes only those that the schema uses, and graphql-js makes the
 * fields of a type on first use: most of the 27,000 types of a thousand tables are never used.
 */
export class CompleteTypes {
  private readonly types: Map<string, GraphQLNamedType>;
  /** By name, then by the number that `typeOf` computes from the lists and nulls. */
  private readonly wrapped = new Map<string, GraphQLType[]>();

  constructor(readonly declarations: Declarations) {
    const known: readonly GraphQLNamedType[] = [
      ...specifiedScalarTypes,
      ...introspectionTypes,
      ...Object.values(scalars),
    ];
    this.types = new Map(known.map((type) => [type.name, type]));
  }

  /** The type of this name. Makes a declared type. */
  find(name: string): GraphQLNamedType | undefined {
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const { type, enum: enumOf } = this.declarations;
    return type(name) === undefined && enumOf(name) === undefined ? undefined : this.make(name);
  }

  /** Adds a type of the user's code. */
  add(type: GraphQLNamedType): void {
    this.types.set(type.name, type);
  }

  /** The names that `find` knows. */
  names(): readonly string[] {
    return [...new Set([...this.types.keys(), ...this.declarations.names()])];
  }

  /** Adds fields to an object type. Existing fields stay. */
  fill(type: GraphQLObjectType, shapes: readonly FieldShape[]): void {
    const fields = type.getFields();
    const added = new GraphQLObjectType({ name: type.name, fields: this.fieldsOf(shapes) }).getFields();
    for (const [name, field] of Object.entries(added)) fields[name] ??= field;
  }

  argumentsOf(shapes: readonly FieldShape[]): readonly GraphQLArgument[] {
    return shapes.map((shape) => {
      const type = this.typeOf(shape) as GraphQLInputType;
      return { name: shape.name, type, defaultValue: undefined, ...nothing, description: textOf(shape.description) };
    });
  }

  /** The type of a field or an argument. */
  typeOf({ type, depth, nullable, nullableItems }: FieldShape): GraphQLType {
    let known = this.wrapped.get(type);
    if (known === undefined) this.wrapped.set(type, (known = []));
    const at = depth * 4 + (nullable ? 2 : 0) + (nullableItems ? 1 : 0);
    return (known[at] ??= wrap(this.named(type), { depth, nullable, nullableItems }));
  }

  private named(name: string): GraphQLNamedType {
    return this.types.get(name) ?? this.make(name);
  }

  private make(name: string): GraphQLNamedType {
    const shape = this.declarations.type(name);
    const type =
      shape === undefined
        ? this.enumType(name)
        : shape.kind === 'input'
          ? this.inputType(shape)
          : shape.kind === 'interface'
            ? this.interfaceType(shape)
            : this.objectType(shape);
    this.types.set(name, type);
    return type;
  }

  private inputType({ name, description, fields }: TypeShape): GraphQLInputObjectType {
    return new GraphQLInputObjectType({
      name,
      description: textOf(description),
      fields: () => {
        const made: GraphQLInputFieldConfigMap = {};
        for (const shape of fields())
          made[shape.name] = { type: this.typeOf(shape) as GraphQLInputType, description: textOf(shape.description) };
        describeInput(name, made, (each) => this.find(each));
        return made;
      },
    });
  }

  private objectType({ name, description, fields, interfaces }: TypeShape): GraphQLObjectType {
    return new GraphQLObjectType({
      name,
      description: textOf(description),
      fields: () => this.fieldsOf(fields()),
      ...(interfaces === undefined
        ? {}
        : { interfaces: () => interfaces.map((each) => this.find(each)).filter(isInterfaceType) }),
    });
  }

  private interfaceType({ name, description, fields }: TypeShape): GraphQLInterfaceType {
    return new GraphQLInterfaceType({ name, description: textOf(description), fields: () => this.fieldsOf(fields()) });
  }

  private fieldsOf(shapes: readonly FieldShape[]): GraphQLFieldConfigMap<unknown, unknown> {
    const made: GraphQLFieldConfigMap<unknown, unknown> = {};
    for (const shape of shapes) made[shape.name] = this.fieldOf(shape);
    return made;
  }

  /** A field of an object type. */
  fieldOf(shape: FieldShape): GraphQLFieldConfig<unknown, unknown> {
    const type = this.typeOf(shape) as GraphQLOutputType;
    const field = { type, description: textOf(shape.description) };
    if (shape.parameters === undefined) return field;
    const args: GraphQLFieldConfigArgumentMap = {};
    for (const each of shape.parameters())
      args[each.name] = { type: this.typeOf(each) as GraphQLInputType, description: textOf(each.description) };
    return { ...field, args };
  }

  private enumType(name: string): GraphQLNamedType {
    const shape = this.declarations.enum(name);
    if (shape === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
    const values = dictionary(shape.values.map((value) => [value, {}]));
    const type = new GraphQLEnumType({ name, description: textOf(shape.description), values });
    acceptSpellings(type);
    return type;
  }
}

/** GraphQL has undefined for a missing description, and not the empty text. */
export const textOf = (description: string | undefined): string | undefined =>
  description === '' ? undefined : description;

type Wrapping = Pick<FieldShape, 'depth' | 'nullable' | 'nullableItems'>;

function wrap(named: GraphQLNamedType, { depth, nullable, nullableItems }: Wrapping): GraphQLType {
  const type = listOf(named, depth, nullableItems);
  return nullable ? type : new GraphQLNonNull(type);
}

/** Wraps a type in lists. TypeGraphQL makes inner lists and items nullable together. */
function listOf(
  named: GraphQLNamedType,
  depth: number,
  nullableItems: boolean,
): GraphQLNamedType | GraphQLList<GraphQLType> {
  if (depth === 0) return named;
  const item = listOf(named, depth - 1, nullableItems);
  return new GraphQLList<GraphQLType>(nullableItems ? item : new GraphQLNonNull(item));
}
