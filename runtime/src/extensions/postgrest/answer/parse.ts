import type { ErrorReason } from '../../../errors.js';

/** Ours on the left, PostgREST's on the right. */
const expectations: ReadonlyMap<string, string> = new Map([
  ['the name of a column', 'field name (* or [a..z0..9_$])'],
  ['a column, `and(` or `or(`', 'field name (* or [a..z0..9_$]), negation operator (not) or logic operator (and, or)'],
  ['`,` or the end', '"," or end of input'],
  ['`.`', 'delimiter (.)'],
  ['`(`', '"("'],
  ['`)`', '")"'],
]);

/**
 * The message of PGRST100 and its details. Mostly the details name one expectation, where PostgREST
 * lists all of them. Source: PostgREST, "Errors"; Parsec's messages.
 * @param otherwise the details where it is not known what was expected
 */
export function parseProblem(
  { parameter, text, at, expected, found = text.charAt(at) }: Extract<ErrorReason, { kind: 'parse' }>,
  otherwise: string,
): { readonly message: string; readonly details: string } {
  const name = /(?:^|\.)([^.]*)$/.exec(parameter)?.[1] ?? '';
  const isLogic = name === 'or' || name === 'and';
  // The operator is read with its group.
  const before = isLogic ? (/(?:^|\.)((?:not\.)?(?:or|and))$/.exec(parameter)?.[1]?.length ?? 0) : 0;
  const what = isLogic ? 'logic tree' : (parameters.get(name) ?? 'filter');
  const wanted = expected === undefined ? '' : (expectations.get(expected) ?? expected);
  // Parsec writes a character in single quotes where the text might have ended.
  const quoted = wanted.endsWith('end of input') ? `'${found}'` : JSON.stringify(found);
  return {
    message: `"failed to parse ${what} (${text})" (line 1, column ${String(at + before + 1)})`,
    details:
      expected === undefined ? otherwise : `unexpected ${found === '' ? 'end of input' : quoted} expecting ${wanted}`,
  };
}

const parameters: ReadonlyMap<string, string> = new Map([
  ['select', 'select parameter'],
  ['columns', 'columns parameter'],
  ['on_conflict', 'on_conflict parameter'],
  ['order', 'order'],
]);
