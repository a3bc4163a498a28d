import type { SchemaModel, TableModel } from '@tablewright/runtime/model';
import { descriptorName, routesName, type EmitContext } from '../context.js';
import { mediaHandlersEntry } from '../media-handlers.js';
import { Imports, printFile } from '../source/file.js';
import { array, docComment, tallObject, type Entry } from '../source/typescript.js';
import { runtimeModule } from '../source/runtime-module.js';

/** `index.ts` of a schema: lists its tables, resolvers and other parts. */
export function emitSchemaIndex(context: EmitContext, schema: SchemaModel): string {
  const { model } = context;
  const imports = new Imports();
  imports.type('GeneratedSchema', runtimeModule);
  const tables = model.tables.filter((table) => table.descriptor.schema === schema.name);
  const from = (table: TableModel, name: string): string => imports.value(name, `./${table.file}.table.js`);
  const has = (parts: readonly { readonly descriptor: { readonly schema: string } }[]): boolean =>
    parts.some((part) => part.descriptor.schema === schema.name);
  const lists: readonly (readonly [string, boolean])[] = [
    ['enums', has(model.enums)],
    ['composites', has(model.composites)],
    ['procedures', has(model.procedures)],
    ['functions', has(model.functions)],
    ['callable', has((model.callable ?? []).map((descriptor) => ({ descriptor })))],
  ];
  const resolvers = tables
    .filter((table) => table.graphql)
    .map((table) => from(table, `${table.descriptor.type}Resolver`));
  const called = [
    ...(has(model.procedures) ? [imports.value('ProceduresResolver', './procedures.js')] : []),
    ...(has(model.functions) ? [imports.value('FunctionsResolver', './functions.js')] : []),
  ];
  const entries: readonly Entry[] = [
    ['tables', array(tables.map((table) => from(table, descriptorName(table))))],
    // A tuple, because TypeScript computes one type for the elements of an array, for which it
    // compares every class with every other.
    ['resolvers', [array([...resolvers, ...called]), ' as const']],
    ['routes', array(tables.map((table) => from(table, routesName(context, table))))],
    // Without the member the server would take the functions that GraphQL has.
    ...(model.callable?.length === 0 && has(model.functions) ? [['callable', '[]'] as const] : []),
    ...lists.flatMap(([name, present]): readonly Entry[] =>
      present ? [[name, imports.value(name, `./${name}.js`)]] : [],
    ),
    ...mediaHandlersEntry(model.mediaHandlers?.filter((each) => each.schema === schema.name)),
  ];
  return printFile(`schema ${schema.name}`, imports, [
    [
      docComment(schema.comment ?? ''),
      `export const ${schema.identifier}: GeneratedSchema = `,
      tallObject(entries),
      ';',
    ],
  ]);
}
