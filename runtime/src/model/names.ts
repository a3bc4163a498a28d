import { createHash } from 'node:crypto';

/**
 * How database names become GraphQL names. Source: decision 001;
 * https://spec.graphql.org/October2021/#Name.
 */

const wordBreak = /[^\p{L}\p{N}\p{M}]+/u;
const legal = /^[_A-Za-z][_0-9A-Za-z]*$/;
/**
 * Members of every filter input, and what GraphQL reads as a constant: `and`, for instance, can't
 * also be a column.
 */
const taken: ReadonlySet<string> = new Set(['and', 'or', 'not', 'true', 'false', 'null']);

/**
 * `issue_labels` → `IssueLabels`, `Just A Model` → `JustAModel`, `1st` → `1st`: to be joined to a
 * prefix.
 */
export function pascal(name: string): string {
  const parts = name.split(wordBreak).filter((word) => word !== '');
  const word = parts.map(capitalise).join('');
  return ascii(word === '' ? legalName(name) : word);
}

/** `issue_labels` → `issueLabels`. */
export function lowerCamel(name: string): string {
  return uncapitalise(pascal(name));
}

/**
 * `ISSUE_LABELS` and `issue_labels` → `issueLabels`, `URLPath` → `urlPath`, `line_1_2` → `line1_2`:
 * to stand alone.
 */
export function camelWords(name: string): string {
  const words = (isUpperCase(name) ? name.toLowerCase() : name).split(wordBreak).filter((word) => word !== '');
  const [first, ...others] = words;
  if (first === undefined) return legalName(name);
  return ascii(
    others.reduce((joined, word) => {
      // Without it `line_12` and `line_1_2` would be one.
      const between = /[0-9]$/.test(joined) && /^[0-9]/.test(word) ? '_' : '';
      return `${joined}${between}${capitalise(word)}`;
    }, lowerStart(first)),
  );
}

/**
 * The name of a column in camel case: `story_points` → `storyPoints`, `_id` → `_id`, `and` →
 * `and_`.
 */
export function camelName(name: string): string {
  const words = camelWords(name);
  return legalName(name.startsWith('_') && !words.startsWith('_') ? `_${words}` : words);
}

const isUpperCase = (name: string): boolean => name === name.toUpperCase() && name !== name.toLowerCase();

/** `URLPath` → `urlPath`, `ID` → `id`, `Name` → `name`. */
function lowerStart(word: string): string {
  const [capitals = ''] = /^\p{Lu}*/u.exec(word) ?? [];
  const end = capitals.length === word.length || capitals.length <= 1 ? capitals.length : capitals.length - 1;
  return word.slice(0, end).toLowerCase() + word.slice(end);
}

/** The first letter in lower case: `KanbanIssues` → `kanbanIssues`. */
export function uncapitalise(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1);
}

/** A name made of other names, so that it may begin with a digit or with two underscores. */
export function legalStart(name: string): string {
  if (name.startsWith('__')) return `_u005f${name.slice(1)}`;
  return /^[0-9]/.test(name) ? `_${name}` : name;
}

/**
 * The name itself where GraphQL allows it, otherwise the nearest one it allows: `Just A Model` →
 * `Just_A_Model`, `1st` → `_1st`, `naïve` → `na_u00efve`, `__proto__` → `_u005f_proto__`, `and` →
 * `and_`.
 */
export function legalName(name: string): string {
  if (name === '') return '_';
  if (taken.has(name)) return `${name}_`;
  if (legal.test(name)) return legalStart(name);
  return legalStart(ascii(name).replace(/[^_0-9A-Za-z]/g, '_'));
}

/**
 * A name and its distinguishing suffix, without a second underscore between them: two in front
 * would be reserved.
 */
export function withSuffix(name: string, suffix: string): string {
  return name.endsWith('_') && suffix.startsWith('_') ? `${name}${suffix.slice(1)}` : `${name}${suffix}`;
}

/** Whether GraphQL takes it as a name that is not reserved. */
export function isLegalName(name: string): boolean {
  return legal.test(name) && !name.startsWith('__');
}

/** Lower-case words joined by single underscores: the form that a derived name goes back to. */
export function isCanonical(name: string): boolean {
  return /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name);
}

/** Distinguishes names that become equal when mapped. Depends on the database name alone. */
export function fingerprintOf(name: string, length: number): string {
  return createHash('sha256').update(name).digest('hex').slice(0, length);
}

function codePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function capitalise(word: string): string {
  const [first = ''] = word;
  const upper = first.toUpperCase();
  return upper.length === first.length ? upper + word.slice(first.length) : word;
}

function ascii(name: string): string {
  return name.replace(/[^\0-\x7f]/gu, (character) => `_u${codePoint(character).toString(16).padStart(4, '0')}`);
}
