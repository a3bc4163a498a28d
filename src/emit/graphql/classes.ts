import { group, hardline, indent, line, type Doc } from '../source/doc.js';
import { callWithObject, string, type Entry } from '../source/typescript.js';
import type { ClassDefinition, FieldDefinition } from '@tablewright/runtime/model';
import type { Scope } from './modules.js';

/** A GraphQL type as a TypeGraphQL class, with a line for each field. */
export function classOf(scope: Scope, definition: ClassDefinition): Doc {
  const { name, fields } = definition;
  const properties = propertyNames(definition);
  const inside = fields.flatMap((field) => {
    const property = properties.get(field.name);
    return property === undefined ? [] : [[hardline, member(scope, definition, field, property)]];
  });
  const outside = fields.filter((field) => !properties.has(field.name));
  return [
    [classDecorator(scope, definition), hardline],
    inside.length === 0 ? `export class ${name} {}` : [`export class ${name} {`, indent(inside), hardline, '}'],
    outside.map((field) => [hardline, declaredOutside(scope, definition, field)]),
  ];
}

/** `() => [[T]]` */
export function typeThunk(scope: Scope, field: FieldDefinition): string {
  return `() => ${'['.repeat(field.depth)}${scope.value(field.type)}${']'.repeat(field.depth)}`;
}

/** The options `nullable` and `description`, if they differ from the default. */
export function fieldOptions(field: FieldDefinition): readonly Entry[] {
  const nullable = nullability(field);
  const { description = '' } = field;
  return [
    ...(nullable === null ? [] : [['nullable', nullable] as const]),
    ...(description === '' ? [] : [['description', string(description)] as const]),
  ];
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

function classDecorator(scope: Scope, { kind, name, description }: ClassDefinition): Doc {
  const described: readonly Entry[] = description === '' ? [] : [['description', string(description)]];
  switch (kind) {
    case 'object':
      scope.imports.value('ObjectType', 'type-graphql');
      return callWithObject('@ObjectType', [], [...described, ['simpleResolvers', 'true']]);
    case 'interface':
      throw new TypeError(`${name} is an interface, which the runtime makes.`);
    case 'input':
      scope.imports.value('InputType', 'type-graphql');
      return callWithObject('@InputType', [], described);
  }
}

/** `@Field(() => Int) readonly id!: number;` */
function member(scope: Scope, definition: ClassDefinition, field: FieldDefinition, property: string): Doc {
  const named: readonly Entry[] = property === field.name ? [] : [['name', string(field.name)]];
  const decorator = field.relation === undefined ? fieldCall(scope, field, '@', named) : related(scope, field, named);
  const optional = definition.kind !== 'object' && field.nullable;
  const text = `readonly ${property}${optional ? '?' : '!'}: ${typeText(scope, field)};`;
  return group([decorator, line, text]);
}

/** `@tw.Rows(() => KanbanComments)` */
function related(scope: Scope, { relation, arguments: from }: FieldDefinition, named: readonly Entry[]): Doc {
  const decorator = scope.imports.runtime(relation ?? '');
  return callWithObject(`@${decorator}`, [`() => ${scope.value(from?.table.descriptor.type ?? '')}`], named);
}

/**
 * Members of every object. A class cannot have a field called `constructor`, and decorators need
 * the others unchanged.
 */
const inherited: ReadonlySet<string> = new Set([
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/**
 * The property of each field. If it cannot have the field's name, the decorator of an object's
 * field gives `name`. TypeGraphQL reads inputs by the property itself, so such a field of an input
 * is declared outside the class and is not in the map.
 */
function propertyNames(definition: ClassDefinition): ReadonlyMap<string, string> {
  const names = new Set(definition.fields.map((field) => field.name));
  const entries = definition.fields.flatMap(({ name }): (readonly [string, string])[] => {
    if (!inherited.has(name)) return [[name, name]];
    if (definition.kind === 'input') return [];
    let free = `${name}_`;
    while (names.has(free)) free += '_';
    return [[name, free]];
  });
  return new Map(entries);
}

function declaredOutside(scope: Scope, definition: ClassDefinition, field: FieldDefinition): Doc {
  return [fieldCall(scope, field, '', []), `(${definition.name}.prototype, `, string(field.name), ');'];
}

function fieldCall(scope: Scope, field: FieldDefinition, sign: '@' | '', named: readonly Entry[]): Doc {
  const decorator = scope.imports.value('Field', 'type-graphql');
  return callWithObject(`${sign}${decorator}`, [typeThunk(scope, field)], [...named, ...fieldOptions(field)]);
}

function nullability({ depth, nullable, nullableItems }: FieldDefinition): string | null {
  const items = depth > 0 && nullableItems;
  if (items) return nullable ? "'itemsAndList'" : "'items'";
  return nullable ? 'true' : null;
}

function withNull(type: string): string {
  return type === 'unknown' ? type : `${type} | null`;
}
