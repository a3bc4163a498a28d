import type { FunctionDescriptor, Model, SchemaModel } from '@tablewright/runtime/model';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, objects, string, tallObject, type Entry } from '../source/typescript.js';
import { typeExpression } from '../vocabulary.js';
import { argumentEntries } from './procedures.js';

/**
 * `callable.ts`: the functions of a schema that PostgREST's form calls without configuration.
 * Undefined if there are none.
 */
export function emitCallable(model: Model, schema: SchemaModel): string | undefined {
  const functions = (model.callable ?? []).filter((each) => each.schema === schema.name);
  if (functions.length === 0) return undefined;
  const imports = new Imports(model.dialect);
  const descriptors = array(functions.map((each) => descriptorOf(each, imports)));
  return printFile(`the functions of schema ${schema.name}`, imports, [
    [`export const callable: readonly ${imports.runtime('FunctionDescriptor')}[] = `, descriptors, ';'],
  ]);
}

function descriptorOf(called: FunctionDescriptor, imports: Imports): Doc {
  const { field, operation, schema, name, returnsSet, table, returns, columns, media, securityDefiner } = called;
  const members = columns?.map((each): readonly Entry[] => [
    ['name', string(each.name)],
    ['type', typeExpression(each.type, imports)],
  ]);
  return tallObject([
    ['field', string(field)],
    ['operation', string(operation)],
    ['schema', string(schema)],
    ['name', string(name)],
    ['arguments', objects(called.arguments.map((each) => argumentEntries(each, imports)))],
    ...(returnsSet === true ? [['returnsSet', 'true'] as const] : []),
    ...(table === undefined ? [] : [['table', string(table)] as const]),
    ...(returns === undefined ? [] : [['returns', typeExpression(returns, imports)] as const]),
    ...(members === undefined ? [] : [['columns', objects(members)] as const]),
    ...(media === undefined ? [] : [['media', string(media)] as const]),
    ...(securityDefiner === true ? [['securityDefiner', 'true'] as const] : []),
  ]);
}
