/** An identifier for SQL that Kysely does not build, such as SQL to paste. */
export const quoted = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
