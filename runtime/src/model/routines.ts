import type { Catalog, Routine, TypeRef } from '../catalog/catalog.js';
import type { ProcedureDescriptor } from '../descriptor/descriptor.js';
import { allocate } from './allocate.js';
import { folderName } from './files.js';
import type { ComputedModel, ProcedureModel, Warning } from './model.js';
import { compareText, isCanonical, legalName, pascal } from './names.js';
import { outputType } from '../schema/graphql-type.js';
import { isOrderable } from '../schema/read-shape.js';
import type { ModelOptions } from './options.js';
import type { Patterns } from './patterns.js';
import { argumentsOf, movedRoutine, renamedTo, routineId } from './routine-names.js';
import type { ScopedTable } from './scope.js';
import { typeKey, type TypeResolver } from './types.js';
import { volatileFunctions } from './warnings.js';

/** A computed field before its name is settled. */
export interface ComputedDraft {
  readonly id: string;
  readonly preferredName: string;
  readonly function: { readonly schema: string; readonly name: string };
  readonly type: ReturnType<TypeResolver>;
  readonly model: Omit<ComputedModel, 'field'>;
}

/**
 * STABLE and IMMUTABLE functions of one row argument, by the key of the table whose rows they take. VOLATILE ones may write, and a client that
 * reads a field must not. Source: decisions 5; https://www.postgresql.org/docs/current/xfunc-volatility.html
 */
export function draftComputed(
  catalog: Catalog,
  tables: readonly ScopedTable[],
  exclude: Patterns,
  resolve: TypeResolver,
  warnings: Warning[],
): ReadonlyMap<string, readonly ComputedDraft[]> {
  const known = new Map(tables.map((table) => [table.key, table]));
  const drafts = new Map<string, ComputedDraft[]>();
  const volatile: Routine[] = [];
  for (const routine of sortedRoutines(catalog, exclude)) {
    const table = known.get(rowArgument(routine) ?? '');
    if (table === undefined || routine.returns === null || known.has(typeKey(routine.returns))) continue;
    if (routine.volatility === 'volatile') {
      volatile.push(routine);
      continue;
    }
    const type = resolve(routine.returns);
    const draft: ComputedDraft = {
      id: routineId(routine),
      preferredName: legalName(withoutPrefix(routine.name, `${table.facts.name}_`)),
      function: { schema: routine.schema, name: routine.name },
      type,
      model: { graphql: outputType(type), orderable: isOrderable(type), comment: routine.comment },
    };
    drafts.set(table.key, [...(drafts.get(table.key) ?? []), draft]);
  }
  const [first, ...others] = volatile;
  if (first !== undefined) warnings.push(volatileFunctions([first, ...others]));
  return drafts;
}

/** The procedures, as mutation fields. */
export function buildProcedures(
  catalog: Catalog,
  exclude: Patterns,
  options: ModelOptions,
  resolve: TypeResolver,
  /** The mutation fields of tables, which no routine may take. */
  taken: ReadonlySet<string>,
  warnings: Warning[],
): readonly ProcedureModel[] {
  const exposed = sortedRoutines(catalog, exclude).filter((routine) => {
    if (routine.kind !== 'procedure') return false;
    const strange = allTypes(routine).find(isPseudo);
    if (strange !== undefined) warnings.push(cannotBeCalled(routine, strange));
    return strange === undefined;
  });
  const { suffixes, moved } = allocate(
    exposed.map((routine) => {
      const name = renamedTo(routine, options);
      return {
        id: routineId(routine),
        rank: isCanonical(routine.name) ? 0 : 1,
        names: (suffix) => [name ?? `call${pascal(routine.schema)}${pascal(routine.name)}${suffix}`],
        ...(name === undefined ? {} : { fixed: typeKey(routine) }),
      };
    }),
    taken,
  );
  return exposed.map((routine) => {
    const id = routineId(routine);
    const field =
      renamedTo(routine, options) ?? `call${pascal(routine.schema)}${pascal(routine.name)}${suffixes.get(id) ?? ''}`;
    if (moved.includes(id)) warnings.push(movedRoutine(routine, field));
    return {
      descriptor: describe(routine, field, resolve),
      folder: folderName(routine.schema),
      comment: routine.comment,
    };
  });
}

function describe(routine: Routine, field: string, resolve: TypeResolver): ProcedureDescriptor {
  return {
    field,
    kind: routine.kind,
    schema: routine.schema,
    name: routine.name,
    arguments: argumentsOf(routine, resolve),
  };
}

/** Those that are not excluded, by schema, name and signature. */
export function sortedRoutines(catalog: Catalog, exclude: Patterns): readonly Routine[] {
  return catalog.routines
    .filter((routine) => !exclude.matches(routine.schema, routine.name))
    .sort(
      (a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name) || compareText(a.signature, b.signature),
    );
}

/** The key of the table whose row is the one argument, where that is what the function takes. */
function rowArgument(routine: Routine): string | undefined {
  const [argument] = routine.arguments;
  if (routine.kind !== 'function' || routine.returnsSet || routine.returns === null || isPseudo(routine.returns)) {
    return undefined;
  }
  if (routine.arguments.length !== 1 || argument?.mode !== 'in' || argument.type.array) return undefined;
  return argument.type.kind === 'composite' ? typeKey(argument.type) : undefined;
}

function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) && name.length > prefix.length ? name.slice(prefix.length) : name;
}

export function allTypes(routine: Routine): readonly TypeRef[] {
  return [
    ...routine.arguments.map((argument) => argument.type),
    ...(routine.returns === null ? [] : [routine.returns]),
  ];
}

/** `record` and `void` are answers of functions; as arguments, and all the others, they can't come from a client. */
export function isPseudo(type: TypeRef): boolean {
  return type.kind === 'pseudo' && type.name !== 'void' && type.name !== 'record';
}

function cannotBeCalled(routine: Routine, type: TypeRef): Warning {
  return {
    code: 'LEFT_OUT',
    message: `The ${routine.kind} ${typeKey(routine)} is left out: no client can give or take a value of type ${type.formatted}.`,
    hint: 'Give it arguments of ordinary types, or list it in exclude.',
    group: {
      name: `${typeKey(routine)}: ${type.formatted}`,
      message: 'routines are left out: no client can give or take a value of their types.',
    },
  };
}
