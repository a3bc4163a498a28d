import type { Parameter } from '../../../plan/parameter.js';
import type { Slot } from '../../../plan/statement.js';
import { scalarText, type Encode } from '../../sql/encode.js';
import { createSlot } from '../../sql/slot.js';

/**
 * Queries of MATCH … AGAINST in BOOLEAN MODE, from any text. A required word that the index leaves
 * out (a stop word, a short word) finds no row, and only the index knows which words these are. In
 * a phrase InnoDB passes over such words. `"a b"@1000000` requires all words of the phrase, in any
 * order.
 * Sources: MariaDB manual, "Full-Text Index Overview" and "Full-Text Index Stopwords"; MySQL 8.0
 * manual, "Boolean Full-Text Searches" (`@distance`).
 */

/** A distance in words that no document has. */
const anywhere = '@1000000';

/** InnoDB takes 128 words in a phrase, and splits at more characters than are split at here. */
const wordsOfPhrase = 60;

export const isSearch = (operator: string): boolean => queries.has(operator);

export const searchSlot = (operator: string, of: Parameter): Slot =>
  createSlot(of, () => queries.get(operator) ?? scalarText, 'tsquery');

/** The encoders by the ids of operators. */
const queries: ReadonlyMap<string, Encode> = new Map<string, Encode>([
  ['search', (given) => allWords(scalarText(given))],
  ['phraseSearch', (given) => phrases(scalarText(given)).join(' ')],
  ['webSearch', (given) => webQuery(scalarText(given))],
  ['rawSearch', scalarText],
]);

/** `+"quick the fox"@1000000`: the index splits at everything that is no letter and no digit. */
const allWords = (text: string): string => groupsOf(wordsOf(text)).map(near).join(' ');

const near = (words: readonly string[]): string => `+"${words.join(' ')}"${words.length === 1 ? '' : anywhere}`;

/** A long phrase as shorter phrases, of which each begins with the last word of the one before. */
function phrases(text: string): readonly string[] {
  const words = wordsOf(text);
  return groupsOf(words).map((_, at) => {
    const start = at * wordsOfPhrase;
    return `+"${words.slice(Math.max(0, start - 1), start + wordsOfPhrase).join(' ')}"`;
  });
}

const wordsOf = (text: string): readonly string[] => text.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];

const groupsOf = (words: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(words.length / wordsOfPhrase) }, (_, at) =>
    words.slice(at * wordsOfPhrase, (at + 1) * wordsOfPhrase),
  );

interface Term {
  readonly text: string;
  readonly excluded: boolean;
}

/**
 * The syntax of PostgreSQL's `websearch_to_tsquery`: `or` binds less than the space, and a quote
 * without its end quotes the rest.
 * Source: PostgreSQL manual, "Parsing Queries".
 */
function webQuery(text: string): string {
  const alternatives: Term[][] = [[]];
  for (const [, minus = '', phrase, word = ''] of text.matchAll(/((?:-\s*)*)(?:"([^"]*)(?:"|$)|([^\s"]+))/g)) {
    const isOr = minus === '' && /^or$/i.test(word);
    if (isOr && alternatives.at(-1)?.length !== 0) alternatives.push([]);
    else alternatives.at(-1)?.push({ text: phrase ?? word, excluded: minus.replace(/\s/g, '').length % 2 === 1 });
  }
  const queries = alternatives.map(conjunction).filter((query) => query !== '');
  return queries.length > 1 ? queries.map((query) => `(${query})`).join(' ') : (queries[0] ?? '');
}

/**
 * The words of phrases are among all words, so that an alternative of a phrase and stop words finds
 * the phrase. A word such as `e-mail` is the phrase of its parts.
 */
function conjunction(terms: readonly Term[]): string {
  const required = terms.filter(({ excluded }) => !excluded);
  const isPhrase = ({ text }: Term): boolean => wordsOf(text).length > 1;
  return [
    allWords(required.map(({ text }) => text).join(' ')),
    ...required.filter(isPhrase).flatMap(({ text }) => phrases(text)),
    ...terms.filter(({ excluded }) => excluded).flatMap(({ text }) => excludedPhrase(text)),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function excludedPhrase(text: string): readonly string[] {
  const words = wordsOf(text).slice(0, wordsOfPhrase);
  return words.length === 0 ? [] : [`-"${words.join(' ')}"`];
}
