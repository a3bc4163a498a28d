import type { IncomingMessage } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { Catalog } from '../catalog/catalog.js';
import type { Registry } from '../descriptor/registry.js';
import { codes, ServerError } from '../errors.js';
import type { Services } from '../execute/services.js';
import { optionalPackage } from '../optional-package.js';
import type { Answer } from '../response/answer.js';
import { errorAnswer } from '../response/rest-error.js';
import { hasConsole } from '../settings/has-console.js';
import type { Settings } from '../settings/settings.js';

/** The answer at the path of a request; undefined if the path does not exist. */
export type PageSource = (path: string, request: IncomingMessage) => Promise<Answer | undefined>;

/** What the console shows: one state of the database. */
export interface ConsoleSource {
  readonly registry: Registry;
  readonly settings: Settings;
  /** In development the console explains why a caller does not see a row. */
  readonly services: Services;
  /** The catalogue of what is served; undefined where it cannot be read. */
  readonly catalog: () => Promise<Catalog | undefined>;
  /** The bytes of openapi.json. */
  readonly openapi: () => Promise<Buffer>;
  /** Undefined where GraphQL has nothing to show. */
  readonly graphql: GraphQLSchema | undefined;
}

/** The exports of `@tablewright/console` that a server uses. */
export interface ConsolePackage {
  /** The pages at `/` and `/console/…`, and `/schema.graphql`. */
  readonly createConsole: (source: ConsoleSource) => PageSource;
  /**
   * GraphiQL, and its files below `/graphql/assets/`.
   * @param hasConsole whether a console is served: the page links to it, and offers its users
   */
  readonly createGraphiql: (hasConsole: boolean) => PageSource;
}

const packageName = '@tablewright/console';

/**
 * The console. Its package is a development dependency of the project, which the server finds by
 * name when a browser first opens a page. As an optional peer of the runtime, npm would install it
 * in production, too: decision 023.
 */
export function lazyConsole(source: ConsoleSource): PageSource {
  let opened: PageSource | undefined;
  return async (path, request) => {
    opened ??= (await loadConsole()).createConsole(source);
    return opened(path, request);
  };
}

/**
 * GraphiQL for browsers. The answer is undefined for all other requests, which the GraphQL handler
 * answers.
 */
export function lazyGraphiql(settings: Settings): (request: IncomingMessage) => Promise<Answer | undefined> {
  let opened: PageSource | undefined;
  return async (request) => {
    const path = graphiqlPath(request);
    if (path === undefined) return undefined;
    try {
      opened ??= (await loadConsole()).createGraphiql(hasConsole(settings));
    } catch (error) {
      if (error instanceof ServerError) return errorAnswer(error);
      throw error;
    }
    return opened(path, request);
  };
}

function graphiqlPath({ method, url = '', headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const [path = ''] = url.split('?');
  const isPage = /^\/graphql\/?$/.test(path) && headers.accept?.includes('text/html') === true;
  return isPage || path.startsWith('/graphql/assets/') ? path : undefined;
}

/** @throws ServerError 404, with the command that installs the package */
async function loadConsole(): Promise<ConsolePackage> {
  const found = await optionalPackage(packageName);
  if (found !== undefined) return found as ConsolePackage;
  throw new ServerError(404, codes.notFound, `This page is in the package ${packageName}, which is not installed.`, {
    hint: `npm install --save-dev ${packageName}`,
  });
}
