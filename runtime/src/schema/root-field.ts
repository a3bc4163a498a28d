import type { GraphQLArgument, GraphQLField, GraphQLFieldResolver, GraphQLOutputType } from 'graphql';
import { textOf, type CompleteTypes } from './complete-types.js';
import type { QueryDefinition } from './definitions/definition.js';
import { withParameters } from './declare.js';

/**
 * A generated root field that makes its type and arguments on first use: a thousand tables have
 * eight thousand such fields, and most are never used.
 */
export class RootField implements GraphQLField<unknown, unknown> {
  readonly name: string;
  readonly description: string | undefined;
  readonly deprecationReason = undefined;
  readonly extensions = nothing;
  readonly astNode = undefined;
  private madeArguments: readonly GraphQLArgument[] | undefined;

  constructor(
    private readonly definition: QueryDefinition,
    private readonly types: CompleteTypes,
    readonly resolve: GraphQLFieldResolver<unknown, unknown>,
  ) {
    this.name = definition.name;
    this.description = textOf(definition.description);
  }

  /** The arguments that the method of generated code takes. */
  get inline(): QueryDefinition['inline'] {
    return this.definition.inline;
  }

  get type(): GraphQLOutputType {
    return this.types.typeOf(this.definition) as GraphQLOutputType;
  }

  get args(): readonly GraphQLArgument[] {
    const { definition, types } = this;
    return (this.madeArguments ??= types.argumentsOf([
      ...definition.inline,
      ...(withParameters(definition).parameters?.() ?? []),
    ]));
  }
}

const nothing = Object.freeze({});
