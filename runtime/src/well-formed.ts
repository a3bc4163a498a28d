/**
 * Half of a surrogate pair. No encoding of a database has it: sent as UTF-8 it would become U+FFFD,
 * another text than the client's.
 */
const half = /\p{Surrogate}/u;

const escapedHalf = /\\u[dD][89a-fA-F]/;

/** Whether the text has no half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => !half.test(text);

/**
 * Whether no text in JSON has half of a surrogate pair, names of members among them. Looks closer
 * only at JSON that escapes a surrogate.
 */
export function hasWellFormedTexts(json: string): boolean {
  if (!escapedHalf.test(json)) return true;
  let holds = true;
  JSON.parse(json, (name, value: unknown) => {
    if (!isWellFormed(name) || (typeof value === 'string' && !isWellFormed(value))) holds = false;
    return value;
  });
  return holds;
}

/** The text of the error for the client. */
export const halfOfPair = {
  message: 'A text has half of a surrogate pair, which is not a character.',
  hint: 'A character beyond U+FFFF is two escapes in JSON: "\\ud83d\\ude00".',
} as const;
