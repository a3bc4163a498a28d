import type { ArgumentDescriptor, FunctionDescriptor } from '../../../descriptor/descriptor.js';
import { ServerError, codes } from '../../../errors.js';
import type { RestNames } from '../../../descriptor/registry.js';
import type { FunctionCall } from '../../../plan/intent.js';
import { malformedParameter, quoteName } from '../grammar/malformed.js';
import { parseParameters } from '../grammar/parameters.js';

/** A call as a request makes it. Requests of equal `shape` differ in `values` only. */
export interface GivenCall {
  readonly called: FunctionDescriptor;
  readonly shape: string;
  /** The given values, in the order of the arguments. */
  readonly values: readonly unknown[];
  /** Makes the call. `first` is the number of the input that holds its first value. */
  readonly at: (first: number) => FunctionCall;
  /** The rest of the query string, raw. It filters, sorts and selects the rows. */
  readonly query: string;
}

/** The functions that a path may mean, and the names of all functions of its schema. */
export interface FunctionPath {
  readonly schema: string;
  readonly name: string;
  readonly overloads: readonly FunctionDescriptor[];
  readonly others: () => Iterable<string>;
  readonly restNames: RestNames;
}

export const namer =
  (restNames: RestNames) =>
  ({ name, field }: ArgumentDescriptor): string =>
    restNames === 'field' || name === '' ? (field ?? name) : name;

type NameOf = ReturnType<typeof namer>;

/**
 * Reads arguments in the query string, in the text form of the database. A parameter with the name
 * of an argument is that argument, even if the name has another meaning. A VARIADIC argument may
 * occur several times. Throws ServerError 400 if no overload takes these arguments.
 */
export function callOfQuery(overloads: readonly FunctionDescriptor[], query: string, restNames: RestNames): GivenCall {
  const nameOf = namer(restNames);
  const known = new Set(overloads.flatMap((each) => each.arguments.map(nameOf)));
  const given = new Map<string, string[]>();
  const others: string[] = [];
  for (const part of query.split('&')) {
    const [parameter] = part === '' ? [] : parseNamed(part, known);
    if (parameter === undefined) others.push(part);
    else given.set(parameter.name, [...(given.get(parameter.name) ?? []), parameter.value]);
  }
  const called = overloadOf(overloads, [...given.keys()], nameOf);
  return createCall(called, 'text', others.join('&'), (argument) => {
    const values = given.get(nameOf(argument));
    const [first, ...more] = values ?? [];
    if (more.length === 0) return first;
    if (argument.mode === 'variadic') return values;
    throw malformedParameter(nameOf(argument), 'it is there twice.', 'Give it once.');
  });
}

/** The parameter, if it has the name of an argument. */
function parseNamed(part: string, known: ReadonlySet<string>): ReturnType<typeof parseParameters> {
  const name = part.slice(0, Math.max(part.indexOf('='), 0));
  // Most names need no decoding. Only a name with `%` or `+` is decoded before it is compared.
  if (!known.has(name) && !/[%+]/.test(name)) return [];
  return parseParameters(part).filter((each) => known.has(each.name));
}

/** Reads arguments in a JSON body. Throws ServerError 400 if no overload takes these arguments. */
export function callOfBody(
  overloads: readonly FunctionDescriptor[],
  body: Readonly<Record<string, unknown>>,
  query: string,
  restNames: RestNames,
): GivenCall {
  const nameOf = namer(restNames);
  const known = new Set(overloads.flatMap((each) => each.arguments.map(nameOf)));
  const strange = Object.keys(body).find((name) => !known.has(name));
  if (strange !== undefined) {
    throw new ServerError(400, codes.malformedBody, `The function has no argument ${quoteName(strange)}.`, {
      hint: argumentsHint(overloads, nameOf),
      reason: { kind: 'unknownFunction' },
    });
  }
  const called = overloadOf(overloads, Object.keys(body), nameOf);
  const given = new Map(Object.entries(body));
  return createCall(called, 'json', query, (argument) => given.get(nameOf(argument)));
}

export function createCall(
  called: FunctionDescriptor,
  form: 'text' | 'json',
  query: string,
  valueOf: (argument: ArgumentDescriptor) => unknown,
): GivenCall {
  const given = called.arguments.flatMap((argument, position) => {
    const value = valueOf(argument);
    return value === undefined ? [] : [{ position, value }];
  });
  return {
    called,
    shape: `rpc ${called.field} ${form} ${given.map(({ position }) => String(position)).join()}`,
    values: given.map(({ value }) => value),
    at: (first) => ({
      function: called,
      arguments: given.map(({ position }, at) => ({
        position,
        value: { read: (inputs) => (inputs as readonly unknown[])[first + at], form },
      })),
    }),
    query,
  };
}

/** The overload that takes all of these arguments, and requires no other. */
function overloadOf(
  overloads: readonly FunctionDescriptor[],
  given: readonly string[],
  nameOf: NameOf,
): FunctionDescriptor {
  const [only, ...others] = overloads;
  // The planner reports missing arguments.
  if (only !== undefined && others.length === 0) return only;
  const fitting = overloads.filter(({ arguments: all }) => {
    const names = new Set(all.map(nameOf));
    return (
      given.every((name) => names.has(name)) &&
      all.every((each) => each.hasDefault === true || each.mode === 'variadic' || given.includes(nameOf(each)))
    );
  });
  const [found, ...more] = fitting;
  if (found !== undefined && more.length === 0) return found;
  const message =
    found === undefined
      ? 'No function of this name takes these arguments.'
      : 'Several functions of this name take these arguments.';
  const fields = (found === undefined ? overloads : fitting).map(({ field }) => `/rpc/${field}`).join(', ');
  throw new ServerError(400, codes.malformedParameter, message, {
    hint: `Each has a path of its own: ${fields}.`,
    reason: { kind: found === undefined ? 'unknownFunction' : 'ambiguousFunction' },
  });
}

function argumentsHint(overloads: readonly FunctionDescriptor[], nameOf: NameOf): string {
  const names = [...new Set(overloads.flatMap((each) => each.arguments.map(nameOf)))];
  return names.length === 0 ? 'It has no arguments.' : `Arguments: ${names.join(', ')}.`;
}
