import type { Catalog, Routine } from '../catalog/catalog.js';
import type { Descriptors } from '../descriptor/registry.js';
import type { Warning } from '../model/model.js';
import type { ModelOptions } from '../descriptor/options.js';
import { Patterns } from '../model/patterns.js';

type Shown = Pick<Descriptors, 'tables' | 'procedures' | 'functions' | 'callable'>;

const idOf = (
  { schema, name }: { readonly schema: string; readonly name: string },
  inputs: readonly string[],
): string => JSON.stringify([schema, name, ...inputs]);

const isInput = ({ mode }: { readonly mode: string }): boolean => mode !== 'out' && mode !== 'table';

const inputNames = (all: readonly { readonly name: string; readonly mode: string }[]): readonly string[] =>
  all.filter(isInput).map(({ name }) => name);

/** The routines that a generated API serves, each with the names of its inputs. */
export const servedRoutines = ({
  tables,
  procedures = [],
  functions = [],
  callable = [],
}: Shown): readonly string[] => [
  ...[...procedures, ...functions, ...callable].map((routine) => idOf(routine, inputNames(routine.arguments))),
  // The first argument of a computed field is the row, whose name does not matter.
  ...tables.flatMap(({ computed = [] }) =>
    computed.map((each) => idOf(each.function, ['', ...inputNames(each.arguments ?? [])])),
  ),
];

/**
 * The SECURITY DEFINER routines that the generated code does not serve. Such a routine runs with
 * the rights of its owner, and PostgreSQL lets everybody execute a new one: a person decides
 * whether clients may call it, by the next `generate`. On MariaDB every routine is one unless its
 * author says otherwise, and nobody may execute a new one without a grant.
 * @param served as `servedRoutines` writes them
 */
export function newDefiners({ dialect, routines }: Catalog, served: readonly string[]): readonly Routine[] {
  if (dialect !== 'postgres') return [];
  const known = new Set(served);
  return routines.filter((routine) => {
    const inputs = inputNames(routine.arguments);
    const isKnown = known.has(idOf(routine, inputs)) || known.has(idOf(routine, ['', ...inputs.slice(1)]));
    return routine.securityDefiner && !isKnown;
  });
}

/** A warning for each of these routines that would be served. */
export function waitingFor(routines: readonly Routine[], { functions, exclude }: ModelOptions): readonly Warning[] {
  const [listed, excluded] = [new Patterns(functions), new Patterns(exclude)];
  const isServed = ({ kind, schema, name, arguments: [row] }: Routine): boolean =>
    !excluded.matches(schema, name) &&
    (kind === 'procedure' || row?.type.kind === 'composite' || listed.matches(schema, name));
  return routines.filter(isServed).map(({ kind, schema, name }) => ({
    code: 'WAITS',
    message: `The ${kind} ${schema}.${name} is new and SECURITY DEFINER: it is not served until the next generate.`,
    hint: 'Generate, build and start the server again.',
  }));
}
