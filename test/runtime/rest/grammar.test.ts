import { readFileSync } from 'node:fs';
import { ServerError } from '../../../templates/runtime/errors.js';
import { createRegistry, type Table } from '../../../templates/runtime/registry.js';
import { negotiate } from '../../../templates/runtime/request/rest/accept.js';
import { Draft } from '../../../templates/runtime/request/rest/draft.js';
import { parseComparison } from '../../../templates/runtime/request/rest/filter.js';
import { readList } from '../../../templates/runtime/request/rest/list.js';
import { parseGroup } from '../../../templates/runtime/request/rest/logic.js';
import { readParameterName } from '../../../templates/runtime/request/rest/name.js';
import { parseOrder } from '../../../templates/runtime/request/rest/order.js';
import { parseCount } from '../../../templates/runtime/request/rest/page.js';
import { parseParameters } from '../../../templates/runtime/request/rest/parameters.js';
import { parseColumnPath } from '../../../templates/runtime/request/rest/path.js';
import { parsePrefer } from '../../../templates/runtime/request/rest/prefer.js';
import { parseRange } from '../../../templates/runtime/request/rest/range.js';
import { Scanner } from '../../../templates/runtime/request/rest/scanner.js';
import { parseSelect } from '../../../templates/runtime/request/rest/select.js';
import { parseTarget } from '../../../templates/runtime/request/rest/target.js';
import { parseVector } from '../../../templates/runtime/request/rest/vector.js';
import { int4 } from '../../../templates/runtime/types.js';

const table = (): Table => {
  const registry = createRegistry({
    tables: [{ field: 't', type: 'T', schema: 's', name: 't', kind: 'table', columns: [{ name: 'id', type: int4 }] }],
  });
  const [first] = registry.tables;
  if (first === undefined) throw new Error('the registry has no table');
  return first;
};

/** The parsers whose grammar stands above them as strings to accept and to reject. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  accept: (text) => negotiate(text),
  filter: (text) => parseComparison('a', 'a', text, new Draft('')),
  list: (text) => {
    const scanner = new Scanner(text, 'a');
    const list = readList(scanner);
    if (!scanner.done) throw scanner.error('expected the end');
    return list;
  },
  logic: (text) => parseGroup('or', false, 'or', text, new Draft('')),
  name: (text) => readParameterName(text, table()),
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

/** The strings of the `@accepts` or `@rejects` lines of a parser's docstring. Two backticks are the empty text. */
function examples(file: string, tag: 'accepts' | 'rejects'): readonly string[] {
  const source = readFileSync(new URL(`../../../templates/runtime/request/rest/${file}.ts`, import.meta.url), 'utf8');
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
