import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { printSchema } from 'graphql';
import {
  basePathOf,
  codes,
  createPageOf,
  ServerError,
  type Answer,
  type ConsoleSource,
  type PageSource,
} from '@tablewright/runtime/console';
import type { IncomingMessage } from 'node:http';
import { claimNames, signClaims } from './claims.js';
import type { ConsoleGuide, ConsoleModel } from './console-model.js';
import { describe } from './describe.js';
import { explorerStyleSheet } from './explorer-style.js';
import { operationsPath } from './explorer/paths.js';
import { file, keptFile } from './file.js';
import { readGuide } from './guide.js';
import { headerStyleSheet } from './header-style.js';
import { createOperations } from './operations.js';
import { bundle } from './bundles.js';
import { assetPrefix, consolePage, consolePolicy, explorerPage } from './page.js';
import { styleSheet } from './style.js';
import { explainRow } from './why.js';

/** The part of the model that the catalogue and the registry decide. */
type Described = Pick<ConsoleModel, 'schemas' | 'tables' | 'functions'>;

/** The console for one state of the database. */
export function createConsole(source: ConsoleSource): PageSource {
  let described: Promise<Described> | undefined;
  let definitions: string | undefined;
  let kept: { readonly guide: string; readonly file: Promise<Answer> } | undefined;
  const { registry, settings, graphql } = source;
  const operations = createOperations(source.openapi);
  const isProduction = settings['app.server.production'];
  const keyFile = isProduction ? undefined : settings['app.console-key-file'];
  const pageOf = createPageOf(settings);
  const byRole = settings['app.security.schema-by-role'];
  const describing = (): Promise<Described> =>
    (described ??= source.catalog().then((catalog) => describe(registry, catalog)));
  const model = async (guide: ConsoleGuide): Promise<ConsoleModel> => ({
    ...(await describing()),
    profiles: (settings['app.schemas'] ?? [...registry.schemas.keys()]).length > 1,
    maxRows: settings['app.max-rows'],
    tokens: settings['app.security.jwt-enabled'],
    graphql: graphql !== undefined,
    subscriptions: settings['app.changes.source'] !== 'off' && graphql?.getSubscriptionType() != null,
    graphiql: graphql !== undefined && !settings['app.server.production'],
    ...postgrestOf(settings),
    roles: { anonymous: settings['app.security.anonymous-role'], token: settings['app.security.default-role'] },
    guide,
    explains: !isProduction,
    ...(byRole ? { byRole } : {}),
    ...(keyFile === undefined ? {} : { claims: claimNames(settings, registry) }),
  });
  /** Every page loads the model, and only the guide can change while the server runs. */
  const modelFile = async (): Promise<Answer> => {
    const guide = await readGuide(settings['app.console-guide']);
    const text = JSON.stringify(guide);
    if (kept?.guide !== text)
      kept = { guide: text, file: model(guide).then((made) => keptFile(JSON.stringify(made), 'application/json')) };
    return kept.file;
  };
  /** What only a developer may ask for: `app.cors.origins` allows no page to do so. */
  const developmentFile = async (path: string, request: IncomingMessage): Promise<Answer | undefined> => {
    if (!['own', 'none'].includes(pageOf(request)))
      throw new ServerError(403, codes.refused, 'Only the console of this server may ask for this.');
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    if (path === '/console/token')
      return keyFile === undefined
        ? undefined
        : noted({ token: await signClaims(keyFile, searchParams.get('claims') ?? '', settings) });
    const table = registry.table.get(searchParams.get('table') ?? '');
    return table === undefined
      ? undefined
      : noted(await explainRow(source, table, searchParams.getAll('key'), request));
  };
  return async (path, request) => {
    if (path === '/') return page(consolePage(basePathOf(request), byRole));
    if (path === '/console/explorer') return page(explorerPage(basePathOf(request), byRole));
    if (path === '/console/model.json') return modelFile();
    if (!isProduction && (path === '/console/token' || path === '/console/why')) return developmentFile(path, request);
    if (path.startsWith(operationsPath)) return operations(path, await describing(), basePathOf(request));
    if (path === '/schema.graphql' && graphql !== undefined && settings['app.graphql.introspection'])
      return file((definitions ??= `${printSchema(graphql)}\n`), 'text/plain', 'no-cache');
    return path.startsWith(assetPrefix) ? asset(path.slice(assetPrefix.length)) : undefined;
  };
}

function postgrestOf(settings: ConsoleSource['settings']): Pick<ConsoleModel, 'postgrest'> {
  const path = settings['app.rest.postgrest'];
  return path === undefined ? {} : { postgrest: { path, plans: settings['app.rest.plan-enabled'] } };
}

const page = (body: string): Answer => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': consolePolicy,
    'cache-control': 'no-cache',
  },
  body,
  tagged: true,
});

const noted = (value: object): Answer => file(JSON.stringify(value), 'application/json', 'no-store');

/** The compiled modules that a page may load: its own, and those of the diagram. */
const modules = /^(?:client|explorer|diagram)\/[a-z-]+\.js$/;

async function asset(path: string): Promise<Answer | undefined> {
  if (path === 'style.css') return file(styleSheet, 'text/css', 'no-cache');
  if (path === 'header.css') return file(headerStyleSheet, 'text/css', 'no-cache');
  if (path === 'explorer.css') return file(explorerStyleSheet, 'text/css', 'no-cache');
  if (path === 'swagger-ui.js' || path === 'swagger-ui.css') return bundle(path);
  const script = 'text/javascript';
  if (path === 'dagre.js') return file(await readFile(dagreFile()), script, 'max-age=86400');
  if (!modules.test(path)) return undefined;
  try {
    return file(await readFile(new URL(`./${path}`, import.meta.url)), script, 'no-cache');
  } catch {
    return undefined;
  }
}

/** The form of dagre that imports nothing. It is beside the one that Node.js would load. */
const dagreFile = (): URL =>
  new URL('./dagre.esm.js', pathToFileURL(createRequire(import.meta.url).resolve('@dagrejs/dagre')));
