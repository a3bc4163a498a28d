import { isInputObjectType, isObjectType, type GraphQLSchema } from 'graphql';

/** The ends of the names of inputs whose fields are the columns of a table. */
export const rowInputs = ['CreateInput', 'UpdateInput'] as const;

/**
 * Gives the inputs of rows the descriptions of their columns, which the table's object type has: generated files say each only once.
 * Changes the schema that it is given.
 */
export function describeInputs(schema: GraphQLSchema): void {
  const types = schema.getTypeMap();
  for (const type of Object.values(types)) {
    const end = rowInputs.find((each) => type.name.endsWith(each));
    const table = end === undefined ? undefined : types[type.name.slice(0, -end.length)];
    if (!isInputObjectType(type) || !isObjectType(table)) continue;
    const columns = table.getFields();
    const fields = type.getFields();
    for (const [name, field] of Object.entries(fields)) {
      const description = field.description ?? columns[name]?.description;
      // A copy: tables share fields of the same name and type.
      if (description !== field.description) fields[name] = { ...field, description };
    }
  }
}
