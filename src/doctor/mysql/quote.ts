import { mysqlQuoted as quoted, type QualifiedName } from '@tablewright/runtime/model';

export { quoted };

export const quotedPath = ({ schema, name }: QualifiedName): string => `${quoted(schema)}.${quoted(name)}`;

export const quotedList = (names: readonly string[]): string => names.map(quoted).join(', ');

export const quotedText = (text: string): string => `'${text.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;

/** An account, `name@host`, as SQL: `'name'@'host'`. A role has no host. */
export function quotedAccount(account: string): string {
  const at = account.lastIndexOf('@');
  return at === -1 ? quotedText(account) : `${quotedText(account.slice(0, at))}@${quotedText(account.slice(at + 1))}`;
}
