import { type TableDefinitions, type TableModel, hasVector } from '@tablewright/runtime/model';
import { descriptorName } from '../context.js';
import { methodsDoc } from '../graphql/method.js';
import type { Scope } from '../graphql/modules.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { call, callWithObject, docComment, type Entry } from '../source/typescript.js';

/** Source: engine.ts in the runtime's endpoint/graphql. */
export const whenCalled =
  'Called when a guard, middleware or field of yours has a part; otherwise one SQL statement answers the document.';

/** The resolver class: the root fields of the table, each of which is one call of the runtime. */
export function resolverDoc(scope: Scope, table: TableModel, definitions: TableDefinitions): Doc {
  const { type } = table.descriptor;
  const { imports } = scope;
  const decorators = [
    call(`@${imports.value('Resolver', 'type-graphql')}`, [`() => ${scope.value(type)}`]),
    callWithObject(`@${imports.runtime('RootArguments')}`, [descriptorName(table)], vectorEntry(table)),
  ];
  const methods = methodsDoc(scope, [
    ...definitions.queries.map((definition) => ({ kind: 'Query' as const, definition })),
    ...definitions.writes.mutations.map((definition) => ({ kind: 'Mutation' as const, definition })),
  ]);
  return [
    docComment(whenCalled),
    decorators.map((each) => [each, hardline]),
    `export class ${type}Resolver {`,
    indent(methods),
    hardline,
    '}',
  ];
}

const vectorEntry = (table: TableModel): readonly Entry[] => (hasVector(table) ? [['vector', 'true']] : []);
