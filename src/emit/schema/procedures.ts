import {
  type ArgumentDescriptor,
  type ProcedureModel,
  type SchemaModel,
  callMutation,
} from '@tablewright/runtime/model';
import type { EmitContext } from '../context.js';
import { resolverDoc } from '../graphql/method.js';
import { Scope } from '../graphql/modules.js';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, objects, string, tallObject, type Entry } from '../source/typescript.js';
import { descriptionEntry } from '../description-entry.js';
import { sqlTypeDoc } from '../dialects/literal.js';
import { typeExpression } from '../vocabulary.js';

/**
 * `procedures.ts`: the procedures of a schema. Undefined if
 * there are none.
 */
export function emitProcedures({ model, homes }: EmitContext, schema: SchemaModel): string | undefined {
  const procedures = model.procedures.filter((each) => each.descriptor.schema === schema.name);
  if (procedures.length === 0) return undefined;
  const imports = new Imports(model.dialect);
  const descriptors = array(procedures.map((each) => descriptorOf(each, imports)));
  return printFile(`the procedures of schema ${schema.name}`, imports, [
    resolver(new Scope(homes, `${schema.folder}/procedures`, imports), procedures),
    [`export const procedures: readonly ${imports.runtime('ProcedureDescriptor')}[] = `, descriptors, ';'],
  ]);
}

const resolver = (scope: Scope, procedures: readonly ProcedureModel[]): Doc =>
  resolverDoc(
    scope,
    'ProceduresResolver',
    procedures.map(({ descriptor, comment }) => ({
      kind: 'Mutation',
      definition: callMutation(descriptor),
      comment: comment ?? `Calls ${descriptor.schema}.${descriptor.name}.`,
    })),
  );

function descriptorOf({ descriptor }: ProcedureModel, imports: Imports): Doc {
  const parameters = descriptor.arguments.map((argument) => argumentEntries(argument, imports));
  return tallObject([
    ['field', string(descriptor.field)],
    ['kind', string(descriptor.kind)],
    ['schema', string(descriptor.schema)],
    ['name', string(descriptor.name)],
    ...descriptionEntry(descriptor),
    ['arguments', objects(parameters)],
  ]);
}

/** The entries of an argument of a procedure or a function. */
export const argumentEntries = (argument: ArgumentDescriptor, imports: Imports): readonly Entry[] => [
  ['name', string(argument.name)],
  ...(argument.field === undefined ? [] : [['field', string(argument.field)] as const]),
  ['mode', string(argument.mode)],
  ['type', typeExpression(argument.type, imports)],
  ...(argument.domain === undefined ? [] : [['domain', sqlTypeDoc(argument.domain)] as const]),
  ...(argument.hasDefault === true ? [['hasDefault', 'true'] as const] : []),
];
