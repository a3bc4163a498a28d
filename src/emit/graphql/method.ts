import { group, hardline, ifBroken, indent, join, line, softline, type Doc } from '../source/doc.js';
import { docComment } from '../source/typescript.js';
import { typeText } from './classes.js';
import type { QueryDefinition } from '@tablewright/runtime/model';
import type { Scope } from './modules.js';

/** A root field as a method of a resolver class, whose body is one call of the runtime. */
export interface Method {
  readonly kind: 'Query' | 'Mutation';
  readonly definition: QueryDefinition;
  /** Its documentation comment, if the name does not say as much. */
  readonly comment?: string;
}

/** Source: engine.ts in the runtime's endpoint/graphql. */
const whenCalled =
  'Called when a guard, middleware or field of yours has a part; otherwise one SQL statement answers the document.';

/** A class with a method for each root field, and a blank line between methods. */
export const resolverDoc = (scope: Scope, name: string, methods: readonly Method[]): Doc => [
  docComment(whenCalled),
  `export class ${name} {`,
  indent(
    methods.map((each, at) => [
      at === 0 ? hardline : [hardline, hardline],
      docComment(each.comment ?? ''),
      methodDoc(scope, each),
    ]),
  ),
  hardline,
  '}',
];

function methodDoc(scope: Scope, { kind, definition }: Method): Doc {
  const { imports } = scope;
  const parameters: readonly Doc[] = [
    ...definition.inline.map((argument) => `_${argument.name}: ${typeText(scope, argument)}`),
    `ctx: ${imports.runtime('Context')}`,
    `info: ${imports.runtime('FieldInfo')}`,
  ];
  const list = [indent([softline, join([',', line], parameters)]), ifBroken(','), softline];
  return [
    [group([definition.name, '(', ...list, `): Promise<${typeText(scope, definition)}>`]), ' {'],
    [indent([hardline, `return ctx.${kind === 'Query' ? 'read' : 'write'}(info);`]), hardline, '}'],
  ];
}
