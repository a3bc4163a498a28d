import { group, hardline, ifBroken, indent, join, line, softline, type Doc } from '../source/doc.js';
import { callWithObject, docComment, string } from '../source/typescript.js';
import { fieldOptions, typeText, typeThunk } from './classes.js';
import type { QueryDefinition } from '@tablewright/runtime/model';
import type { Scope } from './modules.js';

/** A root field as a method of a resolver class, whose body is one call of the runtime. */
export interface Method {
  readonly kind: 'Query' | 'Mutation';
  readonly definition: QueryDefinition;
  /** Its documentation comment, if the name does not say as much. */
  readonly comment?: string;
}

/** The body of a resolver class, with a blank line between methods. */
export function methodsDoc(scope: Scope, methods: readonly Method[]): Doc {
  return methods.map((each, at) => [
    at === 0 ? hardline : [hardline, hardline],
    docComment(each.comment ?? ''),
    methodDoc(scope, each),
  ]);
}

function methodDoc(scope: Scope, { kind, definition }: Method): Doc {
  const { imports } = scope;
  const decorator = imports.value(kind, 'type-graphql');
  const parameters: readonly Doc[] = [
    ...argumentsOf(scope, definition),
    `@${imports.value('Ctx', 'type-graphql')}() ctx: ${imports.runtime('Context')}`,
    `@${imports.value('Info', 'type-graphql')}() info: ${imports.runtime('FieldInfo')}`,
  ];
  const list = [indent([softline, join([',', line], parameters)]), ifBroken(','), softline];
  return [
    [callWithObject(`@${decorator}`, [typeThunk(scope, definition)], fieldOptions(definition)), hardline],
    [group([definition.name, '(', ...list, `): Promise<${typeText(scope, definition)}>`]), ' {'],
    [indent([hardline, `return ctx.${kind === 'Query' ? 'read' : 'write'}(info);`]), hardline, '}'],
  ];
}

function argumentsOf(scope: Scope, definition: QueryDefinition): readonly Doc[] {
  const { imports } = scope;
  return definition.inline.map((argument) => {
    const decorator = callWithObject(
      `@${imports.value('Arg', 'type-graphql')}`,
      [string(argument.name), typeThunk(scope, argument)],
      fieldOptions(argument),
    );
    return group([decorator, line, `_${argument.name}: ${typeText(scope, argument)}`]);
  });
}
