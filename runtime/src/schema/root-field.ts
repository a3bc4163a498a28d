import type { GraphQLArgument, GraphQLField, GraphQLFieldResolver, GraphQLOutputType } from 'graphql';
import { textOf, type CompleteTypes } from './complete-types.js';
import { withParameters } from './declare.js';
import type { QueryDefinition } from './definitions/definition.js';

/** The definitions of the root fields of a table, a procedure or a function. */
export type Defines = () => readonly QueryDefinition[];

/**
 * A generated root field that keeps its name only, and makes its type and arguments on first use: a
 * thousand tables have eight thousand such fields, for each role, and most are never used.
 */
export class RootField implements GraphQLField<unknown, unknown> {
  readonly deprecationReason = undefined;
  readonly extensions = nothing;
  readonly astNode = undefined;
  private madeType: GraphQLOutputType | undefined;
  private madeArguments: readonly GraphQLArgument[] | undefined;

  constructor(
    readonly name: string,
    private readonly defines: Defines,
    private readonly types: CompleteTypes,
    readonly resolve: GraphQLFieldResolver<unknown, unknown>,
  ) {}

  private get definition(): QueryDefinition {
    const found = this.defines().find(({ name }) => name === this.name);
    if (found === undefined) throw new TypeError(`${this.name} is not a root field of its table.`);
    return found;
  }

  get description(): string | undefined {
    return textOf(this.definition.description);
  }

  /** The arguments that the method of generated code takes. */
  get inline(): QueryDefinition['inline'] {
    return this.definition.inline;
  }

  get type(): GraphQLOutputType {
    return (this.madeType ??= this.types.typeOf(this.definition) as GraphQLOutputType);
  }

  get args(): readonly GraphQLArgument[] {
    return (this.madeArguments ??= this.makeArguments());
  }

  private makeArguments(): readonly GraphQLArgument[] {
    const { inline, ...definition } = this.definition;
    return this.types.argumentsOf([...inline, ...(withParameters(definition).parameters?.() ?? [])]);
  }
}

const nothing = Object.freeze({});
