import pg from 'pg';
import type { QualifiedName } from '@tablewright/runtime/model';

/** An identifier for SQL that a person will paste: always quoted. */
export const quoted = (name: string): string => pg.escapeIdentifier(name);

export const quotedPath = ({ schema, name }: QualifiedName): string => `${quoted(schema)}.${quoted(name)}`;

export const quotedList = (names: readonly string[]): string => names.map(quoted).join(', ');

/** The key and the printed form of an object: its names, joined by dots. */
export const pathOf = ({ schema, name }: QualifiedName, ...parts: readonly string[]): string =>
  [schema, name, ...parts].join('.');

/** `a, b and 3 more`. */
export function listed(names: readonly string[], most = 3): string {
  const rest = names.length - most;
  if (rest > 0) return `${names.slice(0, most).join(', ')} and ${rest} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}
