import {
  getNamedType,
  Kind,
  NoUnusedFragmentsRule,
  specifiedRules,
  TypeInfo,
  validate,
  visit,
  visitWithTypeInfo,
  type ASTNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { ComparedApis } from '../compare.js';
import type { GraphqlChange } from '../graphql-changes.js';
import type { BrokenOperation } from './recorded.js';

/** What documents are checked against. */
type SchemaPair = Pick<ComparedApis, 'schemas' | 'graphql'>;

/**
 * The operations that break: those with an error under the new schema that they did not have under
 * the old schema, and those that use a field whose type has changed in a breaking way. An operation
 * that was never valid cannot break: it may use fields of the user's resolvers, which the generated
 * schema does not have.
 */
export function brokenOperations(documents: readonly DocumentNode[], pair: SchemaPair): readonly BrokenOperation[] {
  const fragments = new Map(
    documents
      .flatMap(({ definitions }) => definitions)
      .filter((each) => each.kind === Kind.FRAGMENT_DEFINITION)
      .map((each) => [each.name.value, each]),
  );
  const retyped = retypedFields(pair.graphql);
  return documents
    .flatMap(({ definitions }) => definitions)
    .filter((each) => each.kind === Kind.OPERATION_DEFINITION)
    .flatMap((operation) => problemsOf(operation, fragments, pair, retyped));
}

const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule);

function problemsOf(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
  { schemas }: SchemaPair,
  retyped: ReadonlyMap<string, string>,
): readonly BrokenOperation[] {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation, ...usedBy(operation, fragments)] };
  const errorsIn = (schema: GraphQLSchema) => validate(schema, document, rules, { maxErrors: 1000 });
  const known = new Set(errorsIn(schemas.before).map((error) => keyOf(error.message, error.nodes?.[0])));
  const found = new Map<string, BrokenOperation>();
  const add = (message: string, node: ASTNode | undefined): void => {
    const place = {
      ...placeOf(node ?? operation),
      protocol: 'graphql' as const,
      operation: titleOf(operation),
      begins: placeOf(operation),
      message,
    };
    found.set(`${place.file} ${String(place.line)} ${message}`, place);
  };
  for (const { message, nodes } of errorsIn(schemas.after)) {
    // A suggestion may be another than before.
    if (!known.has(keyOf(message, nodes?.[0]))) add(message, nodes?.[0]);
  }
  if (retyped.size > 0) visitRetyped(document, schemas.before, retyped, add);
  return [...found.values()];
}

const keyOf = (message: string, node: ASTNode | undefined): string =>
  `${String(node?.loc?.start)} ${message.replace(/ Did you mean .*$/, '')}`;

/**
 * Fields whose answers have another type: documents that select them stay valid, and their clients
 * expect something else.
 */
const retypedFields = (changes: readonly GraphqlChange[]): ReadonlyMap<string, string> =>
  new Map(
    changes
      .filter(({ severity, code }) => severity === 'breaking' && code === 'FIELD_CHANGED_KIND')
      .map(({ type, member, description }) => [`${type ?? ''}.${member ?? ''}`, description]),
  );

function visitRetyped(
  document: DocumentNode,
  schema: GraphQLSchema,
  retyped: ReadonlyMap<string, string>,
  add: (message: string, node: ASTNode) => void,
): void {
  const info = new TypeInfo(schema);
  const report = (type: string | undefined, name: string, node: ASTNode): void => {
    const description = retyped.get(`${type ?? ''}.${name}`);
    if (description !== undefined) add(description, node);
  };
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (node) => {
        report(info.getParentType()?.name, node.name.value, node);
      },
      ObjectField: (node) => {
        const type = info.getParentInputType();
        report(type ? getNamedType(type).name : undefined, node.name.value, node);
      },
    }),
  );
}

/** The fragments that an operation uses, from all files. */
function usedBy(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
): readonly FragmentDefinitionNode[] {
  const used = new Map<string, FragmentDefinitionNode>();
  const follow = (node: ASTNode): void => {
    visit(node, {
      FragmentSpread: ({ name: { value } }) => {
        const fragment = fragments.get(value);
        if (fragment === undefined || used.has(value)) return;
        used.set(value, fragment);
        follow(fragment);
      },
    });
  };
  follow(operation);
  return [...used.values()];
}

/** `query Board`, or `query kanbanIssues` of an operation without a name. */
export function titleOf({ operation, name, selectionSet }: OperationDefinitionNode): string {
  const fields = selectionSet.selections.map((each) => (each.kind === Kind.FIELD ? each.name.value : '…'));
  return `${operation} ${name?.value ?? `{ ${fields.join(' ')} }`}`;
}

/** Where in which file a node is. */
export function placeOf({ loc }: ASTNode): Pick<BrokenOperation, 'file' | 'line'> {
  if (loc === undefined) return { file: '', line: 1 };
  const { name, locationOffset } = loc.source;
  return { file: name, line: loc.startToken.line + locationOffset.line - 1 };
}
