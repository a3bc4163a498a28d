import { GraphQLError, parse, Source, type DocumentNode } from 'graphql';
import { TablewrightError } from '../../errors.js';

/**
 * Parses one GraphQL text of a file. `line` and `column` say where in the file it begins, counted
 * from 1.
 */
export function parseText(text: string, file: string, line = 1, column = 1): DocumentNode {
  try {
    return parse(new Source(text, file, { line, column }));
  } catch (cause) {
    if (!(cause instanceof GraphQLError)) throw cause;
    const at = line + (cause.locations?.[0]?.line ?? 1) - 1;
    throw unreadable(`${file}:${String(at)} is not GraphQL: ${cause.message}`, cause);
  }
}

/** Says that a file of `--documents` cannot be read as what its name says. */
export const unreadable = (message: string, cause?: unknown): TablewrightError =>
  new TablewrightError('USAGE', message, 'Correct the file, or leave it out of --documents.', { cause });

/** The line, from 1, of a place in a text. */
export function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
