import { randomBytes } from 'node:crypto';
import { basePathOf, type Answer, type PageSource } from '@tablewright/runtime/console';
import { bundle } from './bundles.js';
import { withoutMotion } from './header-style.js';
import { assetPrefix, consolePolicy } from './page.js';

const prefix = '/graphql/assets/';

/** GraphiQL for browsers, from this package: nothing is loaded from elsewhere. */
export const createGraphiql =
  (hasConsole: boolean): PageSource =>
  async (path, request) =>
    path.startsWith(prefix)
      ? asset(path.slice(prefix.length))
      : page(basePathOf(request), hasConsole, randomBytes(18).toString('base64'));

async function asset(name: string): Promise<Answer | undefined> {
  return ownFiles.get(name) ?? (name.startsWith('graphiql') ? bundle(name) : undefined);
}

/**
 * The policy of the console, with the icons of Monaco. Its style sheets carry the nonce of the
 * answer, which the page's script takes from the link: decision 053.
 */
const page = (base: string, hasConsole: boolean, nonce: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `${consolePolicy.replace("style-src 'self'", `style-src 'self' 'nonce-${nonce}'`)}; font-src data:`,
    'cache-control': 'no-store',
  },
  body: document(base, hasConsole, nonce),
});

const document = (base: string, hasConsole: boolean, nonce: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/graphql/assets/graphiql.css" nonce="${nonce}">
${hasConsole ? `<link rel="stylesheet" href="${base}${assetPrefix}header.css">` : ''}
<link rel="stylesheet" href="${base}/graphql/assets/page.css">
</head>
<body>
${hasConsole ? '<div id="console"></div>' : ''}<header id="bearer"><form><label>Token <input id="token" type="password" autocomplete="off" placeholder="no token: requests are anonymous"></label></form></header>
<main><h1>GraphiQL</h1><div id="graphiql">Loading…</div></main>
<script type="module" src="${base}/graphql/assets/start.js"></script>
</body>
</html>
`;

const startScript = `import { createElement, createGraphiQLFetcher, createRoot, GraphiQL, keepAccessible, plugins, sortTypes } from './graphiql.js';

/** The address of GraphQL: this file is below it. */
const url = new URL('..', import.meta.url).pathname.replace(/\\/$/, '');

globalThis.MonacoEnvironment = {
  getWorker: (_, label) =>
    new Worker(url + '/assets/graphiql-' + (label === 'json' || label === 'graphql' ? label : 'editor') + '.js'),
};

const hint = '# Ctrl-Enter runs the query, Ctrl-Space completes it.\\n';
const storageKey = 'tablewright.token';
const field = document.getElementById('token');
field.value = sessionStorage.getItem(storageKey) ?? '';

/** Adds the token of the caller to a request, unless the Headers tab has a token. */
function withToken(headers = {}) {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  const token = sessionStorage.getItem(storageKey) ?? '';
  return token === '' || named ? headers : { ...headers, Authorization: 'Bearer ' + token };
}

function chooseToken(token) {
  field.value = token.trim().replace(/^Bearer\\s+/i, '');
  if (field.value === '') sessionStorage.removeItem(storageKey);
  else sessionStorage.setItem(storageKey, field.value);
}
field.addEventListener('change', () => chooseToken(field.value));
document.getElementById('bearer').addEventListener('submit', (event) => event.preventDefault());

/**
 * The header of the console, with its choice of a caller, instead of the field for a token. Answers
 * the users and tasks of the console's guide, and its tables; undefined if there is no console.
 */
async function openHeader() {
  const place = document.getElementById('console');
  if (place === null) return undefined;
  const { showHeader } = await import(new URL('../../console/assets/client/site.js', import.meta.url));
  const model = await showHeader(place, 'GraphiQL');
  document.getElementById('bearer').hidden = true;
  return model;
}

const named = (column) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(column.field) && column.leaf;

/** A query of the first table with columns that can be selected without an alias. */
function exampleOf({ tables }) {
  const table = tables.find(({ kind, columns }) => kind === 'table' && columns.some(named)) ?? tables.find(({ columns }) => columns.some(named));
  if (table === undefined) return hint;
  const fields = table.columns.filter(named).slice(0, 4).map(({ field }) => field);
  return hint + 'query Example {\\n  ' + table.field + '(limit: 5) {\\n    ' + fields.join('\\n    ') + '\\n  }\\n}\\n';
}

/**
 * The tabs: the query in the address; otherwise a tab for each task of the guide, or an example.
 */
function tabsOf(model) {
  const asked = new URLSearchParams(location.search).get('query');
  if (asked !== null) return [{ query: asked }];
  if (model === undefined) return [{ query: hint }];
  const tasks = model.guide.tasks.filter(({ graphql }) => graphql !== undefined);
  if (tasks.length === 0) return [{ query: exampleOf(model) }];
  return tasks.map(({ title, graphql }) => ({ query: '# ' + title + '\\n' + graphql + '\\n' }));
}

const plain = createGraphiQLFetcher({ url });

// Subscriptions use server-sent events: they can send the headers of the Headers tab, which a
// browser's WebSocket cannot.
async function* subscribe(request, headers) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...withToken(headers), accept: 'text/event-stream' },
    body: JSON.stringify(request),
  });
  if (!response.ok) return yield response.json();
  let text = '';
  for await (const part of response.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split('\\n\\n');
    text = events.pop();
    for (const event of events)
      if (event.startsWith('event: next')) yield JSON.parse(event.slice(event.indexOf('data: ') + 6));
  }
}

function fetcher(request, options) {
  const operations = options?.documentAST?.definitions.filter(({ kind }) => kind === 'OperationDefinition') ?? [];
  const chosen = operations.find(({ name }) => name?.value === request.operationName) ?? operations[0];
  // GraphiQL parses the document a moment after the user has typed it; until then, the text shows
  // the kind of operation.
  const operation = chosen?.operation ?? request.query.replace(/#.*/g, '').match(/(?:^|})\\s*(query|mutation|subscription)\\b/)?.[1];
  return operation === 'subscription' ? subscribe(request, options?.headers) : plain(request, { ...options, headers: withToken(options?.headers) });
}

async function start() {
  const model = await openHeader().catch(() => undefined);
  // Tabs of an earlier visit would hide the query in the address.
  const asked = new URLSearchParams(location.search).has('query');
  const kept = asked ? { storage: { getItem: () => null, setItem() {}, removeItem() {}, clear() {}, length: 0 } } : {};
  const place = document.getElementById('graphiql');
  keepAccessible(place);
  createRoot(place).render(
    createElement(GraphiQL, { fetcher, plugins, defaultTabs: tabsOf(model), onSchemaChange: sortTypes, shouldPersistHeaders: false, ...kept }),
  );
}
start();
`;

const style = `${withoutMotion}:root { color-scheme: light dark; }
body { margin: 0; display: flex; flex-direction: column; height: 100vh; font: 15px/1.5 system-ui, sans-serif; }
#bearer[hidden] { display: none; }
#bearer { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: center; padding: .4rem 1rem; border-bottom: 1px solid #8886; background: Canvas; color: CanvasText; }
#bearer input { font: 13px/1.5 ui-monospace, monospace; padding: .25rem .5rem; width: 18rem; max-width: 60vw; }
#bearer input::placeholder { color: inherit; opacity: .75; }
main { flex: 1; min-height: 0; } #graphiql { height: 100%; } h1 { position: absolute; left: -100rem; }
.graphiql-container, .graphiql-dialog { --alpha-secondary: .9; --color-info: 208, 100%, 37%; --color-secondary: 242, 51%, 52%; --color-success: 158, 60%, 28%; --color-warning: 36, 100%, 28%; }
.graphiql-explorer-root { --color-tertiary: 188, 100%, 24%; } @media (prefers-color-scheme: dark) { .graphiql-explorer-root { --color-tertiary: 188, 100%, 70%; } }
.suggest-widget :is(.details-label, .signature-label) { opacity: 1 !important; } .suggest-widget .highlight { color: inherit !important; }
.graphiql-container a.graphiql-doc-explorer-type-name { text-decoration: underline; }
@media (max-width: 40rem) {
  .graphiql-container .graphiql-main { flex-direction: column; overflow: auto; } .graphiql-main > .graphiql-horizontal-drag-bar { display: none; }
  .graphiql-main > .graphiql-plugin { flex: 0 0 18rem !important; min-width: 0 !important; } .graphiql-main > .graphiql-sessions { flex: 1 0 42rem !important; min-width: 0; }
  .graphiql-container #graphiql-session { flex-direction: column; gap: .5rem; }
  .graphiql-container #graphiql-session > * { flex: 1 1 0 !important; min-height: 0; }
  .graphiql-container #graphiql-session > .graphiql-horizontal-drag-bar { display: none; }
}
`;

const ownFiles: ReadonlyMap<string, Answer> = new Map(
  Object.entries({
    'start.js': { type: 'text/javascript', body: startScript },
    'page.css': { type: 'text/css', body: style },
  }).map(([name, { type, body }]): [string, Answer] => [
    name,
    {
      status: 200,
      headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' },
      body,
      tagged: true,
    },
  ]),
);
