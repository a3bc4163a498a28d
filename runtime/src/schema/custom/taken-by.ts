import { nodeType } from '../../descriptor/node-id.js';
import { fieldOf, type Registry } from '../../descriptor/registry.js';

/**
 * Describes, in terms of the database, the object that gives its name to a GraphQL type or field.
 */
export function takenBy(type: string, field: string | undefined, registry: Registry): string {
  const table = registry.tableByType.get(type);
  if (type === nodeType) return 'the interface of rows with a global identifier';
  if (field === undefined) {
    if (table !== undefined) return `the table ${table.schema}.${table.name}`;
    const named = registry.enums.get(type) ?? registry.composites.get(type);
    return named === undefined ? 'a generated type' : `the type ${named.schema}.${named.name}`;
  }
  const column = table?.columns.find((each) => fieldOf(each) === field);
  if (table !== undefined && column !== undefined) return `the column ${table.schema}.${table.name}.${column.name}`;
  const root = registry.table.get(field);
  if (root !== undefined) return `the table ${root.schema}.${root.name}`;
  return `the generated field ${type}.${field}`;
}
