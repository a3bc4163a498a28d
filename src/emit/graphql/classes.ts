import { hardline, indent, type Doc } from '../source/doc.js';
import { docComment } from '../source/typescript.js';
import type { ClassDefinition, FieldDefinition } from '@tablewright/runtime/model';
import type { Scope } from './modules.js';

/**
 * A GraphQL type as a class without behaviour, with a line for each field: the type of its values,
 * and a name for it in the user's decorators.
 */
export function classOf(scope: Scope, { kind, name, description, fields }: ClassDefinition): Doc {
  const members = fields
    .filter((field) => !inherited.has(field.name))
    .map((field) => {
      const sign = kind === 'input' && field.nullable ? '?' : '!';
      return [hardline, `readonly ${field.name}${sign}: ${typeText(scope, field)};`];
    });
  const body: Doc = members.length === 0 ? ' {}' : [' {', indent(members), hardline, '}'];
  return [docComment(description), `export class ${name}`, body];
}

/** The TypeScript type of a field's value. */
export function typeText(scope: Scope, field: FieldDefinition): string {
  let text = scope.typeName(field.type);
  for (let at = 0; at < field.depth; at += 1) {
    const item = field.nullableItems ? withNull(text) : text;
    text = /[ |]/.test(item) ? `(${item})[]` : `${item}[]`;
  }
  return field.nullable ? withNull(text) : text;
}

/** Members of every object: a class has them already. */
const inherited: ReadonlySet<string> = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

const withNull = (type: string): string => (type === 'unknown' ? type : `${type} | null`);
