import {
  type AnsweredSet,
  type FunctionModel,
  type SchemaModel,
  compositesOf,
  functionFields,
} from '@tablewright/runtime/model';
import type { EmitContext } from '../context.js';
import { resolverDoc } from '../graphql/method.js';
import { Scope } from '../graphql/modules.js';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, objects, string, tallObject, type Entry } from '../source/typescript.js';
import { descriptionEntry } from '../description-entry.js';
import { typeExpression } from '../vocabulary.js';
import { argumentEntries } from './procedures.js';

/**
 * `functions.ts`: the functions of a schema that the configuration lists. Undefined if there are
 * none.
 */
export function emitFunctions(context: EmitContext, schema: SchemaModel): string | undefined {
  const { model, homes } = context;
  const functions = model.functions.filter((each) => each.descriptor.schema === schema.name);
  if (functions.length === 0) return undefined;
  const imports = new Imports(model.dialect);
  const descriptors = array(functions.map((each) => descriptorOf(each, imports)));
  return printFile(`the functions of schema ${schema.name}`, imports, [
    [`export const functions: readonly ${imports.runtime('FunctionDescriptor')}[] = `, descriptors, ';'],
    resolver(context, new Scope(homes, `${schema.folder}/functions`, imports), functions),
  ]);
}

function resolver({ tables, model }: EmitContext, scope: Scope, functions: readonly FunctionModel[]): Doc {
  const composites = compositesOf(model.composites.map(({ descriptor }) => descriptor));
  const methods = functions.flatMap(({ descriptor }) =>
    functionFields(descriptor, tables.get(descriptor.table ?? '')?.descriptor, composites).map((definition) => ({
      kind: descriptor.operation === 'query' ? ('Query' as const) : ('Mutation' as const),
      definition,
    })),
  );
  return resolverDoc(scope, 'FunctionsResolver', methods);
}

function descriptorOf({ descriptor }: FunctionModel, imports: Imports): Doc {
  const { field, operation, schema, name, returnsSet, table, returns, record, inputs, resultSet, sets } = descriptor;
  return tallObject([
    ['field', string(field)],
    ['operation', string(operation)],
    ['schema', string(schema)],
    ['name', string(name)],
    ...descriptionEntry(descriptor),
    ['arguments', objects(descriptor.arguments.map((each) => argumentEntries(each, imports)))],
    ...(returnsSet === true ? [['returnsSet', 'true'] as const] : []),
    ...(table === undefined ? [] : [['table', string(table)] as const]),
    ...(returns === undefined ? [] : [['returns', typeExpression(returns, imports)] as const]),
    ...(record === true ? [['record', 'true'] as const] : []),
    ...(inputs === undefined ? [] : [['inputs', string(inputs)] as const]),
    ...(resultSet === undefined ? [] : [['resultSet', array(resultSet.map(string))] as const]),
    ...(sets === undefined ? [] : [['sets', objects(sets.map((each) => setEntries(each, imports)))] as const]),
  ]);
}

function setEntries(set: AnsweredSet, imports: Imports): readonly Entry[] {
  if ('table' in set) return [['table', string(set.table)]];
  const columns = set.columns.map((each): readonly Entry[] => [
    ['name', string(each.name)],
    ['type', typeExpression(each.type, imports)],
  ]);
  return [['columns', objects(columns)]];
}
