import { readdirSync } from 'node:fs';
import { swaggerScript } from './explorer/paths.js';

/**
 * Where the page's own files are served. A path below it is the file's path among the compiled
 * sources.
 */
export const assetPrefix = '/console/assets/';

const pageOf = (base: string, title: string, head: string, body: string, byRole: boolean): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
${byRole ? '' : `<link rel="preload" href="${base}/console/model.json" as="fetch" crossorigin>`}
<link rel="stylesheet" href="${base}${assetPrefix}style.css">
${head}
</head>
<body>
${body}
<noscript><p class="loading">This page needs JavaScript. GraphQL is at <a href="${base}/graphql">${base}/graphql</a>, the description of REST at <a href="${base}/api/v1">${base}/api/v1</a>.</p></noscript>
</body>
</html>
`;

/**
 * The page at `/`: its content is made in the browser, from the model.
 * @param base the path that the server is below
 * @param byRole whether each role has a model: a preload has no token, and browsers take its answer
 *   for that of the later request with a token
 */
export const consolePage = (base: string, byRole: boolean): string =>
  pageOf(
    base,
    'Tablewright',
    `${preloads(base, modulesIn('client'))}
<script type="module" src="${base}${assetPrefix}client/main.js"></script>`,
    '<div id="console"><p class="loading">Loading…</p></div>',
    byRole,
  );

/**
 * The page of Swagger UI, whose script the page's own module starts: it runs for as long as the
 * server takes for the operations, which the module asks for first.
 */
export const explorerPage = (base: string, byRole: boolean): string =>
  pageOf(
    base,
    'REST · Tablewright',
    `<link rel="stylesheet" href="${base}${assetPrefix}swagger-ui.css">
<link rel="stylesheet" href="${base}${assetPrefix}explorer.css">
${preloads(base, modulesIn('explorer'))}
<link rel="preload" href="${base}${swaggerScript}" as="script">
<script type="module" src="${base}${assetPrefix}explorer/main.js"></script>`,
    '<div id="explorer"><p class="loading">Loading…</p></div>',
    byRole,
  );

/** So that a browser asks for all modules at once. Workers load theirs when they start. */
const preloads = (base: string, paths: readonly string[]): string =>
  paths.map((path) => `<link rel="modulepreload" href="${base}${assetPrefix}${path}">`).join('\n');

const modulesIn = (folder: 'client' | 'explorer'): readonly string[] =>
  readdirSync(new URL(`./${folder}/`, import.meta.url))
    .filter((name) => name.endsWith('.js') && !name.endsWith('-worker.js'))
    .map((name) => `${folder}/${name}`);

/** Nothing from elsewhere, nothing in the page itself that runs or styles. */
export const consolePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');
