import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  parse,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type FieldNode,
  type GraphQLSchema,
  type NameNode,
  type NamedTypeNode,
} from 'graphql';
import type { Edit } from './edits.js';
import type { GraphqlRenames } from './names.js';

/** What follows the renames in one GraphQL text. Places are offsets in the text. */
export interface GraphqlEdits {
  readonly edits: readonly Edit[];
  readonly left: readonly { readonly start: number; readonly message: string }[];
}

/**
 * Finds the places to rewrite in a GraphQL text: fields, fields of inputs, enum values and types. A
 * field keeps its old name as its alias, so that code that reads the answer needs no change. Values
 * of variables are outside the text; the user has to change them. Throws GraphQLError if the text
 * is not GraphQL.
 */
export function followGraphql(text: string, schema: GraphQLSchema, { types, members }: GraphqlRenames): GraphqlEdits {
  const edits: Edit[] = [];
  const left: { start: number; message: string }[] = [];
  const replace = (name: NameNode | undefined, by: string): void => {
    if (name?.loc !== undefined) edits.push({ start: name.loc.start, end: name.loc.end, by });
  };
  const affected = affectedTypes(members);
  const info = new TypeInfo(schema);
  visit(
    parse(text),
    visitWithTypeInfo(info, {
      Field: (node) => {
        const to = members.get(`${info.getParentType()?.name ?? ''}.${node.name.value}`);
        if (to !== undefined) edits.push(...newField(node, to));
        const type = info.getType();
        const named = type ? getNamedType(type) : undefined;
        if (!isEnumType(named) || !affected.has(named.name)) return;
        left.push({
          start: node.loc?.start ?? 0,
          message: `${node.name.value} answers other values of ${named.name}.`,
        });
      },
      ObjectField: (node) => {
        const type = info.getParentInputType();
        const to = members.get(`${type ? getNamedType(type).name : ''}.${node.name.value}`);
        if (to !== undefined) replace(node.name, to);
      },
      EnumValue: (node) => {
        const type = info.getInputType();
        const to = members.get(`${type ? getNamedType(type).name : ''}.${node.value}`);
        if (to !== undefined && node.loc !== undefined)
          edits.push({ start: node.loc.start, end: node.loc.end, by: to });
      },
      NamedType: (node: NamedTypeNode) => {
        const to = types.get(node.name.value);
        if (to !== undefined) replace(node.name, to);
      },
      VariableDefinition: (node) => {
        const type = info.getInputType();
        const named = type ? getNamedType(type) : undefined;
        if (named === undefined || !reaches(named, affected)) return;
        const name = node.variable.name.value;
        left.push({
          start: node.loc?.start ?? 0,
          message: `The values of $${name} come from elsewhere, and ${named.name} has other names.`,
        });
      },
    }),
  );
  return { edits, left };
}

/** The answer keeps its key: the alias, or the old name as the alias. */
function newField({ name, alias }: FieldNode, to: string): readonly Edit[] {
  if (name.loc === undefined) return [];
  const { start, end } = name.loc;
  if (alias?.value === to) return [{ start: alias.loc?.start ?? start, end, by: to }];
  return [{ start, end, by: alias === undefined ? `${name.value}: ${to}` : to }];
}

/** Types of which a member has another name. */
const affectedTypes = (members: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...members.keys()].map((key) => key.slice(0, key.indexOf('.'))));

function reaches(type: unknown, affected: ReadonlySet<string>): boolean {
  return (isInputObjectType(type) || isEnumType(type)) && affected.has(type.name);
}
