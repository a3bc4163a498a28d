import { sharedTypes } from '../../schema/shared-types.js';
import { descriptorsOf } from '../descriptors.js';
import type { ColumnModel, Model, TableModel } from '../model.js';
import { withAttributes } from '../user-types.js';
import { descriptorsForRole, type RoleLimits } from './descriptors-for-role.js';

/** The model that a role may use, by its rights and by the rules among the model's options. */
export function modelForRole(model: Model, { role, rights }: Omit<RoleLimits, 'rules'>): Model {
  const { rules, ...options } = model.options;
  const all = { ...descriptorsOf(model), ...(rules === undefined ? {} : { rules }) };
  const some = descriptorsForRole(all, { role, rights, rules });
  if (some === all) return rules === undefined ? model : { ...model, options };
  const tables = keptOf(model.tables, some.tables).map(([table, descriptor]): TableModel => {
    const columns = (of: TableModel['descriptor']['columns']): readonly ColumnModel[] =>
      of.flatMap((column) => {
        const found = table.columns.find((each) => each.descriptor.name === column.name);
        return found === undefined ? [] : [{ ...found, descriptor: column }];
      });
    const { writeOnly } = descriptor;
    return {
      ...table,
      descriptor,
      columns: columns(descriptor.columns),
      ...(writeOnly && { writeOnly: columns(writeOnly) }),
      graphql: descriptor.columns.length > 0,
      relations: table.relations.filter((each) => descriptor.relations?.includes(each.descriptor) === true),
      computed: table.computed.filter(({ field }) => descriptor.computed?.some(({ name }) => name === field) === true),
    };
  });
  const only = <T extends { readonly descriptor: object }>(items: readonly T[], kept: readonly object[]): T[] =>
    items.filter(({ descriptor }) => kept.includes(descriptor));
  const objects = {
    tables,
    enums: only(model.enums, some.enums),
    composites: some.composites.flatMap((descriptor) => {
      const found = model.composites.find((each) => each.descriptor.type === descriptor.type);
      return found === undefined ? [] : [withAttributes(found, descriptor.attributes)];
    }),
    procedures: only(model.procedures, some.procedures),
    functions: only(model.functions, some.functions),
  };
  const used = new Set([
    ...Object.values(objects)
      .flat()
      .map(({ descriptor }) => descriptor.schema),
  ]);
  const [{ operators } = { operators: new Set<string>() }] = model.filters;
  const { ranges, filters } = sharedTypes({ ...some, callable: [] }, operators);
  return {
    ...model,
    ...objects,
    ...(some.callable === undefined ? {} : { callable: some.callable }),
    ...(some.mediaHandlers === undefined ? {} : { mediaHandlers: some.mediaHandlers }),
    schemas: model.schemas.filter(({ name }) => used.has(name)),
    ranges,
    filters,
    options,
    excluded: [],
    warnings: [],
  };
}

/** The items whose descriptors are kept, with these. */
function keptOf<D extends { readonly field: string }, T extends { readonly descriptor: D }>(
  items: readonly T[],
  kept: readonly D[],
): readonly (readonly [T, D])[] {
  const byField = new Map(kept.map((each) => [each.field, each]));
  return items.flatMap((item) => {
    const found = byField.get(item.descriptor.field);
    return found === undefined ? [] : [[item, found] as const];
  });
}
