import type { TableModel } from '../../model/model.js';
import type { QueryDefinition } from '../graphql/definition.js';
import { methodsDoc } from '../graphql/method.js';
import type { Scope } from '../graphql/modules.js';
import type { TableDefinitions } from '../graphql/table.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { call } from '../source/typescript.js';

/** The resolver class: the root fields of the table, one line into the runtime each. */
export function resolverDoc(scope: Scope, table: TableModel, definitions: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const decorator = call(`@${scope.imports.value('Resolver', 'type-graphql')}`, [`() => ${scope.value(type)}`]);
  const methods = methodsDoc(scope, [
    ...definitions.queries.map((definition) => ({
      kind: 'Query' as const,
      definition,
      comment: commentOf(table, definition),
    })),
    ...definitions.writes.mutations.map((definition) => ({
      kind: 'Mutation' as const,
      definition,
      comment: commentOf(table, definition),
    })),
  ]);
  return [decorator, hardline, `export class ${type}Resolver {`, indent(methods), hardline, '}'];
}

function commentOf(table: TableModel, definition: QueryDefinition): string {
  const { fields } = table;
  const name = `${table.descriptor.schema}.${table.descriptor.name}`;
  switch (definition.name) {
    case fields.byPk:
      return `The row of ${name} with this primary key.`;
    case fields.connection:
      return `Rows of ${name}, page by page.`;
    case fields.aggregate:
      return `Figures over rows of ${name}.`;
    case fields.create:
      return `Inserts a row into ${name}.`;
    case fields.createMany:
      return `Inserts rows into ${name}.`;
    case fields.update:
      return `Updates rows of ${name}.`;
    case fields.delete:
      return `Deletes rows of ${name}.`;
    default:
      return table.comment ?? `Rows of ${name}.`;
  }
}
