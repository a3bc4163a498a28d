import type { ModelOptions } from '../model/options.js';

/** The options that say how a database is named. How numbers are written is a setting of the server, and the others have no part in it. */
const namingOptions = [
  'rename',
  'exclude',
  'functions',
  'notNull',
  'keys',
  'relations',
  'enumOutput',
] as const satisfies readonly (keyof ModelOptions)[];

type NamingOptions = Pick<ModelOptions, (typeof namingOptions)[number]>;

/** What a server has to know to read and name a changed database as the generator would. Types of numbers are settings. */
export interface Naming extends NamingOptions {
  /** The schemas that were read; absent: every one that is not the system's. */
  readonly schemas?: readonly string[];
}

/** The options that say how a database is named, of whatever holds them; those that are not given are left out. */
export function namingOptionsOf(options: NamingOptions): NamingOptions {
  const given = namingOptions.map((name) => [name, options[name]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
}
