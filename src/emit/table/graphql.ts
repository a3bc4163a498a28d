import type { TableModel } from '../../model/model.js';
import { descriptorName, sourceOf, type EmitContext } from '../context.js';
import { classOf } from '../graphql/classes.js';
import { Scope } from '../graphql/modules.js';
import type { TableDefinitions } from '../graphql/table.js';
import { group, ifBroken, indent, join, line, type Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';

/** `<table>.graphql.ts`: the TypeGraphQL classes of the table. */
export function emitGraphql(context: EmitContext, table: TableModel, definitions: TableDefinitions): string {
  const imports = new Imports();
  const scope = new Scope(context.homes, `${table.folder}/${table.file}.graphql`, imports);
  const classes = definitions.classes.map((definition) => classOf(scope, definition));
  return printFile(sourceOf(table), imports, [...classes, aggregates(scope, table, definitions)]);
}

function aggregates(scope: Scope, table: TableModel, definitions: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const helper = scope.imports.value('aggregateTypes', scope.pathTo('runtime/schema/aggregate'));
  const descriptor = scope.imports.value(descriptorName(table), scope.pathTo(`${table.folder}/${table.file}.table`));
  const groups = definitions.groupable.length > 0;
  const names = [
    `Aggregate: ${type}Aggregate`,
    ...(groups ? [`Having: ${type}HavingInput`, `Column: ${type}Column`] : []),
  ];
  return [
    group(['export const {', indent([line, join([',', line], names)]), ifBroken(','), line, '}']),
    ` = ${helper}(${descriptor});`,
  ];
}
