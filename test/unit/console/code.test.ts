import type { ConsoleModel } from '../../../console/src/console-model.js';
import { curlOf, documentOf, fetchOf, supabaseOf, typedDocumentOf } from '../../../console/src/client/code.js';

const sender = { origin: 'http://host', session: { name: 'Ada', token: 'a.b.c' } };
const model = { postgrest: { path: '/rest/v1', plans: true } } as ConsoleModel;
const read = {
  method: 'GET',
  path: "/api/v1/issues?status=in.(todo,done)&title=not.ilike.*o'clock*&due_on=is.null&select=id,title&order=due_on.desc.nullslast,id&limit=5&offset=10",
  headers: { 'Accept-Profile': 'kanban' },
};

test('curl quotes for a shell', () => {
  expect(curlOf(read, sender)).toBe(
    `curl -s -H 'Accept-Profile: kanban' -H 'Authorization: Bearer a.b.c' 'http://host${read.path.replace("'", `'\\''`)}'`,
  );
});

test('fetch is JavaScript that sends the same request', async () => {
  const body = '{"title": "It\'s \\"done\\""}';
  const code = fetchOf({ ...read, method: 'PATCH', body }, sender);
  const sent: unknown[] = [];
  const fetch = (...args: readonly unknown[]): Promise<object> => {
    sent.push(...args);
    return Promise.resolve({ json: () => Promise.resolve({}) });
  };
  // The code is the text under test.
  // eslint-disable-next-line @typescript-eslint/no-implied-eval
  await (new Function('fetch', `return (async () => {${code}})()`) as (send: typeof fetch) => Promise<void>)(fetch);
  expect(sent[0]).toBe(`http://host${read.path}`);
  expect(sent[1]).toMatchObject({
    method: 'PATCH',
    headers: { 'Accept-Profile': 'kanban', Authorization: 'Bearer a.b.c' },
    body: JSON.stringify(JSON.parse(body)),
  });
});

test('supabase-js has the filters, the order and the page', () => {
  expect(supabaseOf(model, read, sender)?.split('await supabase')[1]).toBe(`
  .schema('kanban')
  .from('issues')
  .select('id,title')
  .range(10, 14)
  .filter('status', 'in', '(todo,done)')
  .not('title', 'ilike', '*o\\'clock*')
  .is('due_on', null)
  .order('due_on', { ascending: false, nullsFirst: false })
  .order('id');
`);
  const path = '/api/v1/labels?on_conflict=name';
  const upsert = { method: 'POST', path, headers: { Prefer: 'resolution=merge-duplicates' }, body: '{"name":"x"}' };
  expect(supabaseOf(model, upsert, sender)).toContain(
    '.from(\'labels\')\n  .upsert({"name":"x"}, { onConflict: \'name\' })\n  .select();',
  );
  expect(supabaseOf({} as ConsoleModel, read, sender)).toBeUndefined();
});

test('a call by GET has its arguments, and filters beside them', () => {
  const functions = [{ name: 'search', arguments: [{ name: 'term' }] }];
  const called = { method: 'GET', path: '/api/v1/rpc/search?term=a&copies=gt.1&limit=2', headers: {} };
  expect(supabaseOf({ ...model, functions } as unknown as ConsoleModel, called, sender)).toContain(
    `.rpc('search', {"term":"a"}, { get: true })\n  .limit(2)\n  .gt('copies', '1');`,
  );
});

test('a document is typed by gql.tada', () => {
  const request = { method: 'POST', path: '/graphql', headers: {}, body: JSON.stringify({ query: '{ a }' }) };
  expect(typedDocumentOf(documentOf(request) ?? '')).toContain('graphql(`\n  { a }\n`)');
  expect(documentOf(read)).toBeUndefined();
});
