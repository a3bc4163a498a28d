import { readFile } from 'node:fs/promises';
import { positionAt, type Position } from './code-frame.js';

/**
 * Where a text is not what its language allows. The reason never quotes the text: it may hold a
 * password.
 */
export interface SyntaxMistake {
  readonly text: string;
  readonly reason: string;
  readonly position: Position;
}

/**
 * The first syntax error of a TypeScript or JavaScript file, by TypeScript itself: other parsers
 * give up elsewhere. Its compiler is loaded only here.
 */
export async function findSyntaxError(path: string): Promise<SyntaxMistake | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const { ts } = await import('ts-morph');
  const { diagnostics = [] } = ts.transpileModule(text, {
    fileName: path,
    reportDiagnostics: true,
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ESNext, allowJs: true },
  });
  const [first] = diagnostics
    .filter(({ start }) => start !== undefined)
    .sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
  if (first === undefined) return undefined;
  const reason = ts.flattenDiagnosticMessageText(first.messageText, ' ').replace(/\.$/, '');
  return { text, reason, position: positionAt(text, first.start ?? 0) };
}

/**
 * Where JSON.parse gave up. Its message has a position only for some errors, so the place is found
 * by parsing beginnings of the text: up to the mistake, nothing is wrong with one but that it ends.
 */
export function jsonErrorOffset(text: string, error: unknown): number {
  const stated = positionOf(error);
  if (stated !== undefined) return stated;
  let good = 0;
  let bad = text.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (isBeginning(text.slice(0, middle))) good = middle;
    else bad = middle;
  }
  return good;
}

function isBeginning(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    if (String(error).includes('Unexpected end of JSON input')) return true;
    const position = positionOf(error);
    // The end of an unfinished string is its beginning to some messages.
    return position !== undefined && (position >= text.length || String(error).includes('Unterminated string'));
  }
}

function positionOf(error: unknown): number | undefined {
  const found = / at position (\d+)/.exec(String(error));
  return found === null ? undefined : Number(found[1]);
}
