import { expect, test } from '@jest/globals';
import { createCompiler } from '../../../runtime/src/request/graphql/compile.js';
import { schemaOf } from '../../support/live-schema.js';
import { board, boardRegistry } from '../../support/registry.js';
import { settingsWith } from '../../support/settings.js';

const compile = createCompiler(schemaOf(board), boardRegistry, settingsWith());

function shape(query: string, variables?: Readonly<Record<string, unknown>>): string {
  const compiled = compile({ query, variables });
  if ('errors' in compiled) throw new Error(compiled.errors.map(({ message }) => message).join());
  return compiled.shape;
}

const filtered = 'query($w: KanbanIssuesWhereInput) { kanbanIssues(where: $w) { id } }';
const searched = 'query($s: TextSearch) { kanbanIssues(where: {search: {search: $s}}) { id } }';
const paged = 'query($n: Int, $o: Int) { kanbanIssues(limit: $n, offset: $o) { id } }';
const connected = 'query($n: Int) { kanbanIssuesConnection(first: $n) { nodes { id } } }';
const ordered = 'query($o: [KanbanIssuesOrderByInput!]) { kanbanIssues(orderBy: $o) { id } }';

test.each([
  ['other values', filtered, { w: { id: { eq: 1 } } }, { w: { id: { eq: 2 } } }],
  ['lists of values of other lengths', filtered, { w: { id: { in: [1] } } }, { w: { id: { in: [1, 2, 3] } } }],
  ['enum values of the database', filtered, { w: { status: { eq: 'todo' } } }, { w: { status: { eq: 'done' } } }],
  ['JSON of any form', filtered, { w: { metadata: { contains: {} } } }, { w: { metadata: { contains: [1] } } }],
  ['searches', searched, { s: 'a' }, { s: 'b' }],
  ['limits and offsets of one magnitude', paged, { n: 1, o: 17 }, { n: 16, o: 64 }],
])('%s have one shape', (_what, query, some, others) => {
  expect(shape(query, some)).toBe(shape(query, others));
});

test.each([
  ['nothing and null', filtered, {}, { w: null }],
  ['another operator', filtered, { w: { id: { eq: 1 } } }, { w: { id: { gt: 1 } } }],
  ['another column', filtered, { w: { id: { eq: 1 } } }, { w: { points: { eq: 1 } } }],
  [
    'more conditions',
    filtered,
    { w: { or: [{ id: { eq: 1 } }] } },
    { w: { or: [{ id: { eq: 1 } }, { id: { eq: 2 } }] } },
  ],
  ['null inside', filtered, { w: { id: { eq: 1 } } }, { w: { id: { eq: null } } }],
  ['isNull true and false', filtered, { w: { id: { isNull: true } } }, { w: { id: { isNull: false } } }],
  ['a search with a configuration', searched, { s: 'a' }, { s: { query: 'a', config: 'english' } }],
  ['a search without one', searched, { s: { query: 'a' } }, { s: { query: 'a', config: 'english' } }],
  ['another direction', ordered, { o: { id: 'ASC' } }, { o: { id: 'DESC' } }],
  ['a limit of another magnitude', paged, { n: 16 }, { n: 17 }],
  ['an offset of another magnitude', paged, { o: 64 }, { o: 65 }],
  ['a page of another magnitude', connected, { n: 64 }, { n: 100 }],
  ['keys in another order', ordered, { o: { id: 'ASC', title: 'ASC' } }, { o: { title: 'ASC', id: 'ASC' } }],
])('%s have two shapes', (_what, query, some, others) => {
  expect(shape(query, some)).not.toBe(shape(query, others));
});

test('a document is parsed and validated once, and each operation of it has shapes of its own', () => {
  const query = 'query A { kanbanIssues { id } } query B { kanbanIssues { id } }';
  const ask = (operationName: string): string => {
    const compiled = compile({ query, operationName });
    return 'errors' in compiled ? '' : compiled.shape;
  };
  expect(ask('A')).toBe(ask('A'));
  expect(ask('A')).not.toBe(ask('B'));
  const [first, second] = [
    compile({ query: '{ kanbanIssues { id } }' }),
    compile({ query: '{ kanbanIssues { id } }' }),
  ];
  if ('errors' in first || 'errors' in second) throw new Error('refused');
  expect(first.operation).toBe(second.operation);
});

test('variables that are not of their types are refused with what was wrong', () => {
  const compiled = compile({ query: filtered, variables: { w: { id: { eq: 'x' } } } });
  expect(compiled).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
});
