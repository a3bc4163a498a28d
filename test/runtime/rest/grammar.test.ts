import { readFileSync } from 'node:fs';
import { ServerError } from '../../../runtime/src/errors.js';
import { negotiate } from '../../../runtime/src/request/rest/grammar/accept.js';
import { ShapeBuilder } from '../../../runtime/src/request/rest/grammar/shape-builder.js';
import { parseComparison } from '../../../runtime/src/request/rest/grammar/filter.js';
import { readList } from '../../../runtime/src/request/rest/grammar/list.js';
import { parseGroup } from '../../../runtime/src/request/rest/grammar/logic.js';
import { readParameterName } from '../../../runtime/src/request/rest/grammar/name.js';
import { parseOrder } from '../../../runtime/src/request/rest/grammar/order.js';
import { parseCount } from '../../../runtime/src/request/rest/grammar/page.js';
import { parseParameters } from '../../../runtime/src/request/rest/grammar/parameters.js';
import { parseColumnPath } from '../../../runtime/src/request/rest/grammar/path.js';
import { parsePrefer } from '../../../runtime/src/request/rest/grammar/prefer.js';
import { parseRange } from '../../../runtime/src/request/rest/grammar/range.js';
import { Scanner } from '../../../runtime/src/request/rest/grammar/scanner.js';
import { parseSelect } from '../../../runtime/src/request/rest/grammar/select.js';
import { parseTarget } from '../../../runtime/src/request/rest/grammar/target.js';
import { parseVector } from '../../../runtime/src/request/rest/grammar/vector.js';
import { boardRegistry, tableOf } from '../../support/registry.js';

const table = tableOf(boardRegistry, 'kanbanLabels');

/** The parsers whose docstrings have strings to accept and to reject. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  accept: (text) => negotiate(text),
  filter: (text) => parseComparison('a', 'a', text, new ShapeBuilder('')),
  list: (text) => {
    const scanner = new Scanner(text, 'a');
    const list = readList(scanner);
    if (!scanner.done) throw scanner.error('expected the end');
    return list;
  },
  logic: (text) => parseGroup('or', false, 'or', text, new ShapeBuilder('')),
  name: (text) => readParameterName(text, table),
  order: (text) => parseOrder(text, 'order'),
  page: (text) => parseCount(text, 'limit'),
  parameters: (text) => parseParameters(text),
  path: (text) => parseColumnPath(text, 'a'),
  prefer: (text) => parsePrefer(text),
  range: (text) => parseRange(text),
  select: (text) => parseSelect(text),
  target: (text) => parseTarget(text, 100),
  vector: (text) => parseVector(text, 'a'),
};

/**
 * The strings in the `@accepts` or `@rejects` lines of a parser's docstring. Two backticks are the
 * empty text.
 */
function examples(file: string, tag: 'accepts' | 'rejects'): readonly string[] {
  const source = readFileSync(new URL(`../../../runtime/src/request/rest/grammar/${file}.ts`, import.meta.url), 'utf8');
  return source
    .split('\n')
    .filter((line) => line.startsWith(` * @${tag} `))
    .flatMap((line) => [...line.matchAll(/`([^`]*)`/g)].map(([, text]) => (text ?? '').replaceAll('\\/', '/')));
}

describe.each(Object.keys(parsers))('the grammar of %s', (file) => {
  const parse = parsers[file] ?? (() => undefined);

  test.each(examples(file, 'accepts'))('accepts «%s»', (text) => {
    expect(() => parse(text)).not.toThrow();
  });

  test.each(examples(file, 'rejects'))('rejects «%s»', (text) => {
    expect(() => parse(text)).toThrow(ServerError);
  });
});
