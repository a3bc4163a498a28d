import type { Routine } from '../catalog/catalog.js';
import type { Contested, MovedField } from './allocate.js';
import type { Warning } from './model.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { Patterns } from './patterns.js';
import type { TypeNames } from './type-names.js';
import { typeKey } from './types.js';

export function movedType(id: string, names: TypeNames): Warning {
  const name = names.tables.get(id)?.type ?? names.enums.get(id) ?? names.composites.get(id) ?? id;
  return {
    code: 'NAME_CHANGED',
    message: `${id} is called ${name} in GraphQL, because ${taken(names.contested.get(id))}.`,
    hint: `Choose a name: rename: { '${id}': { name: '…' } }.`,
    group: {
      name: `${id} (${name})`,
      message: 'types have another name in GraphQL, because their name is taken.',
    },
  };
}

export function movedField(table: string, { id, name, contested, entry }: MovedField): Warning {
  return {
    code: 'NAME_CHANGED',
    message: `${id} is the field ${name} of ${table}, because ${taken(contested)}.`,
    hint:
      entry === undefined
        ? `Choose a name for the other: rename: { '${table}': { columns: { … } } }.`
        : `Choose a name: rename: { '${table}': { ${entry.option}: { ${quoteKey(entry.key)}: '…' } } }.`,
    group: {
      name: `${table}: ${id} (${name})`,
      message: 'fields have another name than their rule gives them, because that name is taken.',
    },
  };
}

/** Why a name was not given: `the name it would have, labels, is taken by kanban.issues.labels`. */
function taken(contested: Contested | undefined): string {
  if (contested === undefined) return 'its name is taken';
  const { name, others } = contested;
  const holder = others.length === 0 ? 'GraphQL or tablewright itself' : others.join(' and ');
  return `the name it would have, ${name.slice(name.indexOf(':') + 1)}, is taken by ${holder}`;
}

/** A key of an object, as one writes it in the configuration. */
const quoteKey = (key: string): string => (/^[A-Za-z_$][\w$]*$/.test(key) ? key : `'${key.replace(/['\\]/g, '\\$&')}'`);

export function notInGraphql(table: string): Warning {
  return {
    code: 'NOT_IN_GRAPHQL',
    message: `${table} has no columns: GraphQL has no types without fields, so only REST serves it.`,
    hint: 'Give it a column, or list it in exclude.',
    group: {
      name: table,
      message: 'tables have no columns: GraphQL has no types without fields, so only REST serves them.',
    },
  };
}

export function lostKey(table: string): Warning {
  return {
    code: 'LEFT_OUT',
    message: `A column of the primary key of ${table} is excluded, so its rows can't be looked up by key.`,
    hint: 'If the column is needed, remove it from exclude.',
    group: {
      name: table,
      message: 'tables have a primary key with an excluded column: their rows can’t be looked up by key.',
    },
  };
}

export function keepsWrites(table: string): Warning {
  return {
    code: 'NO_TRANSACTIONS',
    message: `The engine of ${table} has no transactions: MariaDB keeps its writes when they are rolled back.`,
    hint: 'Requests that promise to undo writes are refused. Change the table: alter table … engine = InnoDB. See docs/mysql.md#tables-without-transactions.',
    group: {
      name: table,
      message: 'tables have an engine without transactions: MariaDB keeps their writes when they are rolled back.',
    },
  };
}

/** Why a view's definition says nothing of its columns: of one view, and of several. */
const unreadReasons = {
  hidden: [
    'the database does not show its definition to this user',
    'definitions that the database does not show to this user',
  ],
  unknown: ['its definition has a form that is not understood', 'definitions of a form that is not understood'],
} as const;

export function viewWithoutKey(view: string, unread: 'hidden' | 'unknown'): Warning {
  const [reason, several] = unreadReasons[unread];
  const names = `ame them in the configuration: keys: { '${view}': ['…'] }, and relations. See docs/graphql.md#views.`;
  return {
    code: 'LEFT_OUT',
    message: `The key and the relations of the view ${view} are not known, because ${reason}.`,
    hint: unread === 'hidden' ? `Grant the user SHOW VIEW, or n${names}` : `N${names}`,
    group: { name: view, message: `views have ${several}: their keys and relations are not known.` },
  };
}

export function brokenView(view: string): Warning {
  return {
    code: 'VIEW_BROKEN',
    message: `The view ${view} cannot be read: the account that it runs as or something that it uses is gone, or it may not use it.`,
    hint: 'Each request of it fails. Create it again with a DEFINER that exists (tablewright doctor names it), or list it in exclude.',
    group: {
      name: view,
      message:
        'views cannot be read: the accounts that they run as or something that they use are gone, or they may not use it.',
    },
  };
}

/** How many names one warning lists. */
const listed = 5;

/** One warning for all of them: a schema may have hundreds. */
export function volatileFunctions(routines: readonly [Routine, ...Routine[]]): Warning {
  const [{ schema, name, signature }] = routines;
  return {
    code: 'LEFT_OUT',
    message: `VOLATILE functions are not fields of their rows, because reading a field must not write. Left out: ${someOf(routines)}.`,
    hint: `Mark a function that only reads as STABLE, and generate again: alter function ${quoteName(schema)}.${quoteName(name)}(${signature}) stable; List the others in exclude.`,
  };
}

/** One warning for all of them, as above. */
export function functionsLeftOut(routines: readonly [Routine, ...Routine[]]): Warning {
  return {
    code: 'LEFT_OUT',
    message: `Functions are left out, because no client can give or take a value of their types: ${someOf(routines)}.`,
    hint: 'Give them arguments and results of ordinary types, such as TABLE (…) for record, or list them in exclude.',
  };
}

function someOf(routines: readonly Routine[]): string {
  const names = routines.slice(0, listed).map(typeKey).join(', ');
  return routines.length > listed ? `${names} and ${String(routines.length - listed)} more` : names;
}

/** A name as SQL has it. */
const quoteName = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;

export function unusedRename(what: string): Warning {
  return {
    code: 'OPTION_UNUSED',
    message: `The configuration renames ${what}, which does not exist.`,
    hint: 'Correct the name, or remove the entry from rename.',
    group: { name: what, message: 'names that the configuration renames do not exist.' },
  };
}

/**
 * Entries of the configuration that name nothing: most likely misspelt. `known` are the names that
 * `rename` may have.
 */
export function unusedOptions(
  options: ModelOptions,
  known: ReadonlySet<string>,
  exclude: Patterns,
  patterns: readonly Patterns[],
  typed: readonly Patterns[],
): readonly Warning[] {
  return [
    ...Object.keys(options.rename ?? {})
      .filter((name) => !known.has(name))
      .map(unusedRename),
    ...exclude.unused().map((pattern): Warning => unmatched('EXCLUDE_UNMATCHED', pattern)),
    ...unnamed(patterns, 'OPTION_UNUSED'),
    ...unnamed(typed, 'TYPE_UNMATCHED'),
  ];
}

const unnamed = (patterns: readonly Patterns[], code: Warning['code']): readonly Warning[] =>
  patterns.flatMap((each) => each.unused()).map((pattern) => unmatched(code, pattern));

const unmatched = (code: Warning['code'], pattern: string): Warning => ({
  code,
  message: `The configuration names ${pattern}, but the database has no such object.`,
  hint: 'Correct the entry, or remove it.',
  group: { name: pattern, message: 'names in the configuration match no object of the database.' },
});
