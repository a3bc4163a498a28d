import type { Catalog, Routine, RoutineArgument, TypeRef } from '../catalog/catalog.js';
import type { ProcedureDescriptor, SqlType } from '../descriptor/descriptor.js';
import { allocate } from './allocate.js';
import { folderName } from './files.js';
import type { ComputedModel, ProcedureModel, Warning } from './model.js';
import { compareText, isCanonical, legalName, pascal, withSuffix } from './names.js';
import { outputType } from '../schema/graphql-type.js';
import { isOrderable } from '../schema/read-shape.js';
import type { ModelOptions } from './options.js';
import type { Patterns } from './patterns.js';
import type { ScopedTable } from './scope.js';
import { checkedName } from './type-names.js';
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
      id: `${typeKey(routine)}(${routine.signature})`,
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

/** The procedures, and the functions that the configuration lists, as mutation fields. */
export function buildProcedures(
  catalog: Catalog,
  exclude: Patterns,
  functions: Patterns,
  options: ModelOptions,
  resolve: TypeResolver,
  /** The mutation fields of tables, which no routine may take. */
  taken: ReadonlySet<string>,
  warnings: Warning[],
  callsFunctions: boolean,
): readonly ProcedureModel[] {
  const exposed = sortedRoutines(catalog, exclude).filter((routine) => {
    const wanted = routine.kind === 'procedure' || functions.matches(routine.schema, routine.name);
    if (!wanted) return false;
    if (routine.kind === 'function' && !callsFunctions) {
      warnings.push(functionNotCalled(routine));
      return false;
    }
    const strange = allTypes(routine).find(isPseudo);
    if (strange !== undefined) warnings.push(cannotBeCalled(routine, strange));
    return strange === undefined;
  });
  const idOf = (routine: Routine): string => `${typeKey(routine)}(${routine.signature})`;
  const renamed = (routine: Routine): string | undefined => {
    const name = options.rename?.[typeKey(routine)]?.name;
    return name === undefined ? undefined : checkedName(name, typeKey(routine));
  };
  const { suffixes, moved } = allocate(
    exposed.map((routine) => {
      const name = renamed(routine);
      return {
        id: idOf(routine),
        rank: isCanonical(routine.name) ? 0 : 1,
        names: (suffix) => [name ?? `call${pascal(routine.schema)}${pascal(routine.name)}${suffix}`],
        ...(name === undefined ? {} : { fixed: typeKey(routine) }),
      };
    }),
    taken,
  );
  return exposed.map((routine) => {
    const id = idOf(routine);
    const field = renamed(routine) ?? `call${pascal(routine.schema)}${pascal(routine.name)}${suffixes.get(id) ?? ''}`;
    if (moved.includes(id)) {
      warnings.push({
        code: 'NAME_CHANGED',
        message: `The routine ${id} is called ${field}, because the name it would have is taken.`,
        hint: `Choose a name: rename: { '${typeKey(routine)}': { name: '…' } }.`,
        group: {
          name: `${id} (${field})`,
          message: 'routines have another name in GraphQL, because the one they would have is taken.',
        },
      });
    }
    return {
      descriptor: describe(routine, field, resolve),
      folder: folderName(routine.schema),
      comment: routine.comment,
    };
  });
}

function describe(routine: Routine, field: string, resolve: TypeResolver): ProcedureDescriptor {
  const returns = routine.kind === 'function' && routine.returns !== null ? resolve(routine.returns) : undefined;
  return {
    field,
    kind: routine.kind,
    schema: routine.schema,
    name: routine.name,
    arguments: argumentsOf(routine, resolve),
    ...(routine.returnsSet ? { returnsSet: true as const } : {}),
    ...(returns === undefined ? {} : { returns }),
  };
}

function argumentsOf(routine: Routine, resolve: TypeResolver): ProcedureDescriptor['arguments'] {
  const names = argumentNames(routine);
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

/** An array of a domain is cast to as such already. */
function domainOf({ kind, array, schema, name }: TypeRef): { readonly domain?: SqlType } {
  return kind === 'domain' && !array ? { domain: { schema, name } } : {};
}

/** The GraphQL names of the arguments: an argument without a name is called by its position. */
function argumentNames(routine: Routine): readonly string[] {
  const idOf = (argument: RoutineArgument, at: number): string => `${String(at + 1)} ${argument.name}`;
  const preferredName = (argument: RoutineArgument, at: number): string =>
    argument.name === '' ? `arg${String(at + 1)}` : legalName(argument.name);
  const { suffixes } = allocate(
    routine.arguments.map((argument, at) => ({
      id: idOf(argument, at),
      rank: preferredName(argument, at) === argument.name ? 0 : 1,
      names: (suffix) => [withSuffix(preferredName(argument, at), suffix)],
    })),
  );
  return routine.arguments.map((argument, at) =>
    withSuffix(preferredName(argument, at), suffixes.get(idOf(argument, at)) ?? ''),
  );
}

function sortedRoutines(catalog: Catalog, exclude: Patterns): readonly Routine[] {
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

function allTypes(routine: Routine): readonly TypeRef[] {
  return [
    ...routine.arguments.map((argument) => argument.type),
    ...(routine.returns === null ? [] : [routine.returns]),
  ];
}

/** `record` and `void` are answers of functions; as arguments, and all the others, they can't come from a client. */
function isPseudo(type: TypeRef): boolean {
  return type.kind === 'pseudo' && type.name !== 'void' && type.name !== 'record';
}

function functionNotCalled(routine: Routine): Warning {
  return {
    code: 'LEFT_OUT',
    message: `The function ${typeKey(routine)} is left out: functions of this kind of database cannot be called yet.`,
    hint: 'Write a procedure with an OUT parameter, or take it out of functions.',
    group: {
      name: typeKey(routine),
      message: 'functions are left out: functions of this kind of database cannot be called yet.',
    },
  };
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
