import {
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  Kind,
  getDirectiveValues,
  isAbstractType,
  typeFromAST,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type InlineFragmentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Scope, Selected } from '../arguments/scope.js';

/**
 * The fields of a response object, in its order: fragments entered, `@skip` and `@include` decided,
 * equal response keys merged.
 * Source: https://spec.graphql.org/October2021/#CollectFields()
 */
export function collectFields(
  scope: Scope,
  type: GraphQLObjectType,
  sets: readonly (SelectionSetNode | undefined)[],
): readonly Selected[] {
  const groups = new Map<string, [FieldNode, ...FieldNode[]]>();
  const visited = new Set<string>();
  const visit = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      if (!isIncluded(scope, selection)) continue;
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [selection]);
        else group.push(selection);
        continue;
      }
      const fragment = fragmentOf(scope, selection, visited);
      if (fragment !== undefined && applies(scope, fragment, type)) visit(fragment.selectionSet.selections);
    }
  };
  for (const set of sets) if (set !== undefined) visit(set.selections);
  return Array.from(groups, ([as, nodes]) => ({ as, name: nodes[0].name.value, nodes }));
}

/** The fields below a field. */
export const subFields = (scope: Scope, type: GraphQLObjectType, selected: Selected): readonly Selected[] =>
  collectFields(
    scope,
    type,
    selected.nodes.map((node) => node.selectionSet),
  );

function fragmentOf(
  scope: Scope,
  selection: Exclude<SelectionNode, FieldNode>,
  visited: Set<string>,
): FragmentDefinitionNode | InlineFragmentNode | undefined {
  if (selection.kind === Kind.INLINE_FRAGMENT) return selection;
  const name = selection.name.value;
  if (visited.has(name)) return undefined;
  visited.add(name);
  return scope.fragments.get(name);
}

function applies(
  scope: Scope,
  fragment: FragmentDefinitionNode | InlineFragmentNode,
  type: GraphQLObjectType,
): boolean {
  if (fragment.typeCondition === undefined) return true;
  const condition = typeFromAST(scope.schema, fragment.typeCondition);
  return condition === type || (isAbstractType(condition) && scope.schema.isSubType(condition, type));
}

function isIncluded(scope: Scope, node: SelectionNode): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, scope.variables)?.['if'] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, scope.variables)?.['if'] !== false;
}
