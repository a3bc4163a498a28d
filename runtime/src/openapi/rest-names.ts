import type {
  ArgumentDescriptor,
  ComputedDescriptor,
  TableDescriptor,
  UniqueDescriptor,
} from '../descriptor/descriptor.js';
import { restNamesBy } from '../descriptor/naming.js';
import { fieldOf } from '../descriptor/registry.js';
import type { ColumnModel, Model, TableModel } from '../model/model.js';

/**
 * The model with the names of REST. If columns, attributes and arguments are in camel case, their
 * fields replace the database's names, so that the description matches the API. Otherwise the model
 * itself.
 */
export function withRestNames(model: Model): Model {
  if (restNamesBy(model.options) === 'database') return model;
  return {
    ...model,
    tables: model.tables.map(renamedTable),
    composites: model.composites.map((each) => ({
      ...each,
      descriptor: { ...each.descriptor, attributes: each.descriptor.attributes.map(named) },
    })),
    functions: model.functions.map((each) => ({
      ...each,
      descriptor: { ...each.descriptor, arguments: each.descriptor.arguments.map(named) },
    })),
  };
}

function renamedTable(table: TableModel): TableModel {
  const { descriptor } = table;
  const fields = new Map(descriptor.columns.map((column) => [column.name, fieldOf(column)]));
  const renamed = (names: readonly string[]): readonly string[] => names.map((name) => fields.get(name) ?? name);
  const key = (unique: UniqueDescriptor): UniqueDescriptor => ({ ...unique, columns: renamed(unique.columns) });
  const { primaryKey, rowKey, uniques, unmergedKeys, computed } = descriptor;
  const keys: Partial<TableDescriptor> = {
    ...(primaryKey === undefined ? {} : { primaryKey: key(primaryKey) }),
    ...(rowKey === undefined ? {} : { rowKey: renamed(rowKey) }),
    ...(uniques === undefined ? {} : { uniques: uniques.map(key) }),
    ...(unmergedKeys === undefined ? {} : { unmergedKeys: unmergedKeys.map(renamed) }),
  };
  return {
    ...table,
    descriptor: {
      ...descriptor,
      columns: descriptor.columns.map(named),
      ...(descriptor.writeOnly && { writeOnly: descriptor.writeOnly.map(named) }),
      ...keys,
      ...(computed === undefined ? {} : { computed: computed.map(withArguments) }),
    },
    columns: table.columns.map(renamedColumn),
    ...(table.writeOnly && { writeOnly: table.writeOnly.map(renamedColumn) }),
  };
}

const renamedColumn = (column: ColumnModel): ColumnModel => ({ ...column, descriptor: named(column.descriptor) });

const withArguments = (each: ComputedDescriptor): ComputedDescriptor =>
  each.arguments === undefined ? each : { ...each, arguments: each.arguments.map(named) };

/** By its field, which is its name now. */
function named<T extends Pick<ArgumentDescriptor, 'name' | 'field'>>({ field, ...item }: T): Omit<T, 'field'> & T {
  return { ...item, name: field ?? item.name } as Omit<T, 'field'> & T;
}
