import { type CompositeModel, type SchemaModel, compositeTypes } from '@tablewright/runtime/model';
import type { EmitContext } from '../context.js';
import { classOf } from '../graphql/classes.js';
import { Scope } from '../graphql/modules.js';
import type { Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, objects, string, tallObject, type Entry } from '../source/typescript.js';
import { descriptionEntry } from '../description-entry.js';
import { typeExpression } from '../vocabulary.js';

/**
 * `composites.ts`: the composite types of a schema. Undefined
 * if there are none.
 */
export function emitComposites(context: EmitContext, schema: SchemaModel): string | undefined {
  const composites = context.model.composites.filter((each) => each.descriptor.schema === schema.name);
  if (composites.length === 0) return undefined;
  const imports = new Imports(context.model.dialect);
  const scope = new Scope(context.homes, `${schema.folder}/composites`, imports);
  const classes = composites
    .flatMap(({ descriptor }) => compositeTypes(descriptor))
    .map((definition) => classOf(scope, definition));
  const descriptors = array(composites.map((each) => descriptorOf(each, imports)));
  return printFile(`the composite types of schema ${schema.name}`, imports, [
    ...classes,
    [`export const composites: readonly ${imports.runtime('CompositeDescriptor')}[] = `, descriptors, ';'],
  ]);
}

function descriptorOf({ descriptor }: CompositeModel, imports: Imports): Doc {
  const attributes = descriptor.attributes.map((attribute): readonly Entry[] => [
    ['name', string(attribute.name)],
    ...(attribute.field === undefined ? [] : [['field', string(attribute.field)] as const]),
    ['type', typeExpression(attribute.type, imports)],
    ...descriptionEntry(attribute),
  ]);
  return tallObject([
    ['type', string(descriptor.type)],
    ['schema', string(descriptor.schema)],
    ['name', string(descriptor.name)],
    ...descriptionEntry(descriptor),
    ['attributes', objects(attributes)],
    ...(descriptor.outputOnly === true ? [['outputOnly', 'true'] as const] : []),
  ]);
}
