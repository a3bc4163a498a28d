import {
  GraphQLEnumType,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  isInputObjectType,
  isObjectType,
  specifiedScalarTypes,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLType,
} from 'graphql';
import * as scalars from '../scalars.js';
import { declaredEnums, declaredTypes } from './declare.js';
import { describeInput } from './describe-inputs.js';
import { fillWhenAsked } from './fill-when-asked.js';
import { acceptSpellings } from './spellings.js';
import { dictionary, type FieldShape, type TypeShape } from './type-shape.js';

type Field = GraphQLField<unknown, unknown>;
type Fields<F> = Map<GraphQLType, Map<string, F>>;

/** What no declared field has. */
const nothing = {
  description: undefined,
  deprecationReason: undefined,
  extensions: Object.freeze({}),
  astNode: undefined,
} as const;

/**
 * The types of a schema by name, and those of declared ones that it takes, made by graphql-js alone. Fields of the same name and type are one
 * object: of two hundred thousand there are some ten thousand different ones.
 */
export class CompleteTypes {
  private readonly types: Map<string, GraphQLNamedType>;
  /** By name, then by how the type is wrapped. */
  private readonly wrapped = new Map<string, GraphQLType[]>();
  private readonly inputs: Fields<GraphQLInputField & GraphQLArgument> = new Map();
  private readonly outputs: Fields<Field> = new Map();
  private readonly arguments = new Map<readonly FieldShape[], readonly GraphQLArgument[]>();
  constructor(built: readonly GraphQLNamedType[]) {
    const known: readonly GraphQLNamedType[] = [...specifiedScalarTypes, ...Object.values(scalars), ...built];
    this.types = new Map(known.map((type) => [type.name, type]));
  }

  /** The type of this name, made if it is a declared one. */
  find(name: string): GraphQLNamedType | undefined {
    return this.types.get(name) ?? (declaredTypes.has(name) || declaredEnums.has(name) ? this.make(name) : undefined);
  }

  /** Gives a declared type its fields, besides those that it has, once somebody asks for them. */
  fill(type: GraphQLNamedType | undefined, { name, fields: shapes }: TypeShape): void {
    if (isInputObjectType(type)) {
      fillWhenAsked(type, (fields) => {
        for (const shape of shapes()) fields[shape.name] ??= this.inputField(shape);
        describeInput(name, fields, (each) => this.types.get(each));
      });
    } else if (isObjectType(type)) {
      fillWhenAsked(type, (fields) => {
        for (const shape of shapes()) fields[shape.name] ??= this.outputField(shape);
      });
    }
  }

  addArguments(field: Field, shapes: readonly FieldShape[]): void {
    let added = this.arguments.get(shapes);
    if (added === undefined) this.arguments.set(shapes, (added = shapes.map((shape) => this.inputField(shape))));
    field.args = field.args.length === 0 ? added : [...field.args, ...added];
  }

  private inputField(shape: FieldShape): GraphQLInputField & GraphQLArgument {
    return once(this.inputs, this.typeOf(shape), shape.name, (type) => ({
      name: shape.name,
      type: type as GraphQLInputType,
      defaultValue: undefined,
      ...nothing,
    }));
  }

  private outputField(shape: FieldShape): Field {
    return once(this.outputs, this.typeOf(shape), shape.name, (type) => ({
      name: shape.name,
      type: type as GraphQLOutputType,
      args: [],
      ...nothing,
    }));
  }

  private typeOf({ type, depth, nullable, nullableItems }: FieldShape): GraphQLType {
    let known = this.wrapped.get(type);
    if (known === undefined) this.wrapped.set(type, (known = []));
    const at = depth * 4 + (nullable ? 2 : 0) + (nullableItems ? 1 : 0);
    return (known[at] ??= wrap(this.named(type), { depth, nullable, nullableItems }));
  }

  private named(name: string): GraphQLNamedType {
    return this.types.get(name) ?? this.make(name);
  }

  private make(name: string): GraphQLNamedType {
    const shape = declaredTypes.get(name);
    const type = shape === undefined ? enumType(name) : emptyType(shape);
    this.types.set(name, type);
    if (shape !== undefined) this.fill(type, shape);
    return type;
  }
}

function emptyType({ kind, name, description }: TypeShape): GraphQLNamedType {
  const config = { name, description: description === '' ? undefined : description, fields: {} };
  return kind === 'input' ? new GraphQLInputObjectType(config) : new GraphQLObjectType(config);
}

function enumType(name: string): GraphQLNamedType {
  const shape = declaredEnums.get(name);
  if (shape === undefined) throw new TypeError(`No GraphQL type is called ${name}.`);
  const values = dictionary(shape.values.map((value) => [value, {}]));
  const type = new GraphQLEnumType({ name, description: shape.description, values });
  acceptSpellings(type);
  return type;
}

type Wrapping = Pick<FieldShape, 'depth' | 'nullable' | 'nullableItems'>;

function wrap(named: GraphQLNamedType, { depth, nullable, nullableItems }: Wrapping): GraphQLType {
  const type = listOf(named, depth, nullableItems);
  return nullable ? type : new GraphQLNonNull(type);
}

/** So many lists. Inner ones and items are nullable together, as TypeGraphQL has it. */
function listOf(
  named: GraphQLNamedType,
  depth: number,
  nullableItems: boolean,
): GraphQLNamedType | GraphQLList<GraphQLType> {
  if (depth === 0) return named;
  const item = listOf(named, depth - 1, nullableItems);
  return new GraphQLList<GraphQLType>(nullableItems ? item : new GraphQLNonNull(item));
}

/** The field of this type and name, made once. */
function once<F>(fields: Fields<F>, type: GraphQLType, name: string, make: (type: GraphQLType) => F): F {
  let byName = fields.get(type);
  if (byName === undefined) fields.set(type, (byName = new Map<string, F>()));
  let field = byName.get(name);
  if (field === undefined) byName.set(name, (field = make(type)));
  return field;
}
