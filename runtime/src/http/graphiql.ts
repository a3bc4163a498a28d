import { readFile } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Answer } from '../response/answer.js';

/** GraphiQL for browsers, from the packages in node_modules: nothing is loaded from elsewhere. */
export interface Graphiql {
  /** The page or one of its files; undefined when the request is not a browser's, and GraphQL's own handler answers. */
  readonly answer: (request: IncomingMessage) => Promise<Answer | undefined>;
}

/** Files of the page: the name they are served under, the package, and where they are in it. */
const assets: ReadonlyMap<string, { readonly package: string; readonly file: string; readonly type: string }> = new Map(
  [
    ['react.js', { package: 'react', file: 'umd/react.production.min.js', type: 'text/javascript' }],
    ['react-dom.js', { package: 'react-dom', file: 'umd/react-dom.production.min.js', type: 'text/javascript' }],
    ['graphiql.js', { package: 'graphiql', file: 'graphiql.min.js', type: 'text/javascript' }],
    ['graphiql.css', { package: 'graphiql', file: 'graphiql.min.css', type: 'text/css' }],
  ],
);

const prefix = '/graphql/assets/';

/** @param base where packages are looked for from: a file's URL */
export function createGraphiql(base: string = import.meta.url): Graphiql {
  return {
    answer: async ({ method, url = '', headers }) => {
      if (method !== 'GET' && method !== 'HEAD') return undefined;
      const [path = ''] = url.split('?');
      if (path.startsWith(prefix)) return assetAnswer(path.slice(prefix.length), base);
      if (!/^\/graphql\/?$/.test(path) || headers.accept?.includes('text/html') !== true) return undefined;
      return { status: 200, headers: pageHeaders, body: (await isInstalled(base)) ? page : missingPage };
    },
  };
}

async function assetAnswer(name: string, base: string): Promise<Answer | undefined> {
  if (name === 'start.js')
    return { status: 200, headers: assetHeaders('text/javascript'), body: startScript, tagged: true };
  const asset = assets.get(name);
  const path = asset === undefined ? undefined : pathOf(asset, base);
  if (asset === undefined || path === undefined) return undefined;
  try {
    return { status: 200, headers: assetHeaders(asset.type), body: await readFile(path), tagged: true };
  } catch {
    return undefined;
  }
}

/** Packages need not export the files that a browser loads, but each exports its package.json. */
function pathOf(asset: { readonly package: string; readonly file: string }, base: string): string | undefined {
  const { resolve } = createRequire(base);
  try {
    return join(dirname(resolve(`${asset.package}/package.json`)), asset.file);
  } catch {
    return undefined;
  }
}

async function isInstalled(base: string): Promise<boolean> {
  const found = await Promise.all([...assets.keys()].map((name) => assetAnswer(name, base)));
  return !found.includes(undefined);
}

const assetHeaders = (type: string): OutgoingHttpHeaders => ({
  'content-type': `${type}; charset=utf-8`,
  'cache-control': 'max-age=3600',
});

/** CodeMirror, GraphiQL's editor, sets styles of elements; everything else is the page's own. */
const pageHeaders: OutgoingHttpHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache',
};

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphql/assets/graphiql.css">
<style>body { margin: 0 } #graphiql { height: 100vh }</style>
</head>
<body>
<div id="graphiql">Loading…</div>
<script src="/graphql/assets/react.js"></script>
<script src="/graphql/assets/react-dom.js"></script>
<script src="/graphql/assets/graphiql.js"></script>
<script src="/graphql/assets/start.js"></script>
</body>
</html>
`;

const startScript = `const welcome = \`# Ctrl-Enter runs the query, Ctrl-Space completes what you write.
# A token goes into the Headers tab below: { "Authorization": "Bearer …" }

\`;
const plain = GraphiQL.createFetcher({ url: '/graphql' });

// A subscription is a stream of events: so it takes the Headers tab, which a WebSocket of a browser could not.
async function* subscribe(request, headers) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers, accept: 'text/event-stream' },
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
  // GraphiQL has parsed the document a moment after it was written: until then its text has to do.
  const operation = chosen?.operation ?? request.query.replace(/#.*/g, '').match(/(?:^|})\\s*(query|mutation|subscription)\\b/)?.[1];
  return operation === 'subscription' ? subscribe(request, options?.headers) : plain(request, options);
}

ReactDOM.createRoot(document.getElementById('graphiql')).render(
  React.createElement(GraphiQL, {
    fetcher,
    defaultQuery: welcome,
    shouldPersistHeaders: false,
  }),
);
`;

const missingPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>GraphQL</title></head>
<body>
<h1>GraphQL is here</h1>
<p>Requests are answered. The query editor is not installed; to have it here:</p>
<pre>npm install --save-dev graphiql@3 react@18 react-dom@18</pre>
</body>
</html>
`;
