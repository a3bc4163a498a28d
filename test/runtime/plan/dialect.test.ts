import { expect, test } from '@jest/globals';
import { graphqlHandler } from '../../support/graphql-handler.js';
import { createRestHandler } from '../../../runtime/src/endpoint/rest/handler.js';
import type { RawRow } from '../../../runtime/src/plan/statement.js';
import { schemaOf } from '../../support/live-schema.js';
import { serve, servicesOf } from '../../support/memory-server.js';
import { MemoryError, recordingDialect, type Recording } from '../../support/recording-dialect.js';
import { board, boardRegistry, tableOf } from '../../support/registry.js';

/** Both protocols over a database in memory: the interface of dialects hides every database. */
interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

async function rest(recording: Recording, path: string, init: Sent = {}): Promise<Response> {
  const table = tableOf(boardRegistry, 'kanbanIssues');
  const handler = createRestHandler(servicesOf(recording), {
    routes: [
      {
        table,
        list: (exchange) => exchange.list(table),
        row: (exchange) => exchange.row(table),
        insert: (exchange) => exchange.insert(table),
      },
    ],
    openapi: () => Promise.resolve(Buffer.from('{}')),
  });
  const headers = { 'content-type': 'application/json', ...init.headers };
  return fetch(`${await serve(handler)}${path}`, { ...init, headers });
}

async function graphql(recording: Recording, query: string): Promise<unknown> {
  const url = await serve(graphqlHandler(servicesOf(recording), schemaOf(board)));
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query }) });
  return response.json();
}

const rows = (row: RawRow) => () => [row];

test('a list over REST: the plan has values, the statement is the dialect’s, the answer is the database’s text', async () => {
  const recording = recordingDialect(rows(['[{"id":1}]', '1', null]));
  const response = await rest(recording, '/api/v1/issues?select=id&title=ilike.*login*&status=in.(todo,done)&limit=5');
  expect(await response.text()).toContain('"data":[{"id":1}]');
  const [run] = recording.ran;
  expect(run?.options?.identity).toEqual({ userId: 'ada' });
  expect(run?.statements).toEqual([
    { text: 'rows 1', values: ['pattern:"*login*"', 'list:["todo","done"]', 'count:5'] },
  ]);
  expect(recording.plans).toMatchObject([
    {
      kind: 'rows',
      read: {
        where: {
          kind: 'and',
          conditions: [
            { operator: 'ilike', parameters: [{ as: 'pattern', subject: 'column "title"' }] },
            { operator: 'in', parameters: [{ as: 'list', type: { kind: 'enum' } }] },
          ],
        },
      },
    },
  ]);
});

test('a document over GraphQL, of several fields', async () => {
  const recording = recordingDialect(rows(['[{"id":1}]', '{"count":2}']));
  const answer = await graphql(
    recording,
    '{ kanbanIssues(where: { title: { contains: "50%" } }) { id } kanbanIssuesAggregate { count sum { points } } }',
  );
  expect(answer).toEqual({ data: { kanbanIssues: [{ id: 1 }], kanbanIssuesAggregate: { count: 2 } } });
  expect(recording.ran[0]?.statements).toEqual([{ text: 'document 1', values: ['contains:"50%"'] }]);
  expect(JSON.stringify(recording.plans)).toContain('memory numeric');
});

test('an insert over REST is a program of the dialect’s', async () => {
  const recording = recordingDialect(rows(['[{"id":7}]', '1', '1', null]));
  const response = await rest(recording, '/api/v1/issues?select=id', {
    method: 'POST',
    headers: { prefer: 'return=representation' },
    body: '[{"id":7,"title":"x"},{"id":8,"title":"y"}]',
  });
  expect([response.status, await response.text()]).toEqual([201, '[{"id":7}]']);
  expect(recording.plans).toMatchObject([{ kind: 'rows', write: { kind: 'insert', table: { name: 'issues' } } }]);
});

test.each([
  ['unique', 409],
  ['denied', 403],
  ['serialization', 409],
  ['timeout', 504],
  ['unavailable', 503],
  ['invalidValue', 500],
] as const)('a failure of the kind %s is answered %i, with the database’s own code', async (kind, status) => {
  const recording = recordingDialect(() => {
    throw new MemoryError(kind, kind === 'unique' ? 'issues_pkey' : undefined);
  });
  const response = await rest(recording, '/api/v1/issues?select=id');
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ code: `memory.${kind}`, message: 'It failed.' });
  expect(await graphql(recording, '{ kanbanIssues { id } }')).toMatchObject({
    errors: [{ extensions: { code: kind === 'denied' ? 'FORBIDDEN' : `memory.${kind}` }, path: ['kanbanIssues'] }],
  });
});

test('what the database does not have is refused while planning', async () => {
  const answer = await graphql(recordingDialect(), '{ kanbanIssues(distinctOn: [title]) { id } }');
  expect(answer).toMatchObject({ errors: [{ message: 'This database has no distinctOn.' }] });
});
