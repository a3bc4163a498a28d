import { isObjectType, type GraphQLNamedType } from 'graphql';

/** The ends of the names of inputs whose fields are the columns of a table. */
export const rowInputs = ['CreateInput', 'UpdateInput'] as const;

/** A field of an input, or its configuration. */
interface Described {
  description?: string | null | undefined;
}

type TypeOf = (name: string) => GraphQLNamedType | undefined;

/**
 * Adds the descriptions of columns to the fields of an input of rows. The table's object type has
 * the descriptions, so that generated files contain each of them once. Other inputs stay unchanged.
 */
export function describeInput<Field extends Described>(
  input: string,
  fields: Record<string, Field>,
  typeOf: TypeOf,
): void {
  const end = rowInputs.find((each) => input.endsWith(each));
  const table = end === undefined ? undefined : typeOf(input.slice(0, -end.length));
  if (!isObjectType(table)) return;
  const columns = table.getFields();
  for (const [name, field] of Object.entries(fields)) {
    const description = field.description ?? columns[name]?.description;
    if (description !== field.description) field.description = description;
  }
}
