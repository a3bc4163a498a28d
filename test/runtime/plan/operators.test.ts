import { readFile } from 'node:fs/promises';
import type { FilterKind } from '../../../runtime/src/plan/operator.js';
import {
  graphqlOperator,
  graphqlOperators,
  operatorById,
  operators,
  restOperator,
  takesOverGraphql,
  takesOverRest,
} from '../../../runtime/src/plan/operators.js';

const kinds: readonly FilterKind[] = [
  'int',
  'bigint',
  'numeric',
  'money',
  'float',
  'boolean',
  'text',
  'searchable',
  'uuid',
  'date',
  'time',
  'timestamp',
  'interval',
  'json',
  'jsonb',
  'bytes',
  'tsvector',
  'vector',
  'enum',
  'array',
  'composite',
  'range',
  'other',
];

test('ids are unique', () => {
  const ids = operators.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(operatorById('eq')?.id).toBe('eq');
  expect(operatorById('constructor')).toBeUndefined();
});

test('a name means one operator for each kind', () => {
  for (const kind of kinds) {
    const graphql = operators
      .filter((each) => each.graphql !== undefined && takesOverGraphql(each, kind))
      .map((each) => each.graphql);
    expect(new Set(graphql).size).toBe(graphql.length);
    const rest = operators.filter((each) => takesOverRest(each, kind)).flatMap((each) => each.rest ?? []);
    expect(new Set(rest).size).toBe(rest.length);
  }
});

test.each<[FilterKind, string, string]>([
  ['jsonb', 'cs', 'jsonContains'],
  ['array', 'cs', 'arrayContains'],
  ['range', 'cs', 'rangeContains'],
  ['jsonb', 'cd', 'jsonContainedBy'],
  ['array', 'cd', 'arrayContainedBy'],
  ['range', 'cd', 'rangeContainedBy'],
  ['array', 'ov', 'arrayHasAny'],
  ['range', 'ov', 'rangeOverlaps'],
  ['json', 'fts', 'rawSearchInText'],
  ['text', 'fts', 'rawSearchInText'],
  ['tsvector', 'fts', 'rawSearch'],
  ['searchable', 'fts', 'rawSearch'],
  ['searchable', 'like', 'like'],
])('REST on %s: %s is %s', (kind, spelling, id) => {
  expect(restOperator(spelling, kind)?.id).toBe(id);
});

/** Decision 006, every spelling. */
test.each([
  ...[
    'eq',
    'neq',
    'gt',
    'gte',
    'lt',
    'lte',
    'in',
    'notin',
    'is.null',
    'is.notnull',
    'like',
    'ilike',
    'startswith',
    'endswith',
    'match',
    'imatch',
  ].map((name) => [name, 'text'] as const),
  ...['haskey', 'jsoncontains', 'cs', 'jsoncontained', 'cd', 'jsonpath', 'jsonpathexists'].map(
    (name) => [name, 'jsonb'] as const,
  ),
  ...['arraycontains', 'arrayhasall', 'arrayhasany', 'ov', 'arraylength'].map((name) => [name, 'array'] as const),
  ...['plfts', 'wfts', 'phfts', 'fts'].map((name) => [name, 'tsvector'] as const),
])('REST has %s', (spelling, kind) => {
  expect(restOperator(spelling, kind)).toBeDefined();
});

/** Decisions 003 and 011. */
test.each<[FilterKind, string]>([
  [
    'searchable',
    'eq neq in notIn isDistinctFrom isNull isNotNull gt gte lt lte between like ilike contains startsWith endsWith icontains istartsWith iendsWith regex iregex search webSearch phraseSearch rawSearch',
  ],
  [
    'text',
    'eq neq in notIn isDistinctFrom isNull isNotNull gt gte lt lte between like ilike contains startsWith endsWith icontains istartsWith iendsWith regex iregex',
  ],
  ['int', 'eq neq in notIn isDistinctFrom isNull isNotNull gt gte lt lte between'],
  ['boolean', 'eq neq in notIn isDistinctFrom isNull isNotNull'],
  ['jsonb', 'eq neq isNull isNotNull contains containedBy hasKey hasKeys hasAnyKeys path'],
  ['array', 'eq neq isNull isNotNull contains hasAll containedBy hasAny length'],
  ['tsvector', 'search webSearch phraseSearch rawSearch'],
  ['enum', 'eq neq in notIn isDistinctFrom isNull isNotNull'],
])('GraphQL on %s has %s', (kind, names) => {
  expect(graphqlOperators(kind).map(({ graphql }) => graphql)).toEqual(names.split(' '));
  for (const name of names.split(' ')) expect(graphqlOperator(name, kind)).toBeDefined();
});

test('filter-types.ts types every operator of GraphQL', async () => {
  const path = new URL('../../../runtime/src/schema/filter-types.ts', import.meta.url);
  const text = await readFile(path, 'utf8');
  const names = operators.flatMap(({ graphql }) => graphql ?? []);
  expect(names.filter((name) => !text.includes(`readonly ${name}?:`))).toEqual([]);
});
