import type { TableModel } from '../../model/model.js';
import { sourceOf, type EmitContext } from '../context.js';
import { fieldOptions, typeText, typeThunk } from '../graphql/classes.js';
import type { QueryDefinition } from '../graphql/definition.js';
import { Scope } from '../graphql/modules.js';
import type { TableDefinitions } from '../graphql/table.js';
import { group, hardline, ifBroken, indent, join, line, softline, type Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { call, callWithObject, docComment, string } from '../source/typescript.js';

/** `<table>.resolver.ts`: the root fields of the table, one line into the runtime each. */
export function emitResolver(context: EmitContext, table: TableModel, definitions: TableDefinitions): string {
  const imports = new Imports();
  const scope = new Scope(context.homes, `${table.folder}/${table.file}.resolver`, imports);
  const { type } = table.descriptor;
  const decorator = call(`@${imports.value('Resolver', 'type-graphql')}`, [`() => ${scope.value(type)}`]);
  const methods = definitions.queries.map((query, at) => [
    at === 0 ? hardline : [hardline, hardline],
    docComment(commentOf(table, query)),
    method(scope, query),
  ]);
  return printFile(sourceOf(table), imports, [
    [decorator, hardline, `export class ${type}Resolver {`, indent(methods), hardline, '}'],
  ]);
}

function commentOf(table: TableModel, query: QueryDefinition): string {
  const { fields } = table;
  const name = `${table.descriptor.schema}.${table.descriptor.name}`;
  switch (query.name) {
    case fields.byPk:
      return `The row of ${name} with this primary key.`;
    case fields.connection:
      return `Rows of ${name}, page by page.`;
    case fields.aggregate:
      return `Figures over rows of ${name}.`;
    default:
      return table.comment ?? `Rows of ${name}.`;
  }
}

function method(scope: Scope, query: QueryDefinition): Doc {
  const { imports } = scope;
  const decorator = imports.value('Query', 'type-graphql');
  const parameters: readonly Doc[] = [
    ...argumentsOf(scope, query),
    `@${imports.value('Ctx', 'type-graphql')}() ctx: ${imports.type('Context', scope.pathTo('runtime/graphql'))}`,
    `@${imports.value('Info', 'type-graphql')}() info: ${imports.type('Field', scope.pathTo('runtime/graphql'))}`,
  ];
  const list = [indent([softline, join([',', line], parameters)]), ifBroken(','), softline];
  return [
    [callWithObject(`@${decorator}`, [typeThunk(scope, query)], fieldOptions(query)), hardline],
    [group([query.name, '(', ...list, `): Promise<${typeText(scope, query)}>`]), ' {'],
    [indent([hardline, 'return ctx.read(info);']), hardline, '}'],
  ];
}

function argumentsOf(scope: Scope, query: QueryDefinition): readonly Doc[] {
  const { imports } = scope;
  if (query.arguments !== undefined) {
    const type = scope.value(query.arguments);
    return [group([call(`@${imports.value('Args', 'type-graphql')}`, [`() => ${type}`]), line, `_args: ${type}`])];
  }
  return query.inline.map((argument) => {
    const decorator = call(`@${imports.value('Arg', 'type-graphql')}`, [
      string(argument.name),
      typeThunk(scope, argument),
    ]);
    return group([decorator, line, `_${argument.name}: ${typeText(scope, argument)}`]);
  });
}
