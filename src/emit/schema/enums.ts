import type { EnumModel, SchemaModel } from '../../model/model.js';
import type { EmitContext } from '../context.js';
import { description } from '../source/escape.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, callWithObject, docComment, objects, string, tallObject, type Entry } from '../source/typescript.js';

/** `enums.ts`: the enums of a schema, for TypeGraphQL and for the runtime. Undefined when there is none. */
export function emitEnums({ model }: EmitContext, schema: SchemaModel): string | undefined {
  const enums = model.enums.filter((each) => each.descriptor.schema === schema.name);
  if (enums.length === 0) return undefined;
  const imports = new Imports();
  imports.value('registerEnumType', 'type-graphql');
  imports.type('EnumDescriptor', '../runtime/descriptor.js');
  const descriptors = array(enums.map(descriptorOf));
  return printFile(`the enums of schema ${schema.name}`, imports, [
    ...enums.flatMap(declaration),
    [`export const enums: readonly EnumDescriptor[] = `, descriptors, ';'],
  ]);
}

function declaration(model: EnumModel): readonly Doc[] {
  const { type } = model.descriptor;
  const comment = description(model.comment);
  const described: readonly Entry[] = comment === '' ? [] : [['description', string(comment)]];
  const members = model.values.map((value) => [hardline, `${value} = `, string(value), ',']);
  return [
    [docComment(model.comment ?? ''), `export enum ${type} {`, indent(members), hardline, '}'],
    [callWithObject('registerEnumType', [type], [['name', string(type)], ...described]), ';'],
  ];
}

function descriptorOf({ descriptor }: EnumModel): Doc {
  const values = descriptor.values.map(({ label, name }): readonly Entry[] => [
    ['label', string(label)],
    ...(name === undefined ? [] : [['name', string(name)] as const]),
  ]);
  return tallObject([
    ['type', string(descriptor.type)],
    ['schema', string(descriptor.schema)],
    ['name', string(descriptor.name)],
    ['values', objects(values)],
  ]);
}
