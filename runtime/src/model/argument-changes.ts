import type { ArgumentDescriptor } from '../descriptor/descriptor.js';

/**
 * What becomes of the arguments of a function from one model to the next, by their names for
 * clients.
 */
export interface ArgumentChanges {
  /** Arguments that calls may now give or leave out. */
  readonly added: readonly string[];
  /** Arguments that calls now have to give. */
  readonly required: readonly string[];
  /** Whether an argument is gone, or takes something else. */
  readonly changed: boolean;
}

const nameOf = ({ field, name }: ArgumentDescriptor): string => field ?? name;

const isOptional = ({ hasDefault, mode }: ArgumentDescriptor): boolean => hasDefault === true || mode === 'variadic';

/** @param isSame whether clients see no difference between the types of two arguments */
export function compareArguments(
  before: readonly ArgumentDescriptor[],
  after: readonly ArgumentDescriptor[],
  isSame: (was: ArgumentDescriptor, is: ArgumentDescriptor) => boolean,
): ArgumentChanges {
  const old = new Map(before.map((argument) => [nameOf(argument), argument]));
  const now = new Map(after.map((argument) => [nameOf(argument), argument]));
  const added = after.filter((is) => {
    const was = old.get(nameOf(is));
    return isOptional(is) && is.mode !== 'out' && (was === undefined || !isOptional(was));
  });
  const required = after.filter((is) => {
    const was = old.get(nameOf(is));
    return !isOptional(is) && is.mode !== 'out' && (was === undefined || isOptional(was));
  });
  const changed = [...old].some(([name, was]) => {
    const is = now.get(name);
    return is?.mode !== was.mode || !isSame(was, is);
  });
  const answered = after.some((is) => is.mode === 'out' && !old.has(nameOf(is)));
  return { added: added.map(nameOf), required: required.map(nameOf), changed: changed || answered };
}
