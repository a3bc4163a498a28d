import type { ArgumentDescriptor } from '../../../descriptor/descriptor.js';
import type { GivenArguments } from '../../../plan/intent.js';
import { givenNull, type ArgumentValue } from './argument-value.js';

/**
 * The arguments of a routine or a computed field. All are optional in the schema, because null is a
 * value: one that is left out takes its default, and is null where it has none.
 * @param valueOf the value that the document gives to an argument, by its GraphQL name
 */
export function givenArguments(
  all: readonly ArgumentDescriptor[],
  valueOf: (name: string) => ArgumentValue | undefined,
): GivenArguments {
  return all.flatMap(({ name, field, mode, hasDefault }, position) => {
    if (mode === 'out') return [];
    const takesDefault = hasDefault === true || mode === 'variadic';
    const given = valueOf(field ?? name) ?? (takesDefault ? undefined : givenNull);
    return given === undefined ? [] : [{ position, value: given.value() }];
  });
}
