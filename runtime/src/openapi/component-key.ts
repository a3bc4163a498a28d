/**
 * The name of a component: a name of the database, and what kind of component it is. Different
 * names have different keys: a character that a key may not have is written as its code point, in
 * hexadecimal between hyphens. Source: https://spec.openapis.org/oas/v3.1.0#components-object
 */
export const componentKey = (name: string, kind: string): string =>
  `${name.replace(/[^A-Za-z0-9_]/gu, (character) => `-${(character.codePointAt(0) ?? 0).toString(16)}-`)}.${kind}`;
