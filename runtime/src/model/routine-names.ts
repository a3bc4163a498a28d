import type { Routine, RoutineArgument, TypeRef } from '../catalog/catalog.js';
import type { ArgumentDescriptor, SqlType } from '../descriptor/descriptor.js';
import { allocate, secondChoice } from './allocate.js';
import type { Warning } from './model.js';
import { pascal, withSuffix } from './names.js';
import { memberName, memberNames, memberSuffixes, type NamingRules } from './naming-rules.js';
import type { ModelOptions } from '../descriptor/options.js';
import { checkedName } from './type-names.js';
import { typeKey, type TypeResolver } from './types.js';

/** Distinguishes overloads. */
export const routineId = (routine: Routine): string => `${typeKey(routine)}(${routine.signature})`;

/** The name that the configuration gives a routine. */
export function renamedTo(routine: Routine, { rename }: ModelOptions): string | undefined {
  const key = typeKey(routine);
  const name = rename?.[key]?.name;
  return name === undefined ? undefined : checkedName(name, key);
}

export function movedRoutine(routine: Routine, field: string): Warning {
  const id = routineId(routine);
  return {
    code: 'NAME_CHANGED',
    message: `The routine ${id} is called ${field}, because its name is taken.`,
    hint: `Choose a name: rename: { '${typeKey(routine)}': { name: '…' } }.`,
    group: {
      name: `${id} (${field})`,
      message: 'routines have another name in GraphQL, because their name is taken.',
    },
  };
}

/**
 * The arguments of a routine.
 * @param taken names that the GraphQL field's other arguments have
 */
export function argumentsOf(
  routine: Pick<Routine, 'arguments'>,
  resolve: TypeResolver,
  rules: NamingRules,
  taken: ReadonlySet<string> = new Set(),
): readonly ArgumentDescriptor[] {
  const names = argumentNames(routine, rules, taken);
  return routine.arguments.map((argument, at) => {
    const field = names[at] ?? argument.name;
    return {
      name: argument.name,
      ...(field === argument.name ? {} : { field }),
      mode: argument.mode === 'table' ? ('out' as const) : argument.mode,
      type: resolve(argument.type),
      ...domainOf(argument.type),
      ...(argument.hasDefault ? { hasDefault: true as const } : {}),
    };
  });
}

/** The distinction of an overload: the names of its arguments, then their types. */
export function readableSuffixes(inputs: readonly RoutineArgument[]): readonly string[] {
  const names = inputs.map(({ name }, at) => pascal(name === '' ? `arg${String(at + 1)}` : name)).join('And');
  const types = inputs.map(({ type }) => `${pascal(type.name)}${type.array ? 'Array' : ''}`).join('And');
  return [`By${names}`, `By${names}As${types}`];
}

/** An array of a domain is cast to as such already. */
function domainOf({ kind, array, schema, name }: TypeRef): { readonly domain?: SqlType } {
  return kind === 'domain' && !array ? { domain: { schema, name } } : {};
}

/** The GraphQL names of the arguments: an argument without a name is called by its position. */
function argumentNames(
  routine: Pick<Routine, 'arguments'>,
  rules: NamingRules,
  taken: ReadonlySet<string>,
): readonly string[] {
  const idOf = (argument: RoutineArgument, at: number): string => `${String(at + 1)} ${argument.name}`;
  const preferredName = (argument: RoutineArgument, at: number): string =>
    argument.name === '' ? `arg${String(at + 1)}` : memberName(argument.name, rules);
  const nameOf = (argument: RoutineArgument, at: number, suffix: string): readonly string[] =>
    suffix === secondChoice
      ? memberNames(argument.name, rules, suffix)
      : [withSuffix(preferredName(argument, at), suffix)];
  const { suffixes } = allocate(
    routine.arguments.map((argument, at) => ({
      id: idOf(argument, at),
      rank: preferredName(argument, at) === argument.name ? 0 : 1,
      suffixes: taken.has(preferredName(argument, at))
        ? ['_']
        : argument.name === ''
          ? []
          : memberSuffixes(argument.name, rules),
      names: (suffix) => nameOf(argument, at, suffix),
    })),
    taken,
  );
  return routine.arguments.map(
    (argument, at) => nameOf(argument, at, suffixes.get(idOf(argument, at)) ?? '')[0] ?? argument.name,
  );
}
