import { aggregateField, functionFields, rootFields } from '../descriptor/names.js';
import { hasNodes, nodeFields } from '../descriptor/node-id.js';
import { fieldOf, type Registry, type Table } from '../descriptor/registry.js';

/**
 * The fields of an object type that the database answers; undefined: all of them. Every other field
 * belongs to the user's code.
 */
export function generatedFields(type: string, registry: Registry): ReadonlySet<string> | undefined {
  const composite = registry.composites.get(type);
  if (composite !== undefined) return new Set(composite.attributes.map(fieldOf));
  const table = registry.tableByType.get(type);
  return table === undefined ? undefined : tableFields(table);
}

/** The names of all root fields that tables, procedures and functions may have. */
export const generatedRoots = (registry: Registry): ReadonlySet<string> =>
  new Set([
    ...registry.tables.flatMap((table) => Object.values(rootFields(table))),
    ...registry.procedures.keys(),
    ...[...registry.functions.values()].flatMap(functionFields),
    ...(hasNodes(registry) ? Object.values(nodeFields) : []),
  ]);

function tableFields(table: Table): ReadonlySet<string> {
  const relations = table.relations ?? [];
  return new Set([
    ...(table.nodeId === undefined ? [] : [table.nodeId]),
    ...table.columns.map(fieldOf),
    ...(table.computed ?? []).map(({ name }) => name),
    ...relations.map(({ name }) => name),
    ...relations.filter(({ cardinality }) => cardinality === 'many').map(({ name }) => aggregateField(name)),
  ]);
}
