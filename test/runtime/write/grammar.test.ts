import { readFileSync } from 'node:fs';
import { ServerError } from '../../../runtime/src/errors.js';
import { parseNames } from '../../../runtime/src/request/rest/write/parse-write.js';
import { parseCsv } from '../../../runtime/src/request/rest/write/csv.js';

/** The parsers of writes whose docstrings have strings to accept and to reject. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  'write/parse-write': (text) => parseNames(text, 'columns'),
  'write/csv': parseCsv,
};

/**
 * Two backticks are the empty text; `\n` and `\r` have the meaning that they have in JavaScript.
 */
function examples(file: string, tag: 'accepts' | 'rejects'): readonly string[] {
  const source = readFileSync(new URL(`../../../runtime/src/request/rest/${file}.ts`, import.meta.url), 'utf8');
  return source
    .split('\n')
    .filter((line) => line.startsWith(` * @${tag} `))
    .flatMap((line) => [...line.matchAll(/`([^`]*)`/g)].map(([, text]) => text ?? ''))
    .map((text) => text.replaceAll('\\n', '\n').replaceAll('\\r', '\r'));
}

describe.each(Object.entries(parsers))('%s', (file, parse) => {
  test.each(examples(file, 'accepts'))('accepts %j', (text) => {
    expect(parse(text)).toBeDefined();
  });

  test.each(examples(file, 'rejects'))('rejects %j', (text) => {
    expect(() => parse(text)).toThrow(ServerError);
  });
});

test.each<[string, unknown]>([
  ['a,b\n1,2\n', [{ a: '1', b: '2' }]],
  ['a,b\r\n1,\r\n', [{ a: '1', b: null }]],
  ['a\n""\nNULL\n"NULL"\n', [{ a: '' }, { a: null }, { a: 'NULL' }]],
  ['a\n"x, ""y""\nz"', [{ a: 'x, "y"\nz' }]],
  ['a,b\n,', [{ a: null, b: null }]],
  ['a', []],
])('CSV %j', (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});
