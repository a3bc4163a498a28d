import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildClientSchema, buildSchema, getIntrospectionQuery, lexicographicSortSchema, printSchema } from 'graphql';
import type { IntrospectionQuery } from 'graphql';
import { startDemoServer, type DemoServer } from '../../support/demo-server.js';
import { post, type GraphqlBody } from '../../support/graphql-server.js';

// In production, types are created when a document needs them, and nothing reads the whole schema
// before the first request. The order of the tests matters: the last one requests the list of all
// types.

let server: DemoServer;

beforeAll(async () => {
  server = await startDemoServer({ environment: { NODE_ENV: 'production', APP_GRAPHQL_INTROSPECTION: 'true' } });
});

afterAll(() => server.stop());

const ask = async (query: string, variables: object = {}): Promise<GraphqlBody> =>
  (
    await post(`${server.base}/graphql`, JSON.stringify({ query, variables }), {
      authorization: `Bearer ${server.token}`,
    })
  ).body;

test('a type that only a variable names', async () => {
  const body = await ask(
    'query ($issue: KanbanIssuesNestedCreateInput, $where: KanbanIssuesWhereInput) { kanbanIssues(where: $where) { id } }',
    { where: { id: { eq: 1 } } },
  );
  expect(body.errors?.map(({ message }) => message)).toEqual(['Variable "$issue" is never used.']);
});

test('types below each other, and fields of fragments', async () => {
  const body = await ask(
    `query ($where: KanbanIssuesWhereInput, $by: [KanbanIssuesColumn!]) {
      kanbanIssuesConnection(first: 1, where: $where) { ...Page }
      kanbanIssuesAggregate(where: $where, groupBy: $by) { groups { key { status } max { id } } }
    }
    fragment Page on KanbanIssuesConnection { totalCount edges { node { id kanbanProjectId { id } } } }`,
    { where: { id: { eq: 1 } }, by: ['status'] },
  );
  expect(body).toEqual({
    data: {
      kanbanIssuesConnection: {
        totalCount: 1,
        edges: [{ node: { id: 1, kanbanProjectId: { id: expect.any(Number) } } }],
      },
      kanbanIssuesAggregate: { groups: [{ key: { status: expect.any(String) }, max: { id: 1 } }] },
    },
  });
});

test('members of enums and directions in any accepted spelling', async () => {
  const body = await ask(
    `query ($status: KanbanIssueStatus) {
      kanbanIssues(where: {status: {eq: $status}}, orderBy: {id: "asc_nulls_first"}, distinctOn: ["status"], limit: 1) { status }
    }`,
    { status: 'in_progress' },
  );
  expect(body).toEqual({ data: { kanbanIssues: [{ status: 'in_progress' }] } });
});

test('a type by its name', async () => {
  const body = await ask('{ __type(name: "KanbanIssuesUpdateInput") { inputFields { name description } } }');
  const { inputFields } = body.data?.['__type'] as { inputFields: readonly object[] };
  expect(inputFields).toContainEqual({ name: 'number', description: 'Counts within the project: the 12 of WEB-12.' });
});

test('a type that there is not, and what may be meant', async () => {
  const body = await ask('query ($where: KanbanIssueWhereInput) { kanbanIssues(where: $where) { id } }');
  expect(body.errors?.[0]?.message).toMatch(
    /^Unknown type "KanbanIssueWhereInput"\. Did you mean "KanbanIssuesWhereInput"/,
  );
});

test('the whole schema', async () => {
  const body = await ask(getIntrospectionQuery({ specifiedByUrl: true }));
  const text = (schema: ReturnType<typeof buildSchema>): string => printSchema(lexicographicSortSchema(schema));
  const committed = new URL('../../../generated-example/src/generated/schema.graphql', import.meta.url);
  expect(text(buildClientSchema(body.data as unknown as IntrospectionQuery))).toBe(
    text(buildSchema(readFileSync(committed, 'utf8'))),
  );
});
