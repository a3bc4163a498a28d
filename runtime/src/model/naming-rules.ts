import { secondChoice } from './allocate.js';
import { camelName, camelWords, legalName, legalStart, lowerCamel, pascal, withSuffix } from './names.js';
import type { ModelOptions } from '../descriptor/options.js';
import type { ScopedTable } from './scope.js';

/** How names are derived, as `names` of the configuration says. Source: decision 001. */
export interface NamingRules {
  /** Whether names begin with their schema. */
  readonly prefixed: boolean;
  /** Whether columns, attributes and arguments are in camel case. */
  readonly camel: boolean;
  /** Whether relations are called after a column or a table alone. */
  readonly simple: boolean;
}

/**
 * Several schemas are served where tables of several are: the same that makes profile headers
 * necessary.
 */
export function namingRules({ names = {} }: ModelOptions, tables: readonly Pick<ScopedTable, 'facts'>[]): NamingRules {
  const { schemaPrefix = 'always', columns = 'database', relations = 'contract' } = names;
  const isSeveral = new Set(tables.map(({ facts }) => facts.schema)).size > 1;
  return {
    prefixed: schemaPrefix === 'always' || (schemaPrefix === 'several' && isSeveral),
    camel: columns === 'camel',
    simple: relations === 'simple',
  };
}

interface Named {
  readonly schema: string;
  readonly name: string;
}

/**
 * Suffixes of a name that may be made for a schema: without a prefix, the prefix is the second
 * choice.
 */
export const schemaSuffixes = ({ prefixed }: NamingRules): readonly string[] => (prefixed ? [] : [secondChoice]);

/** `KanbanIssues`, or `Issues`; with the suffix, which may be the second choice. */
export function typeNameOf({ schema, name }: Named, { prefixed }: NamingRules, suffix: string): string {
  if (prefixed || suffix === secondChoice) {
    return withSuffix(legalStart(pascal(schema) + pascal(name)), suffix === secondChoice ? '' : suffix);
  }
  return withSuffix(legalStart(pascal(name)), suffix);
}

/** `kanbanIssues`, or `issues`. */
export function fieldNameOf({ schema, name }: Named, { prefixed }: NamingRules, suffix: string): string {
  if (prefixed || suffix === secondChoice) {
    return withSuffix(legalStart(lowerCamel(schema) + pascal(name)), suffix === secondChoice ? '' : suffix);
  }
  return withSuffix(legalStart(camelWords(name)), suffix);
}

/** `callShopPlaceOrder`, or `callPlaceOrder`. */
export const callNameOf = ({ schema, name }: Named, { prefixed }: NamingRules, suffix: string): string =>
  prefixed || suffix === secondChoice
    ? `call${pascal(schema)}${pascal(name)}${suffix === secondChoice ? '' : suffix}`
    : `call${pascal(name)}${suffix}`;

/** The name of a column, an attribute, an argument or a computed field. */
export const memberName = (name: string, { camel }: NamingRules): string => (camel ? camelName(name) : legalName(name));

/** Its name with a suffix. In camel case the database's spelling is the second choice. */
export const memberNames = (name: string, rules: NamingRules, suffix: string): readonly string[] =>
  suffix === secondChoice ? [legalName(name)] : [withSuffix(memberName(name, rules), suffix)];

/** Suffixes of a member's name: see `memberNames`. */
export const memberSuffixes = (name: string, rules: NamingRules): readonly string[] =>
  memberName(name, rules) === legalName(name) ? [] : [secondChoice];
