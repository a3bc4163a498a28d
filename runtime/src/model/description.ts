/**
 * Characters that end a line or can't be seen: U+2028 and U+2029 end comments, others hide or
 * reorder what follows.
 */
// eslint-disable-next-line no-control-regex
export const invisible = /[\0-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
/** Half of a character. */
export const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * A comment of the database as a GraphQL description: what both a block string and a comment can
 * hold. Empty when nothing is left.
 * Source: https://spec.graphql.org/October2021/#sec-String-Value, block strings.
 */
export function description(text: string | null): string {
  if (text === null) return '';
  return text
    .replace(/\r\n?/g, '\n')
    .replace(invisible, '')
    .replace(loneSurrogate, '\ufffd')
    .split('\n')
    .map((row) => row.trimEnd())
    .join('\n')
    .trim();
}

/** The description of a descriptor; no member where the comment says nothing. */
export function described(comment: string | null): { readonly description?: string } {
  const text = description(comment);
  return text === '' ? {} : { description: text };
}
