import { GraphQLError, GraphQLScalarType, valueFromASTUntyped } from 'graphql';

/** The operand of a text search operator. Source: decisions 3, `TsvectorFilterInput`. */
export const GraphQLTextSearch = new GraphQLScalarType({
  name: 'TextSearch',
  description: 'What to search for: a string, or `{query: "…", config: "english"}` with a text search configuration.',
  parseValue: textSearchOf,
  parseLiteral: (node, variables) => textSearchOf(valueFromASTUntyped(node, variables)),
});

function textSearchOf(value: unknown): unknown {
  if (typeof value === 'string') return value;
  if (isObject(value)) {
    const { query, config, ...rest } = value;
    const unknown = Object.keys(rest);
    if (typeof query === 'string' && isOptionalText(config) && unknown.length === 0) return { ...value };
  }
  throw new GraphQLError('TextSearch takes a string, or an object of the strings query and config.', {
    extensions: { code: 'BAD_USER_INPUT' },
  });
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}
