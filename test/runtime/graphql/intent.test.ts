import { describe, expect, test } from '@jest/globals';
import type { DocumentIntent, Filter, Value } from '../../../runtime/src/plan/intent.js';
import { graphqlForm } from '../../../runtime/src/plan/intent-form.js';
import { createCompiler, type CompiledRequest } from '../../../runtime/src/request/graphql/compile.js';
import { schemaOf } from '../../support/live-schema.js';
import { board, boardRegistry, tableOf } from '../../support/registry.js';
import { settingsWith } from '../../support/settings.js';

const compile = createCompiler(schemaOf(board), boardRegistry, settingsWith());
const issues = tableOf(boardRegistry, 'kanbanIssues');

function compiled(query: string, variables?: Readonly<Record<string, unknown>>): CompiledRequest {
  const request = compile({ query, variables });
  if ('errors' in request) throw new Error(request.errors.map(({ message }) => message).join());
  return request;
}

function intentOf(query: string, variables?: Readonly<Record<string, unknown>>): DocumentIntent {
  const { intent, whole } = compiled(query, variables).build();
  if (intent === undefined || !whole) throw new Error('not answered by a statement alone');
  return intent;
}

const aValue: unknown = { read: expect.any(Function), form: 'json' };

describe('the intent of a document', () => {
  test('root fields of every kind, under their response keys', () => {
    const { fields } = intentOf(
      '{ a: kanbanIssues { id } kanbanIssuesByPk(id: 1) { id } kanbanIssuesConnection { totalCount } kanbanIssuesAggregate { count } t: __typename }',
    );
    expect(fields.map(({ kind, as }) => [kind, as])).toEqual([
      ['list', 'a'],
      ['one', 'kanbanIssuesByPk'],
      ['connection', 'kanbanIssuesConnection'],
      ['aggregate', 'kanbanIssuesAggregate'],
      ['typename', 't'],
    ]);
  });

  test('selections with aliases, merged, in the order of the document', () => {
    const { fields } = intentOf(
      '{ kanbanIssues { n: title ...F kanbanAssigneeId { id } __typename } } fragment F on KanbanIssues { shout kanbanAssigneeId { name } }',
    );
    expect(fields).toEqual([
      {
        kind: 'list',
        as: 'kanbanIssues',
        read: {
          table: issues,
          form: graphqlForm,
          select: [
            { kind: 'column', as: 'n', column: 'title' },
            { kind: 'computed', as: 'shout', name: 'shout' },
            {
              kind: 'relation',
              as: 'kanbanAssigneeId',
              relation: 'kanbanAssigneeId',
              read: {
                table: tableOf(boardRegistry, 'kanbanUsers'),
                form: graphqlForm,
                select: [
                  { kind: 'column', as: 'name', column: 'name' },
                  { kind: 'column', as: 'id', column: 'id' },
                ],
              },
            },
            { kind: 'typename', as: '__typename' },
          ],
        },
      },
    ]);
  });

  test('arguments as values, orders and filters', () => {
    const { fields } = intentOf(
      `query($n: Int) { kanbanIssues(
        where: {id: {gt: 1, in: [2, 3]}, kanbanLabelsViaIssueLabels: {some: {name: {eq: "x"}}}}
        or: [{urgent: {isNull: false}}]
        orderBy: [{points: DESC_NULLS_LAST, kanbanProjectId: {name: ASC}}, {kanbanLabelsViaIssueLabels: {_count: DESC}}]
        limit: $n offset: 5 distinctOn: [points]
      ) { id } }`,
      { n: 3 },
    );
    const [field] = fields;
    expect(field).toMatchObject({
      read: {
        where: {
          kind: 'and',
          filters: [
            {
              kind: 'and',
              filters: [
                {
                  kind: 'and',
                  filters: [
                    { kind: 'compare', column: 'id', operator: 'gt', values: [aValue] },
                    { kind: 'compare', column: 'id', operator: 'in', values: [aValue] },
                  ],
                },
                {
                  kind: 'relation',
                  relation: 'kanbanLabelsViaIssueLabels',
                  quantifier: 'some',
                  filter: { kind: 'compare', column: 'name', operator: 'eq', values: [aValue] },
                },
              ],
            },
            { kind: 'or', filters: [{ kind: 'compare', column: 'urgent', operator: 'isNotNull', values: [] }] },
          ],
        },
        orderBy: [
          { by: { kind: 'column', column: 'points' }, direction: 'desc', nulls: 'last' },
          {
            by: { kind: 'relation', relation: 'kanbanProjectId', by: { kind: 'column', column: 'name' } },
            direction: 'asc',
          },
          { by: { kind: 'count', relation: 'kanbanLabelsViaIssueLabels' }, direction: 'desc' },
        ],
        limit: aValue,
        offset: aValue,
        distinctOn: ['points'],
      },
    });
  });
});

describe('values', () => {
  const valuesOf = (filter: Filter | undefined): readonly Value[] => {
    if (filter?.kind === 'compare') return filter.values;
    if (filter?.kind === 'and' || filter?.kind === 'or') return filter.filters.flatMap(valuesOf);
    return [];
  };
  const read = (query: string, variables: Readonly<Record<string, unknown>>, others = variables): unknown[] => {
    const [field] = intentOf(query, variables).fields;
    const { inputs } = compiled(query, others);
    return valuesOf(field?.kind === 'list' ? field.read.where : undefined).map((value) => value.read(inputs));
  };

  test('literals are constants; variables are read from the inputs of each request', () => {
    const query =
      'query($a: Int, $w: IntFilterInput) { kanbanIssues(where: {id: {eq: 7, in: [1, $b, 3]}, points: $w}) { id } }';
    const withB = query.replace('$a: Int', '$b: Int!');
    expect(read(withB, { b: 2, w: { gt: 5 } }, { b: 20, w: { gt: 50 } })).toEqual([7, [1, 20, 3], 50]);
  });

  test('an intent holds nothing of the request it was built from', () => {
    const query = 'query($w: KanbanIssuesWhereInput) { kanbanIssues(where: $w) { id } }';
    const some = { w: { or: [{ title: { like: 'a' } }, { views: { in: ['1', '2'] } }] } };
    const others = { w: { or: [{ title: { like: 'z' } }, { views: { in: ['9'] } }] } };
    expect(compiled(query, some).shape).toBe(compiled(query, others).shape);
    expect(read(query, some, others)).toEqual(['z', ['9']]);
  });
});

test('documents that the statement does not answer alone', () => {
  expect(compiled('{ __schema { queryType { name } } }').build()).toMatchObject({
    intent: undefined,
    whole: false,
    introspected: [{ as: '__schema' }],
  });
  expect(compiled('{ __schema { queryType { name } } kanbanLabels { id } }').build()).toMatchObject({
    intent: { fields: [{ as: 'kanbanLabels' }] },
    introspected: [{ as: '__schema' }],
  });
});
