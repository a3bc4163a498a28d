import {
  Kind,
  OperationTypeNode,
  parse,
  print,
  valueFromASTUntyped,
  type ArgumentNode,
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Registry } from '../../descriptor/registry.js';
import { codes, ServerError } from '../../errors.js';
import { ExactNumber } from '../../exact-number.js';
import { isRecord } from '../../is-record.js';
import { onceForEach } from '../../once-for-each.js';
import { mutationOperations } from '../../request/graphql/mutation/mutation.js';

/** A document as an agent gives it. */
export interface GivenDocument {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  readonly operationName?: string | undefined;
}

type Variables = Readonly<Record<string, unknown>>;

/** The bounds of `update_rows` and `delete_rows`. */
export interface WriteBounds {
  readonly mostRows: number;
  /** `app.rest.allow-unfiltered-writes` */
  readonly allowUnfiltered: boolean;
}

/**
 * The document with `atMost` at each update and delete. Throws ServerError 400 for one that has no
 * filter, or a higher bound of its own. A text that cannot be parsed stays as it is: GraphQL says
 * what is wrong with it.
 */
export function boundedDocument(given: GivenDocument, bounds: WriteBounds, registry: Registry): string {
  const document = parsed(given.query);
  const mutations = document?.definitions.filter((each) => isMutation(each, given.operationName)) ?? [];
  if (document === undefined || mutations.length === 0) return given.query;
  const variables: Variables = { ...Object.fromEntries(mutations.flatMap(defaultsOf)), ...given.variables };
  const changing = changingFields(registry);
  const bound = (set: SelectionSetNode): SelectionSetNode => ({
    ...set,
    selections: set.selections.map((each): SelectionNode => {
      if (each.kind === Kind.INLINE_FRAGMENT) return { ...each, selectionSet: bound(each.selectionSet) };
      const isChanging = each.kind === Kind.FIELD && changing.has(each.name.value);
      return isChanging ? boundedField(each, variables, bounds) : each;
    }),
  });
  const roots = new Set<unknown>([...mutations, ...rootFragments(document, mutations)]);
  return print({
    ...document,
    definitions: document.definitions.map((each) =>
      roots.has(each) && 'selectionSet' in each ? { ...each, selectionSet: bound(each.selectionSet) } : each,
    ),
  });
}

/** GraphQL refuses a document of several operations without a name. */
const isMutation = (each: DefinitionNode, name = ''): each is OperationDefinitionNode =>
  each.kind === Kind.OPERATION_DEFINITION &&
  each.operation === OperationTypeNode.MUTATION &&
  (name === '' || each.name?.value === name);

/** The fragments that have fields of Mutation, because a mutation or one of these has them. */
function rootFragments(
  { definitions }: DocumentNode,
  mutations: readonly OperationDefinitionNode[],
): ReadonlySet<FragmentDefinitionNode> {
  const named = new Map(
    definitions.flatMap((each) => (each.kind === Kind.FRAGMENT_DEFINITION ? [[each.name.value, each] as const] : [])),
  );
  const found = new Set<FragmentDefinitionNode>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const each of selections) {
      if (each.kind === Kind.INLINE_FRAGMENT) visit(each.selectionSet);
      const fragment = each.kind === Kind.FRAGMENT_SPREAD ? named.get(each.name.value) : undefined;
      if (fragment === undefined || found.has(fragment)) continue;
      found.add(fragment);
      visit(fragment.selectionSet);
    }
  };
  for (const { selectionSet } of mutations) visit(selectionSet);
  return found;
}

/** The fields of Mutation that update and delete rows. */
const changingFields = onceForEach(
  (registry: Registry): ReadonlySet<string> =>
    new Set(
      [...mutationOperations(registry)].flatMap(([name, { kind }]) =>
        kind === 'update' || kind === 'delete' ? [name] : [],
      ),
    ),
);

function parsed(query: string): DocumentNode | undefined {
  try {
    return parse(query, { noLocation: true, maxTokens: MAX_TOKENS });
  } catch {
    return undefined;
  }
}

/** GraphQL refuses longer documents itself, with the setting of the server. */
const MAX_TOKENS = 100_000;

const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode): readonly (readonly [string, unknown])[] =>
  variableDefinitions.flatMap(({ variable, defaultValue }) =>
    defaultValue === undefined ? [] : [[variable.name.value, valueFromASTUntyped(defaultValue)] as const],
  );

function boundedField(field: FieldNode, variables: Variables, bounds: WriteBounds): FieldNode {
  const { mostRows, allowUnfiltered } = bounds;
  const name = field.name.value;
  const given = (argument: string): unknown => {
    const found = field.arguments?.find((each) => each.name.value === argument);
    return found === undefined ? undefined : valueFromASTUntyped(found.value, variables);
  };
  if (!allowUnfiltered && !isFilter(given('id')) && !isFilter(given('where')))
    throw new ServerError(400, codes.refused, `${name} has no filter, so it would write every row of the table.`, {
      hint: 'Name the rows with `where` or `id`.',
      reason: { kind: 'unfiltered' },
    });
  const atMost = given('atMost');
  if (numberOf(atMost) > mostRows)
    throw new ServerError(400, codes.refused, `${name} may write at most ${String(mostRows)} rows here.`, {
      hint: 'Give a lower `atMost`, or a higher `mostRows` to the tool.',
    });
  if (atMost !== undefined && atMost !== null) return field;
  const others = (field.arguments ?? []).filter((each) => each.name.value !== 'atMost');
  // A variable stays in use: a document with an unused one is not valid.
  if (others.length !== (field.arguments ?? []).length && isVariable(field))
    throw new ServerError(400, codes.refused, `${name} has no value for \`atMost\`.`, {
      hint: `Give the variable a value of at most ${String(mostRows)}, or leave \`atMost\` out.`,
    });
  return { ...field, arguments: [...others, numberArgument('atMost', mostRows)] };
}

/** A number of the variables may have the digits that the client wrote. */
const numberOf = (given: unknown): number =>
  given instanceof ExactNumber ? Number(given.toString()) : typeof given === 'number' ? given : 0;

const isVariable = ({ arguments: all = [] }: FieldNode): boolean =>
  all.some(({ name, value }) => name.value === 'atMost' && value.kind === Kind.VARIABLE);

const numberArgument = (name: string, value: number): ArgumentNode => ({
  kind: Kind.ARGUMENT,
  name: { kind: Kind.NAME, value: name },
  value: { kind: Kind.INT, value: String(value) },
});

/** Whether a filter is there. GraphQL itself refuses one that says nothing, but for `{}`. */
const isFilter = (given: unknown): boolean =>
  given !== undefined && given !== null && !(isRecord(given) && Object.keys(given).length === 0);
