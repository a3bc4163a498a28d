import {
  GraphQLSchema,
  isInterfaceType,
  isObjectType,
  validateSchema,
  type GraphQLAbstractType,
  type GraphQLError,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type OperationTypeNode,
} from 'graphql';
import { isNode, nodeType } from '../descriptor/node-id.js';
import { emptyRoot, type SchemaTypes } from './build.js';
import { listLazily } from './list-types.js';

type Implementations = ReturnType<GraphQLSchema['getImplementations']>;

/**
 * A schema that makes its types when a document first asks for them. It finds single types by name;
 * only a request for the list of all types makes all of them.
 */
export class LazySchema extends GraphQLSchema {
  private readonly roots: Readonly<Partial<Record<OperationTypeNode, GraphQLObjectType>>>;
  /** The types of the user's code. */
  private readonly own: readonly GraphQLNamedType[];
  private readonly first: readonly GraphQLNamedType[];
  private readonly node: GraphQLNamedType | undefined;
  /** The types of rows with a global identifier: they implement the interface. */
  private readonly nodeNames: ReadonlySet<string>;
  private made: GraphQLSchema | undefined;

  /**
   * @param merge adds the user's code to types of the database, and returns its types
   */
  constructor(
    private readonly types: SchemaTypes,
    private readonly merge: (types: SchemaTypes) => readonly GraphQLNamedType[] = () => [],
  ) {
    // The constructor visits all fields, and so would make all types: it gets an empty root.
    super({ query: emptyRoot('Query'), assumeValid: true });
    this.own = merge(types);
    const { query, mutation, subscription } = types;
    this.roots = { query, ...present('mutation', mutation), ...present('subscription', subscription) };
    this.node = types.types.find(nodeType);
    this.nodeNames = new Set(types.tables.filter(isNode).map(({ type }) => type));
    // Types that only an interface leads to.
    this.first = this.own.filter((type) => isObjectType(type) && type.getInterfaces().length > 0);
    listLazily(this, { first: this.first, names: () => types.types.names() });
  }

  /**
   * The same schema once more, for a reader of all its types: a thousand tables have 27,000, which
   * take 90 MB. They go with that schema, and this one keeps those that requests use.
   */
  *again(): Generator<undefined, LazySchema> {
    return new LazySchema(yield* this.types.again(), this.merge);
  }

  /** The errors of the whole schema: those of the user's code. Makes every type. */
  check(): readonly GraphQLError[] {
    return validateSchema(this.whole(false));
  }

  override getQueryType(): GraphQLObjectType | undefined {
    return this.roots.query;
  }

  override getMutationType(): GraphQLObjectType | undefined {
    return this.roots.mutation;
  }

  override getSubscriptionType(): GraphQLObjectType | undefined {
    return this.roots.subscription;
  }

  override getRootType(operation: OperationTypeNode): GraphQLObjectType | undefined {
    return this.roots[operation];
  }

  override getTypeMap(): ReturnType<GraphQLSchema['getTypeMap']> {
    return (this.made ??= this.whole(true)).getTypeMap();
  }

  override getType(name: string): GraphQLNamedType | undefined {
    if (this.made !== undefined) return this.made.getType(name);
    return Object.values(this.roots).find((root) => root.name === name) ?? this.types.types.find(name);
  }

  override getPossibleTypes(type: GraphQLAbstractType): readonly GraphQLObjectType[] {
    if (type === this.node) return this.nodes();
    return isInterfaceType(type) ? this.getImplementations(type).objects : type.getTypes();
  }

  override getImplementations(type: GraphQLInterfaceType): Implementations {
    if (type === this.node) return { objects: this.nodes(), interfaces: [] };
    const implementing = this.own.filter(
      (each) => (isObjectType(each) || isInterfaceType(each)) && each.getInterfaces().includes(type),
    );
    return { objects: implementing.filter(isObjectType), interfaces: implementing.filter(isInterfaceType) };
  }

  override isSubType(type: GraphQLAbstractType, other: GraphQLObjectType | GraphQLInterfaceType): boolean {
    if (type === this.node) return this.nodeNames.has(other.name);
    if (!isInterfaceType(type)) return type.getTypes().some((each) => each === other);
    return other.getInterfaces().includes(type);
  }

  private nodes(): readonly GraphQLObjectType[] {
    return [...this.nodeNames].map((name) => this.getType(name)).filter(isObjectType);
  }

  private whole(assumeValid: boolean): GraphQLSchema {
    const { query = null, mutation = null, subscription = null } = this.roots;
    return new GraphQLSchema({ query, mutation, subscription, types: this.first, assumeValid });
  }
}

function present(operation: 'mutation' | 'subscription', type: GraphQLObjectType): object {
  return Object.keys(type.getFields()).length === 0 ? {} : { [operation]: type };
}
