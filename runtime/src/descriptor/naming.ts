import type { ModelOptions } from './options.js';
import type { RestNames } from './registry.js';

/** Where the server's own form of REST is. Source: decision 006. */
export const restPath = '/api/v1';

/**
 * The options that say how a database is named. How numbers are written is a setting of the server,
 * and the others have no part in it.
 */
const namingOptions = [
  'rename',
  'exclude',
  'functions',
  'computed',
  'procedures',
  'types',
  'notNull',
  'optional',
  'keys',
  'relations',
  'names',
  'relay',
  'enumOutput',
] as const satisfies readonly (keyof ModelOptions)[];

type NamingOptions = Pick<ModelOptions, (typeof namingOptions)[number]>;

/**
 * The options with which a server reads and names a changed database like the generator. Types of
 * numbers are settings.
 */
export interface Naming extends NamingOptions {
  /** The schemas that were read; absent: every schema except those of the database system. */
  readonly schemas?: readonly string[];
  /**
   * The objects that `exclude` named when the code was generated: a change of the database must not
   * show them under another name.
   */
  readonly excluded?: readonly string[];
}

/** The options of names in a larger object; absent options are left out. */
export function namingOptionsOf(options: NamingOptions): NamingOptions {
  const given = namingOptions.map((name) => [name, options[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}

/** Columns in camel case are called by one name in both protocols. */
export const restNamesBy = (options: Pick<NamingOptions, 'names'> | undefined): RestNames =>
  options?.names?.columns === 'camel' ? 'field' : 'database';
