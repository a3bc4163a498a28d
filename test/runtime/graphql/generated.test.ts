import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { post, type Reply } from '../../support/graphql-server.js';

/**
 * Custom resolvers: a field of a generated type, and root fields beside the generated ones.
 * Decorators are called as functions.
 */
const custom = `
import { Arg, Ctx, Field, FieldResolver, InputType, Int, Query, Resolver, Root } from 'type-graphql';
import { KanbanIssues, KanbanIssuesColumn, KanbanIssuesWhereInput } from '../generated/kanban/issues.table.js';

class IssueSearch {}
Field(() => KanbanIssuesWhereInput)(IssueSearch.prototype, 'where');
Field(() => KanbanIssuesColumn, { nullable: true })(IssueSearch.prototype, 'column');
InputType('IssueSearch')(IssueSearch);

class Extra {
  headline(issue) { return '#' + issue.number + ' ' + issue.title; }
  custom() { return 1; }
  echo(search) {
    const instances = [search instanceof IssueSearch, search.where instanceof KanbanIssuesWhereInput];
    return JSON.stringify([...instances, search]);
  }
  async newest(context) {
    const { rows } = await context.query('{ rows: kanbanIssues(orderBy: {id: DESC}, limit: 1) { id title } }');
    return rows;
  }
}
const method = (name) => [Extra.prototype, name, Object.getOwnPropertyDescriptor(Extra.prototype, name)];
Root()(Extra.prototype, 'headline', 0);
FieldResolver(() => String)(...method('headline'));
Query(() => Int)(...method('custom'));
Arg('search', () => IssueSearch)(Extra.prototype, 'echo', 0);
Query(() => String)(...method('echo'));
Ctx()(Extra.prototype, 'newest', 0);
Query(() => [KanbanIssues])(...method('newest'));
Resolver(() => KanbanIssues)(Extra);

export const custom = { resolvers: [Extra], routes: [] };
`;

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({ custom });
});

afterAll(() => server.stop());

const ask = (query: string): Promise<Reply> =>
  post(`${server.base}/graphql`, JSON.stringify({ query }), { authorization: `Bearer ${server.token}` });

test('the served schema is schema.graphql and the fields of the user', async () => {
  const { body } = await ask(getIntrospectionQuery({ specifiedByUrl: true }));
  const served = buildClientSchema(body.data as unknown as IntrospectionQuery);
  const committed = readFileSync(
    new URL('../../../generated-example/src/generated/schema.graphql', import.meta.url),
    'utf8',
  );
  const text = (schema: typeof served): string[] => printSchema(lexicographicSortSchema(schema)).split('\n');
  const expected = new Set(text(buildSchema(committed)));
  expect(text(served).filter((line) => !expected.has(line))).toEqual([
    'input IssueSearch {',
    '  column: KanbanIssuesColumn',
    '  where: KanbanIssuesWhereInput!',
    '  headline: String!',
    '  custom: Int!',
    '  echo(search: IssueSearch!): String!',
    '  newest: [KanbanIssues!]!',
  ]);
});

test.each([
  '{ kanbanIssues(orderBy: {id: ASC}, limit: 3) { id title status priority labels metadata due_on created_at embedding reference } }',
  '{ kanbanProjects(orderBy: {id: ASC}) { name kanbanIssues(orderBy: {id: ASC}, limit: 2) { kanbanAssigneeId { name } kanbanLabelsViaIssueLabels(orderBy: {name: ASC}) { name } } kanbanIssuesAggregate { count } } }',
  '{ shopCustomers(orderBy: {id: ASC}, limit: 2) { id email billing_address { city __typename } } shopProducts(orderBy: {id: ASC}, limit: 2) { price available { lower upperInclusive } } }',
  '{ shopOrdersAggregate(groupBy: [status]) { count groups { key { status } count } } shopProductsConnection(first: 2, orderBy: {price: DESC}) { totalCount edges { cursor node { name } } pageInfo { hasNextPage endCursor } } }',
  '{ kanbanIssues(vector: {column: "embedding", near: [1, 0, 0, 0, 0, 0, 0, 0], limit: 2}, where: {search_vector: {webSearch: "login"}}) { title __typename } }',
])('is answered in the same bytes with graphql-js and without: %s', async (document) => {
  const passed = await ask(document);
  expect(passed.body.errors).toBeUndefined();
  const executed = await ask(document.replace('{', '{ custom'));
  expect(executed.text.replace('"custom":1,', '')).toBe(passed.text);
});

describe('fields of the user', () => {
  test('take the inputs and enums that follow from descriptors', async () => {
    const { body } = await ask(
      '{ echo(search: {where: {or: [{title: {eq: "a"}}, {kanbanAssigneeId: {name: {like: "b%"}}}]}, column: story_points}) }',
    );
    const search = {
      where: { or: [{ title: { eq: 'a' } }, { kanbanAssigneeId: { name: { like: 'b%' } } }] },
      column: 'story_points',
    };
    expect(body).toEqual({ data: { echo: JSON.stringify([true, true, search]) } });
  });

  test('of a generated type, wherever it stands', async () => {
    const { body } = await ask(
      '{ kanbanIssuesByPk(id: 1) { headline kanbanProjectId { kanbanIssues(orderBy: {id: ASC}, limit: 1) { headline } } } }',
    );
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({
      kanbanIssuesByPk: {
        headline: expect.stringMatching(/^#\d+ \w/),
        kanbanProjectId: { kanbanIssues: [{ headline: expect.stringMatching(/^#\d+ \w/) }] },
      },
    });
  });

  test('a root field of a generated type, read by a document of its own', async () => {
    const { body } = await ask('{ newest { id title } }');
    expect(body).toEqual({ data: { newest: [{ id: expect.any(Number), title: expect.any(String) }] } });
  });
});

test('directions and enum members in any accepted spelling', async () => {
  const { body } = await ask(
    '{ kanbanIssues(where: {status: {eq: "in_progress"}}, orderBy: {due_on: "desc_nulls_last", id: AscNullsFirst}, limit: 1) { status } }',
  );
  expect(body).toEqual({ data: { kanbanIssues: [{ status: 'in_progress' }] } });
});

test('a token that is not valid: 401', async () => {
  const { status, body } = await post(`${server.base}/graphql`, JSON.stringify({ query: '{ __typename }' }), {
    authorization: `Bearer ${server.token}x`,
  });
  expect(status).toBe(401);
  expect(body.errors?.[0]?.extensions.code).toBe('UNAUTHENTICATED');
});
