import { vocabulary, type ColumnType } from '@tablewright/runtime/model';
import { emitDialects } from './dialects/index.js';
import type { Doc } from './source/doc.js';
import type { Imports } from './source/file.js';

const constants: ReadonlyMap<string, ReadonlyMap<string, string>> = new Map(
  Object.entries(emitDialects).map(([dialect, { vocabulary: words }]) => [dialect, constantsOf(words)]),
);

/** The words without arguments, by the type that each names. */
function constantsOf(words: object): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(words).flatMap(([name, type]: [string, unknown]) =>
      typeof type === 'object' ? [[JSON.stringify(type), name]] : [],
    ),
  );
}

/** Names of the vocabulary: constants of files that use it need other names. */
export const vocabularyNames: ReadonlySet<string> = new Set(Object.keys(vocabulary));

/**
 * A column's type in the vocabulary of its dialect's types.ts: `tw.arrayOf(tw.text)`,
 * `tw.mysql.varchar`.
 */
export function typeExpression(type: ColumnType, imports: Imports): Doc {
  const { namespace, expression } = emitDialects[imports.dialect];
  const word = (name: string): string => imports.runtime(`${namespace}${name}`);
  const constant = constants.get(imports.dialect)?.get(JSON.stringify(type));
  if (constant !== undefined) return word(constant);
  return expression(type, { word, expression: (part) => typeExpression(part, imports) });
}
