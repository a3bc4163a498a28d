/**
 * The rules of `npm run lint` for prose: documentation, messages, help texts (decision 033). Each
 * phrase has the words that it finds, and advice. An exception is a code span, or a comment
 * `<!-- prose-disable-next-line -->` before the paragraph, `eslint-disable-next-line` in code.
 */
const phrases = [
  // Pronouns that a reader has to resolve.
  [/\bnobody(?:'s|’s)/i, 'name the person: "anonymous"'],
  [/\bsomebody\b/i, 'name the person: "another user"'],
  [/\bwho(?:m|so)?ever\b/i, 'name the person: "everyone who"'],
  [/\bone(?:'s|’s)\b/i, '"your"'],
  [/\bthat which\b/i, 'repeat the noun'],
  [/\bwhatever\b/i, '"regardless of", "every"'],
  // Private words, where the field has a standard term.
  [/\b(?:tell|tells|told|telling)\b/i, '"report", "return", "distinguish"'],
  [/\bmeans? nothing\b/i, 'say what happens: "is unknown", "has no effect"'],
  [/\bsays? enough\b/i, 'say what is sufficient'],
  [/\bfree some\b/i, 'repeat the noun: "free disk space"'],
  [/\b(?:of|from|as) before\b/i, '"earlier", "still"'],
  [/(?<!\b(?:there|it) )\b(?:is|are|was|were) no (?!longer\b|more\b|less\b)/i, '"is not a"'],
  [/\b(?:that|which) (?:is|are) none\b/i, '"that does not exist"'],
  [/\bany ?more\b/i, '"no longer"'],
  [/\bf(?:ind|inds|ound) out\b/i, '"detect"'],
  [/\bis written for\b/i, 'say what is supported, and what was run'],
  [/\banew\b/i, '"again"'],
  [/\blately\b/i, 'say when'],
  [/\bmend(?:s|ed|ing)?\b/i, '"fix"'],
  [/\bmy way\b|\bour way\b|\bour side\b/i, 'name the program'],
  // Metaphors.
  [/\brows? (?:has|have) no name\b/i, 'say what is impossible'],
  [/\bsame door\b/i, '"the same way"'],
  [/\brooms?\b/i, '"space", "folder", "module"'],
  [/\b(?:bring|brings) (?:\w+ ){1,4}along\b/i, '"embed"'],
  [/\blikeness\b/i, '"similarity"'],
  [/\bbecome (?:somebody|someone)\b/i, '"act as a user"'],
  [/\b(?:hurry|hurries|drips?|grafts?|delicacy|backlog)\b/i, 'use the standard term'],
  [/\bstands? in the way\b/i, '"block"'],
  // Words without a meaning.
  [/\b(?:very|really|simply|basically|obviously|actually|quite|of course|just)\b/i, 'leave it out'],
  [/\b(?!(?:that|had)\b)([a-z]{2,}) \1\b/i, 'a word is repeated'],
];

/**
 * A variable of the request that is compared as it is: it is '' on a used connection, and NULL on a
 * new one. Source: docs/security.md, "Variables for policies".
 */
const bareVariable =
  /(?<!\b(?:nullif|coalesce)\(\s*(?:\(\s*select\s+)?(?:pg_catalog\.)?)\bcurrent_setting\(\s*'(?:request\.[^']*|…)'/gi;

/** The variables of requests in SQL that are read without NULLIF: `{ words, advice, at }` each. */
export const bareVariablesIn = (code) =>
  [...code.matchAll(bareVariable)].map(({ 0: words, index: at }) => ({
    words,
    advice: "nullif(current_setting('…', true), '')",
    at,
  }));

const mostWords = 40;

/** The phrases of the list in a text without its code: `{ words, advice }` each. */
export const phrasesIn = (text) =>
  phrases.flatMap(([pattern, advice]) => {
    const words = pattern.exec(text)?.[0];
    return words === undefined ? [] : [{ words, advice }];
  });

/** The same, and the sentences that are too long. */
export function problemsOf(text) {
  const sentences = text.split(/(?<=[.!?…]["”)]*)\s+/u).filter((sentence) => countWords(sentence) > mostWords);
  const advice = `at most ${mostWords} words`;
  return [...phrasesIn(text), ...sentences.map((words) => ({ words: `${words.slice(0, 50)}…`, advice }))];
}

const countWords = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
