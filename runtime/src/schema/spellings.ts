import { Kind, type GraphQLEnumType, type ValueNode } from 'graphql';

const exactly = (spelling: string): string => spelling;

/** `asc`, `AscNullsFirst`, `asc_nulls_first` → `ASC_NULLS_FIRST`. */
function directionOf(spelling: string): string {
  return spelling.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
}

/**
 * Lets an enum accept quoted members, and directions in other spellings (decision 003). The text of
 * the schema stays the same.
 */
export function acceptSpellings(type: GraphQLEnumType): void {
  const canonical = type.name === 'OrderDirection' ? directionOf : exactly;
  const parseLiteral: (node: ValueNode, variables: Record<string, unknown> | null | undefined) => unknown =
    type.parseLiteral.bind(type);
  const parseValue: (value: unknown) => unknown = type.parseValue.bind(type);
  type.parseLiteral = (node: ValueNode, variables: Record<string, unknown> | null | undefined) => {
    if (node.kind !== Kind.ENUM && node.kind !== Kind.STRING) return parseLiteral(node, variables);
    const meant = { ...node, kind: Kind.ENUM, value: canonical(node.value) } as const;
    return type.getValue(meant.value) === undefined
      ? parseLiteral({ ...meant, value: node.value }, variables)
      : parseLiteral(meant, variables);
  };
  type.parseValue = (value: unknown) => {
    if (typeof value !== 'string') return parseValue(value);
    const meant = canonical(value);
    return parseValue(type.getValue(meant) === undefined ? value : meant);
  };
}
