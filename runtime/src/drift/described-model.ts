import { rootFields } from '../descriptor/names.js';
import { fieldOf, type Descriptors } from '../descriptor/registry.js';
import type { ColumnDescriptor } from '../descriptor/descriptor.js';
import type { DescribedModel } from '../model/api-change.js';
import type { ColumnModel } from '../model/model.js';

/** The part of a model that descriptors contain: enough to list the changes for clients. */
export function describeDescriptors({
  tables,
  enums = [],
  composites = [],
  procedures = [],
  functions = [],
}: Descriptors): DescribedModel {
  const rest = { folder: '', comment: null };
  return {
    schemas: [],
    tables: tables.map((descriptor) => ({
      descriptor,
      ...rest,
      file: '',
      graphql: descriptor.columns.length > 0,
      fields: rootFields(descriptor),
      columns: descriptor.columns.map(columnOf),
      relations: [],
      computed: [],
      orderable: false,
    })),
    enums: enums.map((descriptor) => ({
      descriptor,
      ...rest,
      values: descriptor.values.map(({ label, name }) => name ?? label),
    })),
    composites: composites.map((descriptor) => ({ descriptor, ...rest, attributes: [] })),
    procedures: procedures.map((descriptor) => ({ descriptor, ...rest })),
    functions: functions.map((descriptor) => ({ descriptor, ...rest })),
    ranges: [],
    filters: [],
    vector: false,
    options: {},
    excluded: [],
    warnings: [],
  };
}

const columnOf = (descriptor: ColumnDescriptor): ColumnModel => ({
  descriptor,
  field: fieldOf(descriptor),
  graphql: { name: '', depth: 0 },
  nullable: descriptor.nullable === true,
  filter: '',
  orderable: false,
  databaseType: `${descriptor.type.sql.name}${descriptor.type.sql.array === true ? '[]' : ''}`,
  comment: null,
});
