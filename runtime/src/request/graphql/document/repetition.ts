import { Kind, type DocumentNode, type FragmentDefinitionNode, type SelectionSetNode } from 'graphql';
import { refusedLimit } from '../arguments/refusal.js';

/**
 * Pairs of equal fields for each token that a document may have. Fifty fragments with the same ten
 * fields are 12,000 pairs.
 */
const PAIRS_PER_TOKEN = 20;

/**
 * Refuses a document that selects the same fields too often: validation compares each with each,
 * and gives up after half a second without saying why. Call it for documents whose fields,
 * fragments written out, have been counted. Throws ServerError `limitExceeded`.
 * Source: https://spec.graphql.org/October2021/#sec-Field-Selection-Merging
 */
export function checkRepetition(
  document: DocumentNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  mostTokens: number,
): void {
  let left = PAIRS_PER_TOKEN * mostTokens;
  const compare = (parts: readonly Part[]): void => {
    for (const fields of byResponseKey(parts, fragments).values()) {
      left -= fields.length + (fields.length * (fields.length - 1)) / 2;
      if (left < 0) throw refusedLimit('The document selects the same fields too often.', 'app.graphql.max-tokens');
      const below = fields.flatMap(({ set, inside }) => (set === undefined ? [] : [{ set, inside }]));
      if (below.length > 0) compare(below);
    }
  };
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) compare([{ set: definition.selectionSet, inside: [] }]);
  }
}

/**
 * The selection at one place, and the fragments around it: those are not entered again.
 */
interface Part {
  readonly set: SelectionSetNode;
  readonly inside: readonly string[];
}

interface Field {
  readonly set: SelectionSetNode | undefined;
  readonly inside: readonly string[];
}

/** The fields that are merged, fragments written out once. */
function byResponseKey(
  parts: readonly Part[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): ReadonlyMap<string, readonly Field[]> {
  const groups = new Map<string, Field[]>();
  const entered = new Set<string>();
  const visit = ({ selections }: SelectionSetNode, inside: readonly string[]): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet, inside);
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const name = selection.name.value;
        const fragment = fragments.get(name);
        if (fragment === undefined || entered.has(name) || inside.includes(name)) continue;
        entered.add(name);
        visit(fragment.selectionSet, [...inside, name]);
      }
      if (selection.kind !== Kind.FIELD) continue;
      const key = selection.alias?.value ?? selection.name.value;
      const field = { set: selection.selectionSet, inside };
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [field]);
      else group.push(field);
    }
  };
  for (const { set, inside } of parts) visit(set, inside);
  return groups;
}
