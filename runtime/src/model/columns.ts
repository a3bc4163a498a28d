import type { Catalog, Column, Representation } from '../catalog/catalog.js';
import type { ColumnDescriptor, ColumnType } from '../descriptor/descriptor.js';
import { outputType, sharedFilterName } from '../schema/graphql-type.js';
import { isOrderable } from '../schema/orderable.js';
import { described } from './description.js';
import type { ColumnModel } from './model.js';
import type { Patterns } from './patterns.js';
import type { ScopedTable } from './scope.js';
import { domainFacts, domainOf, type TypeResolver } from './types.js';
import { isView } from './views.js';

export interface ColumnContext {
  readonly catalog: Catalog;
  readonly resolve: TypeResolver;
  readonly notNull: Patterns;
  readonly optional: Patterns;
}

/** A column with its name and its filter input settled. */
export function buildColumn(
  context: ColumnContext,
  table: ScopedTable,
  column: Column,
  names: { readonly field: string; readonly filter: string | undefined },
): ColumnModel {
  const type = context.resolve(column.type);
  const domain = domainFacts(context.catalog, column.type);
  const { schema, name } = table.facts;
  const isKey = isView(table.facts) && table.rowKey?.includes(column.name) === true;
  const forced = context.notNull.matches(schema, name, column.name);
  const nullable = column.nullable && !forced && !isKey && !(domain.notNull && !isView(table.facts));
  return {
    descriptor: describe(table, column, type, {
      nullable,
      field: names.field,
      // A new row of a view may leave its key to the table behind it.
      hasDefault: domain.hasDefault || (isKey && table.facts.insertable),
      filled: context.optional.matches(schema, name, column.name),
      filter: names.filter,
      representation: domainOf(context.catalog, column.type)?.representation,
    }),
    field: names.field,
    graphql: outputType(type),
    nullable,
    filter: names.filter ?? sharedFilterName(type),
    orderable: isOrderable(type),
    databaseType: column.type.formatted,
    comment: column.comment,
  };
}

function describe(
  table: ScopedTable,
  column: Column,
  type: ColumnType,
  facts: {
    readonly nullable: boolean;
    readonly field: string;
    readonly hasDefault: boolean;
    readonly filled: boolean;
    readonly filter: string | undefined;
    readonly representation: Representation | undefined;
  },
): ColumnDescriptor {
  const { insertable, updatable } = table.facts;
  const generated = column.generated !== null || column.identity === 'always';
  const readOnly = generated || ((insertable || updatable) && !column.updatable);
  const routes = table.facts.routingColumns?.includes(column.name) === true;
  const hasDefault = column.default !== null || column.identity !== null || facts.hasDefault;
  return {
    name: column.name,
    ...(facts.field === column.name ? {} : { field: facts.field }),
    type,
    ...(facts.nullable ? { nullable: true as const } : {}),
    ...(hasDefault ? { hasDefault: true as const } : {}),
    ...(facts.filled && !facts.nullable && !hasDefault && !readOnly ? { filled: true as const } : {}),
    ...(readOnly ? { readOnly: true as const } : {}),
    ...(updatable && !readOnly && routes ? { insertOnly: true as const } : {}),
    ...(facts.filter === undefined ? {} : { filter: facts.filter }),
    ...(facts.representation === undefined ? {} : { representation: facts.representation }),
    ...described(column.comment),
  };
}
