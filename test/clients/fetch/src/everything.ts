import createClient from 'openapi-fetch';
import type { components, paths } from './api.js';

type Issue = components['schemas']['KanbanIssues'];
type Problem = components['schemas']['Rest.Error'];

const reading = { 'Accept-Profile': 'kanban' } as const;
const writing = { 'Content-Profile': 'kanban' } as const;
const shop = { 'Accept-Profile': 'shop' } as const;

/**
 * Runs every operation of a table with inferred types only, and returns the answers, which a test
 * compares.
 */
export async function everything(server: string, token: string) {
  const options = { baseUrl: `${server}/api/v1`, headers: { authorization: `Bearer ${token}` } };
  const api = createClient<paths, 'application/json'>(options);
  const single = createClient<paths, 'application/vnd.pgrst.object+json'>({
    ...options,
    headers: { ...options.headers, accept: 'application/vnd.pgrst.object+json' },
  });
  const csv = createClient<paths, 'text/csv'>({ ...options, headers: { ...options.headers, accept: 'text/csv' } });

  const page = await api.GET('/products', {
    params: {
      header: { ...shop, Prefer: 'count=exact', Range: '0-1' },
      query: { price: ['gte.10', 'lt.1000'], name: 'ilike.*desk*', order: 'id', or: '(stock.gte.0,stock.is.null)' },
    },
  });
  if (page.error) throw new Error(page.error.message);
  const { limit, total } = page.data.pagination;
  const [product] = page.data.data;
  if (product === undefined) throw new Error('There are no desks.');
  const { price, weight_kg, attributes, tags, available, search_vector } = product;
  const lower: string | null | undefined = available?.lower;
  const typed: readonly [number, number | 'NaN' | 'Infinity' | '-Infinity' | null, unknown, (string | null)[]] = [
    price,
    weight_kg,
    attributes,
    tags,
  ];

  const created = await api.POST('/issues', {
    params: { header: writing },
    body: [
      {
        project_id: 4,
        number: 960,
        title: 'One.',
        reporter_id: 4,
        due_on: '2026-02-28',
        embedding: [0, 1, 0, 0, 0, 0, 0, 0.5],
      },
      { project_id: 4, number: 961, title: 'Two.', reporter_id: 4, status: 'in_progress', metadata: { a: [1, null] } },
    ],
  });
  if (created.error) throw new Error(created.error.message);
  if (!Array.isArray(created.data)) throw new Error('A list is answered by a list.');
  const issues: Issue[] = created.data;
  const ids = `in.(${issues.map(({ id }) => id).join()})`;

  const minimal = await api.PATCH('/issues', {
    params: { header: { ...writing, Prefer: 'return=minimal' }, query: { id: ids, number: 'eq.960' } },
    body: { priority: 'high', story_points: 3, due_on: null },
  });
  if (minimal.error) throw new Error(minimal.error.message);

  const one = await single.GET('/issues', { params: { header: reading, query: { id: ids, number: 'eq.960' } } });
  if (one.error !== undefined) throw new Error(JSON.stringify(one.error));
  const changed: Issue = one.data;

  const commented = await api.POST('/comments', {
    params: { header: writing },
    body: { issue_id: changed.id, author_id: 4, body: 'Posted.' },
  });
  if (commented.error) throw new Error(commented.error.message);
  if (!commented.data || Array.isArray(commented.data)) throw new Error('One object is answered by one row.');
  const put = await api.PUT('/comments', {
    params: { header: writing, query: { id: `eq.${commented.data.id}` } },
    body: { issue_id: changed.id, author_id: 4, body: 'Put.', created_at: '2026-01-01T00:00:00Z', edited_at: null },
  });
  if (put.error) throw new Error(put.error.message);

  const text = await csv.GET('/issues', {
    params: { header: reading, query: { id: ids, select: 'number,title', order: 'number' } },
    parseAs: 'text',
  });
  if (text.error !== undefined) throw new Error(JSON.stringify(text.error));
  const lines: string[] = text.data.trim().split(/\r?\n/);

  const headers = await api.POST('/issues', {
    params: { header: { ...writing, Prefer: 'return=headers-only' } },
    body: { project_id: 4, number: 962, title: 'Three.', reporter_id: 4 },
  });
  const deleted = await api.DELETE('/issues', {
    params: { header: writing, query: { or: `(id.${ids},number.eq.962)`, project_id: 'eq.4' } },
  });
  if (deleted.error) throw new Error(deleted.error.message);

  const wrong = await api.GET('/issues', { params: { header: reading, query: { title: 'lik.x' } } });
  const problem: Problem | undefined = wrong.error;
  const gone = await api.GET('/issues/{id}', { params: { header: reading, path: { id: changed.id } } });

  return {
    page: { status: page.response.status, limit, total, typed, lower, search_vector },
    created: issues.map(({ number, status, metadata, due_on }) => ({ number, status, metadata, due_on })),
    minimal: minimal.response.status,
    changed: { number: changed.number, priority: changed.priority, due_on: changed.due_on },
    put: put.data?.map(({ body, created_at }) => [body, created_at]),
    lines,
    location: [headers.response.status, headers.response.headers.get('location')?.replace(/\d+$/, '…')],
    deleted: deleted.data?.map(({ number }) => number),
    problem: problem?.code,
    gone: [gone.response.status, gone.error?.code],
  };
}
