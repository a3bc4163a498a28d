import type { ArgumentDescriptor } from '../descriptor/descriptor.js';
import { breaking, harmless, sameType, type Found, type Known } from './compare-lists.js';

/**
 * The changes of the arguments of a routine or a computed field for clients, by the names that
 * clients use.
 * @param subject the routine or field, as the beginning of a sentence
 */
export function argumentChanges(
  kind: 'PROCEDURE' | 'FUNCTION' | 'COMPUTED_FIELD',
  subject: string,
  before: readonly ArgumentDescriptor[] = [],
  after: readonly ArgumentDescriptor[] = [],
  known: Known,
): readonly Found[] {
  const old = new Map(before.map((argument) => [nameOf(argument), argument]));
  const now = new Map(after.map((argument) => [nameOf(argument), argument]));
  const given = after.filter(({ mode }) => mode !== 'out');
  const isRequired = (argument: ArgumentDescriptor | undefined): boolean =>
    argument !== undefined && !isOptional(argument);
  const isKnown = (argument: ArgumentDescriptor): boolean => old.has(nameOf(argument));
  const required = given.filter((is) => isRequired(is) && !isRequired(old.get(nameOf(is))));
  const added = given.filter((is) => isOptional(is) && (!isKnown(is) || isRequired(old.get(nameOf(is)))));
  const isChanged = [...old].some(([name, was]) => {
    const is = now.get(name);
    return is?.mode !== was.mode || !sameType(was.type, is.type, known);
  });
  const isAnswered = after.some((is) => is.mode === 'out' && !isKnown(is));
  return [
    ...(isChanged || isAnswered
      ? [breaking(`${kind}_CHANGED`, `The arguments of ${lowerFirst(subject)} have changed.`)]
      : []),
    ...required.map((each) => breaking(`${kind}_ARGUMENT_REQUIRED`, `${subject} has to be given ${nameOf(each)} now.`)),
    ...added.map((each) =>
      harmless(`${kind}_ARGUMENT_ADDED`, `${subject} may be given ${nameOf(each)}, which has a default.`),
    ),
  ];
}

const nameOf = ({ field, name }: ArgumentDescriptor): string => field ?? name;

const isOptional = ({ hasDefault, mode }: ArgumentDescriptor): boolean => hasDefault === true || mode === 'variadic';

const lowerFirst = (text: string): string => (text.startsWith('The ') ? `the ${text.slice(4)}` : text);
