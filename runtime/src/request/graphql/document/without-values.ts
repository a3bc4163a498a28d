import {
  isInputObjectType,
  getNamedType,
  Kind,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import type { Operation } from './documents.js';

/**
 * The text of an operation with its fragments and without the values that are written in it:
 * strings are empty, numbers 0, a JSON object has no members. Names of fields, arguments, variables
 * and enum values stay. One line.
 */
export function withoutValues({ node, fragments }: Operation, schema: GraphQLSchema): string {
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [node, ...fragments.values()] };
  const info = new TypeInfo(schema);
  const cleared = visit(
    document,
    visitWithTypeInfo(info, {
      StringValue: (value) => ({ ...value, value: '', block: false }),
      IntValue: (value) => ({ ...value, value: '0' }),
      FloatValue: (value) => ({ ...value, value: '0' }),
      ObjectValue: (value) => {
        const type = info.getInputType();
        // The keys of a JSON value are the client's own.
        return type && isInputObjectType(getNamedType(type)) ? undefined : { ...value, fields: [] };
      },
      // Descriptions and comments are of no use either; a list says as much with one value as with
      // many.
      ListValue: {
        leave: (value) => ({ ...value, values: value.values.filter((each, at) => at === 0 || !isPlain(each.kind)) }),
      },
    }),
  );
  return print(cleared).replace(/\s*\n\s*/g, ' ');
}

const isPlain = (kind: Kind): boolean => kind === Kind.STRING || kind === Kind.INT || kind === Kind.FLOAT;
