import type { NewNames } from './names.js';

const sql = /\b(select|insert|update|delete|from|join|where|returning)\b/i;

/**
 * Finds old names in texts that are not GraphQL: a table's whole name anywhere; its bare name, and
 * with it those of columns, in SQL and in addresses.
 */
export function mentionOf({ tables }: NewNames): (text: string) => string | undefined {
  return (text) => {
    for (const { from, to, columns } of tables) {
      const name = from.slice(from.indexOf('.') + 1);
      if (from !== to && hasWord(text, from)) return from;
      if (!hasWord(text, name) || !(sql.test(text) || text.includes(`/${name}`))) continue;
      if (from !== to) return name;
      const column = columns.find((each) => hasWord(text, each.from));
      if (column !== undefined) return column.from;
    }
    return undefined;
  };
}

/** Whether a text has a name that is no part of a longer one. */
function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + name.length])) return true;
  }
  return false;
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character);
