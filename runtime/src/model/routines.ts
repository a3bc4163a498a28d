import type { Catalog, Routine, TypeRef } from '../catalog/catalog.js';
import type { ProcedureDescriptor } from '../descriptor/descriptor.js';
import { allocate } from './allocate.js';
import { described } from './description.js';
import { folderName } from './files.js';
import type { ProcedureModel, Warning } from './model.js';
import { compareText } from '../compare-text.js';
import { isCanonical } from './names.js';
import { callNameOf, schemaSuffixes, type NamingRules } from './naming-rules.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { Patterns } from './patterns.js';
import { argumentsOf, movedRoutine, renamedTo, routineId } from './routine-names.js';
import { typeKey, type TypeResolver } from './types.js';

/** The procedures, as mutation fields, except those that answer rows. */
export function buildProcedures(
  catalog: Catalog,
  exclude: Patterns,
  options: ModelOptions,
  rules: NamingRules,
  resolve: TypeResolver,
  /** The mutation fields of tables, which no routine may take. */
  taken: ReadonlySet<string>,
  warnings: Warning[],
): readonly ProcedureModel[] {
  const exposed = sortedRoutines(catalog, exclude).filter((routine) => {
    if (routine.kind !== 'procedure' || options.procedures?.[typeKey(routine)] !== undefined) return false;
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
        suffixes: schemaSuffixes(rules),
        names: (suffix) => [name ?? callNameOf(routine, rules, suffix)],
        ...(name === undefined ? {} : { fixed: typeKey(routine) }),
      };
    }),
    taken,
  );
  return exposed.map((routine) => {
    const id = routineId(routine);
    const field = renamedTo(routine, options) ?? callNameOf(routine, rules, suffixes.get(id) ?? '');
    if (moved.includes(id)) warnings.push(movedRoutine(routine, field));
    return {
      descriptor: describe(routine, field, rules, resolve),
      folder: folderName(routine.schema),
      comment: routine.comment,
    };
  });
}

function describe(routine: Routine, field: string, rules: NamingRules, resolve: TypeResolver): ProcedureDescriptor {
  return {
    field,
    kind: routine.kind,
    schema: routine.schema,
    name: routine.name,
    arguments: argumentsOf(routine, resolve, rules),
    ...described(routine.comment),
  };
}

/** Routines that are not excluded, by schema, name and signature. */
export function sortedRoutines(catalog: Catalog, exclude: Patterns): readonly Routine[] {
  return catalog.routines
    .filter((routine) => !exclude.matches(routine.schema, routine.name))
    .sort(
      (a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name) || compareText(a.signature, b.signature),
    );
}

export function allTypes(routine: Routine): readonly TypeRef[] {
  return [
    ...routine.arguments.map((argument) => argument.type),
    ...(routine.returns === null ? [] : [routine.returns]),
  ];
}

/**
 * `record` and `void` are answers of functions; as arguments, and all the others, they can't come
 * from a client.
 */
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
