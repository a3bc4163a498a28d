import { getNamedType, isLeafType, type GraphQLField } from 'graphql';
import type { ColumnDescriptor, ColumnType, CompositeDescriptor } from '../../../descriptor/descriptor.js';
import type { AttributeSelection, Selection } from '../../../plan/intent.js';
import { fieldOf } from '../../../descriptor/registry.js';
import { subFields } from './collect.js';
import { objectType } from './object-type.js';
import { fieldOfType, customPartOf, type Scope, type Selected } from '../arguments/scope.js';

/**
 * Response keys that no client can write, for the columns a custom resolver is given: `:0` is the
 * first column.
 */
export const columnKey = (at: number): string => `:${String(at)}`;

/**
 * The key of a value that was read whole although parts of it were asked for: graphql-js takes the
 * parts out. So it is with ranges, and with arrays of composites.
 */
export const wholeKey = (as: string): string => `=${as}`;

type Definition = GraphQLField<unknown, unknown>;

/** A column: all of it, or of a composite the attributes that were asked for. */
export function columnSelection(
  scope: Scope,
  { name, type }: ColumnDescriptor,
  definition: Definition,
  selected: Selected,
): Selection {
  const composite = compositeOf(scope, type);
  if (composite === undefined) return { kind: 'column', as: keyOf(scope, definition, selected), column: name };
  const select = attributesOf(scope, composite, definition, selected);
  return { kind: 'composite', as: selected.as, column: name, select };
}

/** The key a value that is not taken apart in SQL is read under. */
export function keyOf(scope: Scope, definition: Definition, { as }: Selected): string {
  if (isLeafType(getNamedType(definition.type))) return as;
  scope.custom.found = true;
  return wholeKey(as);
}

/** Undefined for an array of composites: only a composite itself is taken apart in SQL. */
export const compositeOf = (scope: Scope, type: ColumnType): CompositeDescriptor | undefined =>
  type.kind === 'composite' ? scope.registry.composites.get(type.composite ?? '') : undefined;

/** The attributes of a composite that a field asks for. */
export function attributesOf(
  scope: Scope,
  composite: CompositeDescriptor,
  definition: Definition,
  selected: Selected,
): readonly AttributeSelection[] {
  const object = objectType(definition);
  const select: AttributeSelection[] = [];
  for (const field of subFields(scope, object, selected)) {
    const attribute = composite.attributes.find((each) => fieldOf(each) === field.name);
    const part = customPartOf(object, field);
    if (part !== undefined) scope.custom.found = true;
    if (field.name === '__typename') select.push({ kind: 'typename', as: field.as, type: object.name });
    else if (attribute === undefined || part === 'instead') scope.custom.found = true;
    else select.push(attributeOf(scope, attribute, fieldOfType(object, field.name), field));
  }
  return select;
}

function attributeOf(
  scope: Scope,
  attribute: CompositeDescriptor['attributes'][number],
  definition: Definition,
  selected: Selected,
): AttributeSelection {
  const composite = compositeOf(scope, attribute.type);
  if (composite === undefined) {
    return { kind: 'attribute', as: keyOf(scope, definition, selected), attribute: attribute.name };
  }
  const select = attributesOf(scope, composite, definition, selected);
  return { kind: 'attribute', as: selected.as, attribute: attribute.name, select };
}
