import type { TableModel } from '@tablewright/runtime/model';
import { sourceOf, type EmitContext } from '../context.js';
import { moduleOf } from '../table-module.js';
import { Scope } from '../graphql/modules.js';
import { Imports, printFile } from '../source/file.js';
import { descriptorDoc } from './descriptor.js';
import { graphqlDocs } from './graphql.js';
import { routesDoc } from './rest.js';

/** `<table>.table.ts`: the descriptor, the GraphQL code and the REST routes of a table. */
export function emitTable(context: EmitContext, table: TableModel): string {
  const imports = new Imports(context.model.dialect);
  const scope = new Scope(context.homes, moduleOf(table), imports);
  const { field } = table.descriptor;
  const defined = context.definitions.get(field);
  const filters = context.model.filters.filter((each) => each.table === field);
  return printFile(sourceOf(table), imports, [
    descriptorDoc(table, imports),
    ...(defined === undefined ? [] : graphqlDocs(scope, table, defined, filters)),
    routesDoc(context, table, imports),
  ]);
}
