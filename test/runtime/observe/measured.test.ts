import { readFile } from 'node:fs/promises';
import { freePort } from '../../support/free-port.js';
import { openServed, until, type Served, type ServedServer } from '../../support/served-as-role.js';
import { samplesOf } from './support/samples.js';

/** A server with metrics, traces and a log of slow statements, as its operator sees it. */

const sql = `
  create schema seen;
  create table seen.authors (id int primary key, name text not null);
  create table seen.books (id int primary key, author_id int references seen.authors, title text not null);
  insert into seen.authors values (1, 'Ada');
  insert into seen.books values (1, 1, 'Notes');
  create view seen.slow as select 1 as id, title, pg_sleep(0.8)::text as slept from seen.books;
`;

/** Records spans as the SDK of an operator does. */
const custom = `
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { Router } from 'express';
const exporter = new InMemorySpanExporter();
new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }).register();
const shown = (span) => ({
  name: span.name, traceId: span.spanContext().traceId, id: span.spanContext().spanId,
  parent: span.parentSpanContext?.spanId, attributes: span.attributes, status: span.status.code,
});
const hooks = { 'seen.authors': { beforeInsert: async ({ db }) => { await db.selectFrom('seen.books').select('id').execute(); } } };
export const custom = { hooks, routes: [Router().get('/spans', (_request, response) => response.json(exporter.getFinishedSpans().map(shown)))] };
`;

interface Span {
  readonly name: string;
  readonly traceId: string;
  readonly id: string;
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: number;
}

let served: Served;
let server: ServedServer;
let metricsUrl: string;
let token: string;

beforeAll(async () => {
  served = await openServed({ name: 'seen', schema: 'seen', sql, custom });
  const port = String(await freePort());
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  token = await served.token('secret-user', { exp: 4_000_000_000 });
  server = await served.start({
    NODE_ENV: 'production',
    APP_METRICS_PORT: port,
    APP_TRACES_ENABLED: 'true',
    APP_LOG_SLOW_STATEMENT_MS: '700',
    APP_LOG_SLOW_STATEMENT_PLANS: 'true',
  });
});
afterAll(async () => {
  await server.stop();
  await served.drop();
});

const samples = (): Promise<ReadonlyMap<string, number>> => samplesOf(metricsUrl);

const requests = (route: string, method: string, status: number, protocol = 'rest'): string =>
  `tablewright_request_duration_seconds_count{protocol="${protocol}",route="${route}",method="${method}",status="${String(status)}"}`;

describe('metrics', () => {
  test('requests are counted by protocol, form of path, method and status', async () => {
    const before = await samples();
    await server.get('/api/v1/books');
    await server.get('/api/v1/books/1');
    await server.get('/api/v1/books/404');
    await server.get('/api/v1/secret-table?title=eq.secret-value');
    await server.ask('{ seenBooks { id author: seenAuthors { name } } }');
    const after = await samples();
    const grown = (name: string): number => (after.get(name) ?? 0) - (before.get(name) ?? 0);
    expect(grown(requests('/api/v1/{table}', 'GET', 200))).toBe(1);
    expect(grown(requests('/api/v1/{table}/{key}', 'GET', 200))).toBe(1);
    expect(grown(requests('/api/v1/{table}/{key}', 'GET', 404))).toBe(1);
    expect(grown(requests('/api/v1/{table}', 'GET', 404))).toBe(1);
    expect(grown(requests('/graphql', 'POST', 200, 'graphql'))).toBe(1);
    expect(grown('tablewright_refusals_total{code="TW008"}')).toBeGreaterThan(0);
  });

  test('stages, statements and the pool are told', async () => {
    await server.get('/api/v1/books');
    await server.ask('{ seenBooks { id } }');
    await server.send('POST', '/api/v1/authors', { 'content-type': 'application/json' }, '{"id": 2, "name": "Bob"}');
    const now = await samples();
    for (const stage of ['parse', 'plan', 'database', 'send'])
      for (const protocol of ['rest', 'graphql'])
        expect([
          protocol,
          stage,
          now.get(`tablewright_stage_duration_seconds_count{protocol="${protocol}",stage="${stage}"}`),
        ]).toEqual([protocol, stage, expect.any(Number)]);
    expect(now.get('tablewright_statement_duration_seconds_count{kind="read"}')).toBeGreaterThan(1);
    expect(now.get('tablewright_statement_duration_seconds_count{kind="write"}')).toBe(1);
    expect(now.get('tablewright_statement_duration_seconds_count{kind="own"}')).toBe(1);
    expect(now.get('tablewright_pool_size')).toBe(10);
    expect(now.get('tablewright_pool_connections{state="idle"}')).toBeGreaterThan(0);
    expect(now.get('tablewright_prepared_statements')).toBeGreaterThan(0);
    expect(now.get('tablewright_cache_misses_total{cache="rest_statements"}')).toBeGreaterThan(0);
    expect(now.get('tablewright_cache_hits_total{cache="rest_statements"}')).toBeGreaterThan(0);
    expect([...now.keys()].some((name) => name.startsWith('nodejs_eventloop_lag_seconds'))).toBe(true);
  });

  test('tokens are counted by what became of them', async () => {
    const before = await samples();
    await server.get('/api/v1/books', { authorization: `Bearer ${token}` });
    await server.get('/api/v1/books', { authorization: 'Bearer nonsense' });
    await server.get('/api/v1/books');
    const after = await samples();
    const grown = (outcome: string): number => {
      const name = `tablewright_tokens_total{outcome="${outcome}"}`;
      return (after.get(name) ?? 0) - (before.get(name) ?? 0);
    };
    expect(['accepted', 'refused', 'none'].map(grown)).toEqual([1, 1, 1]);
  });

  test('no label grows with tables, users or values, whatever is asked', async () => {
    const before = (await samples()).size;
    const odd = Array.from(
      { length: 40 },
      (_, at) => `/api/v1/secret-table-${String(at)}/secret-value-${String(at)}?a=secret`,
    );
    await Promise.all(odd.map((path) => server.get(path)));
    const after = await samples();
    expect(after.size - before).toBeLessThan(60);
    expect([...after.keys()].filter((name) => /secret|books|authors|Ada/.test(name))).toEqual([]);
  });

  test('every metric of the dashboard is one that is told', async () => {
    const dashboard = await readFile(new URL('../../../docs/grafana-dashboard.json', import.meta.url), 'utf8');
    const text = await (await fetch(metricsUrl)).text();
    const told = new Set(
      [...text.matchAll(/^# TYPE (\S+) (\S+)/gm)].flatMap(([, name = '', type]) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
      ),
    );
    const shown = new Set([...dashboard.matchAll(/\b(?:tablewright|nodejs|process)_\w+/g)].map(([name]) => name));
    expect(shown.size).toBeGreaterThan(20);
    expect([...shown].filter((name) => !told.has(name))).toEqual([]);
    const own = [...text.matchAll(/^# TYPE (tablewright_\S+)/gm)].map(([, name = '']) => name);
    expect(own.filter((name) => ![...shown].some((each) => each.startsWith(name)))).toEqual([]);
  });

  test('are on their own address alone, and nothing else is there', async () => {
    expect((await server.get('/metrics')).status).toBe(404);
    expect((await fetch(metricsUrl.replace('/metrics', '/api/v1/books'))).status).toBe(404);
    expect((await fetch(metricsUrl, { method: 'POST' })).status).toBe(405);
  });

  test('an address that is taken ends the start with a sentence', async () => {
    const { port } = new URL(metricsUrl);
    await expect(served.start({ APP_METRICS_PORT: port })).rejects.toThrow(
      `Metrics cannot be served at port ${port} of 127.0.0.1.`,
    );
  });
});

describe('traces', () => {
  const spans = async (traceId: string): Promise<readonly Span[]> =>
    (JSON.parse((await server.get('/spans')).text) as readonly Span[]).filter((span) => span.traceId === traceId);

  test.each([
    [
      'REST',
      'a'.repeat(32),
      (headers: Readonly<Record<string, string>>) => server.get('/api/v1/books?title=neq.secret-value', headers),
      'GET /api/v1/{table}',
    ],
    [
      'GraphQL',
      'b'.repeat(32),
      (headers: Readonly<Record<string, string>>) =>
        server.ask('{ seenBooks(where: { title: { neq: "secret-value" } }) { id title } }', headers),
      'POST /graphql',
    ],
  ] as const)(
    '%s: a request continues the trace of its client; plan and statement are below it',
    async (_protocol, traceId, ask, name) => {
      await ask({ traceparent: `00-${traceId}-00f067aa0ba902b7-01`, authorization: `Bearer ${token}` });
      await until(async () => (await spans(traceId)).some((span) => span.name === name));
      const all = await spans(traceId);
      const request = all.find((span) => span.name === name);
      expect(request).toMatchObject({ parent: '00f067aa0ba902b7', attributes: { 'http.response.status_code': 200 } });
      for (const below of ['plan', 'read'])
        expect(all.find((span) => span.name === below)).toMatchObject({ parent: request?.id });
      expect(all.find((span) => span.name === 'read')?.attributes).toEqual({
        'db.system.name': 'postgresql',
        'db.operation.name': 'read',
        'db.response.returned_rows': 1,
      });
      expect(JSON.stringify(all)).not.toMatch(/secret/);
    },
  );
});

describe('slow statements', () => {
  const lines = (): readonly Record<string, unknown>[] =>
    server
      .log()
      .split('\n')
      .filter((line) => line.includes('"slow statement"'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);

  test('are a line with text, time, rows and plan, without values', async () => {
    await server.get('/api/v1/slow?title=neq.secret-value', { authorization: `Bearer ${token}` });
    await until(async () => Promise.resolve(lines().length > 0));
    const [line] = lines();
    expect(line).toMatchObject({ level: 40, rows: 1 });
    expect(line?.['milliseconds']).toBeGreaterThan(700);
    expect(line?.['statement']).toMatch(/from "seen"\."slow"/);
    expect(JSON.stringify(line?.['plan'])).toMatch(/Seq Scan on books/);
    expect(JSON.stringify(line)).not.toMatch(/secret/);
  });

  test('the plan is asked for once a minute', async () => {
    const before = lines().length;
    await server.get('/api/v1/slow?title=neq.other', { authorization: `Bearer ${token}` });
    await until(async () => Promise.resolve(lines().length > before));
    expect(lines().at(-1)).not.toHaveProperty('plan');
  });

  test('what is fast is no line', async () => {
    const before = lines().length;
    await server.get('/api/v1/books');
    expect(lines()).toHaveLength(before);
  });
});
