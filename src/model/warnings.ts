import type { Warning } from './model.js';
import type { ModelOptions } from './options.js';
import type { Patterns } from './patterns.js';
import type { TypeNames } from './type-names.js';

export function movedType(id: string, names: TypeNames): Warning {
  const name = names.tables.get(id)?.type ?? names.enums.get(id) ?? names.composites.get(id) ?? id;
  return {
    code: 'NAME_CHANGED',
    message: `${id} is called ${name} in GraphQL, because the name it would have is taken.`,
    hint: `Choose a name: rename: { '${id}': { name: '…' } }.`,
  };
}

export function movedField(table: string, id: string, name: string): Warning {
  return {
    code: 'NAME_CHANGED',
    message: `${id} is the field ${name} of ${table}, because the name it would have is taken.`,
    hint: `Choose a name: rename: { '${table}': { columns: { … }, relations: { … } } }.`,
  };
}

export function notInGraphql(table: string): Warning {
  return {
    code: 'NOT_IN_GRAPHQL',
    message: `${table} has no columns: GraphQL has no types without fields, so only REST serves it.`,
    hint: 'Give it a column, or list it in exclude.',
  };
}

export function lostKey(table: string): Warning {
  return {
    code: 'LEFT_OUT',
    message: `A column of the primary key of ${table} is excluded, so its rows can't be looked up by key.`,
    hint: 'Take the column out of exclude if that is not what you want.',
  };
}

export function unusedRename(what: string): Warning {
  return {
    code: 'OPTION_UNUSED',
    message: `The configuration renames ${what}, which is not there.`,
    hint: 'Correct the name, or remove the entry from rename.',
  };
}

/** Entries of the configuration that name nothing: most likely misspelt. `known` are the names that `rename` may have. */
export function unusedOptions(
  options: ModelOptions,
  known: ReadonlySet<string>,
  patterns: readonly Patterns[],
): readonly Warning[] {
  return [
    ...Object.keys(options.rename ?? {})
      .filter((name) => !known.has(name))
      .map(unusedRename),
    ...patterns
      .flatMap((each) => each.unused())
      .map((pattern): Warning => ({
        code: 'OPTION_UNUSED',
        message: `Nothing in the database is called ${pattern}, which the configuration names.`,
        hint: 'Correct the entry, or remove it.',
      })),
  ];
}
