import type { EnumModel, SchemaModel } from '@tablewright/runtime/model';
import type { EmitContext } from '../context.js';
import { description } from '../source/escape.js';
import { hardline, indent, type Doc } from '../source/doc.js';
import { Imports, printFile } from '../source/file.js';
import { array, callWithObject, docComment, object, string, type Entry } from '../source/typescript.js';

/** `enums.ts`: the enums of a schema. Undefined if there are none. */
export function emitEnums({ model }: EmitContext, schema: SchemaModel): string | undefined {
  const enums = model.enums.filter((each) => each.descriptor.schema === schema.name);
  if (enums.length === 0) return undefined;
  const imports = new Imports();
  const descriptors = array(enums.map((each) => descriptorOf(each, imports)));
  return printFile(`the enums of schema ${schema.name}`, imports, [
    ...enums.map(declaration),
    [`export const enums: readonly ${imports.runtime('EnumDescriptor')}[] = `, descriptors, ';'],
  ]);
}

function declaration(model: EnumModel): Doc {
  const members = model.values.map((value) => [hardline, `${value} = `, string(value), ',']);
  const head = `export enum ${model.descriptor.type} {`;
  return [docComment(model.comment ?? ''), head, indent(members), hardline, '}'];
}

/** `tw.enumType('KanbanIssueStatus', KanbanIssueStatus, 'kanban', 'issue_status')` */
function descriptorOf({ descriptor, comment }: EnumModel, imports: Imports): Doc {
  const { type, schema, name, values } = descriptor;
  const text = description(comment);
  const renamed = values.flatMap(({ label, name: member }): readonly Entry[] =>
    member === undefined ? [] : [[member, string(label)]],
  );
  return callWithObject(
    imports.runtime('enumType'),
    [string(type), type, string(schema), string(name)],
    [
      ...(text === '' ? [] : [['description', string(text)] as const]),
      ...(renamed.length === 0 ? [] : [['labels', object(renamed)] as const]),
    ],
  );
}
