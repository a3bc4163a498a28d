import { STATUS_CODES } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response, type Router } from 'express';
import { ServerError, codes } from '../errors.js';
import { errorAnswer } from '../response/rest-error.js';
import { send } from '../response/answer.js';
import { createDeliver, varyByCoding } from '../response/deliver.js';
import { toServerError } from '../response/server-error.js';
import type { SchemaState } from '../drift/follower.js';
import type { FeedHealth } from '../events/unreported.js';
import type { PageSource } from './console.js';
import type { Cors } from './cors.js';
import { healthRoutes } from './health.js';
import { securePage } from './page-security.js';
import { createCheckConsoleHost } from './senders.js';
import { identifies, type CallerOf } from './route-callers.js';
import { requestId } from './request-context.js';
import type { Services } from '../execute/services.js';

export interface PagesOptions {
  /** The user's routers. */
  readonly routes: readonly Router[];
  /** Makes the caller that the user's routers read the database with. */
  readonly callerOf: CallerOf;
  readonly draining: () => boolean;
  readonly cors: Cors | undefined;
  /** Whether the API matches the database. */
  readonly schemaState?: () => SchemaState;
  /** What extensions add to the answers of `/health`. */
  readonly healthDetails?: (() => Readonly<Record<string, unknown>>) | undefined;
  /** The state of the change feed, if there is one. */
  readonly feed?: () => FeedHealth;
  /** The pages of the console. Absent if the console is off. */
  readonly console?: PageSource;
}

/** The Express 5 application for everything but data: health, the user's routes, the console. */
export function createPages(services: Services, options: PagesOptions): Express {
  const { settings, dialect, driver, observe } = services;
  const app = express();
  app.disable('x-powered-by');
  app.use((request, response, next) => {
    response.setHeader('x-request-id', requestId(request));
    securePage(request, response);
    if (options.cors?.(request, response) !== true) next();
  });
  app.use(
    healthRoutes(
      { driver, dialect, schemaState: options.schemaState, details: options.healthDetails },
      options.draining,
      services.hasKeys ?? (() => true),
      options.feed,
    ),
  );
  if (options.routes.length > 0) app.use(identifies(services, options.callerOf));
  for (const router of options.routes) app.use(router);
  const { console } = options;
  if (console !== undefined) {
    const vary = varyByCoding(settings).join(', ');
    const deliver = createDeliver(settings, services.pendingBytes);
    const checkHost = createCheckConsoleHost(settings);
    app.get(/^\/(?:$|console\/|schema\.graphql$)/, async (request, response, next) => {
      checkHost(request);
      const answer = await console(request.path, request);
      if (answer === undefined) next();
      else await deliver(request, response, answer, vary === '' ? {} : { vary });
    });
  }
  app.use((request) => {
    const { baseUrl } = request;
    throw new ServerError(404, codes.notFound, `There is nothing at ${baseUrl}${request.path.slice(0, 80)}.`, {
      hint: `GraphQL is at ${baseUrl}/graphql, REST at ${baseUrl}/api/v1.`,
    });
  });
  app.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    const error = fromExpress(thrown) ?? toServerError(thrown, dialect);
    const { status } = error;
    if (status >= 500)
      observe({ kind: 'failure', requestId: String(response.getHeader('x-request-id')), status, error });
    // An answer that has begun cannot be replaced: Express closes its connection.
    if (response.headersSent) next(thrown);
    else send(response, errorAnswer(error), request.method === 'HEAD');
  });
  return app;
}

/**
 * The error of a request that Express or a body parser refuses, with the status that they chose:
 * https://github.com/jshttp/http-errors
 */
function fromExpress(thrown: unknown): ServerError | undefined {
  if (!(thrown instanceof Error) || thrown instanceof ServerError || !('status' in thrown)) return undefined;
  const { status } = thrown;
  if (typeof status !== 'number' || status < 400 || status > 499) return undefined;
  return new ServerError(status, codes.refused, STATUS_CODES[status] ?? 'The request was refused.', { cause: thrown });
}
