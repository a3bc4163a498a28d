import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { ServerError, codes } from '../errors.js';
import { schemaOf } from '../request/rest/profile.js';
import { parseTarget } from '../request/rest/target.js';
import { send } from '../response/answer.js';
import { errorAnswer } from '../response/rest-error.js';
import { toServerError } from '../response/server-error.js';
import type { TableRoutes } from './generated.js';
import { createOpenapiReader } from './openapi.js';
import type { DataHandler, RequestContext } from './request-context.js';
import { createStatementCache, TableExchange } from './rest-exchange.js';
import { allowed, indexRoutes, methodNotAllowed, routesOf, writeRoute, type RouteMap } from './rest-routes.js';
import type { Services } from './services.js';
import { createWriteCache, type WriteCaches } from './rest-write.js';
import { WriteRunner } from './write-runner.js';
import { Timing } from './timing.js';

export interface RestOptions {
  readonly routes: readonly TableRoutes[];
  /** openapi.json */
  readonly openapi: URL;
}

/** Everything under `/api/v1`. Source: contract 4.1; decisions 6. */
export function createRestHandler(services: Services, options: RestOptions): DataHandler {
  const handler = new RestHandler(services, options);
  return (request, response, context) => handler.handle(request, response, context);
}

/** `['api', 'v1']`, then the table and the key. */
const prefixLength = 2;

class RestHandler {
  private readonly served: readonly string[];
  private readonly routes: RouteMap;
  private readonly statements = createStatementCache();
  private readonly writes: WriteCaches;
  private readonly openapi: () => Promise<string>;

  constructor(
    private readonly services: Services,
    options: RestOptions,
  ) {
    this.served = services.settings['app.schemas'] ?? [...services.registry.schemas.keys()];
    this.routes = indexRoutes(options.routes, this.served);
    this.openapi = createOpenapiReader(options.openapi);
    this.writes = { runner: new WriteRunner(services), prepared: createWriteCache() };
  }

  async handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    try {
      await this.answer(request, response, context);
    } catch (thrown) {
      const error = toServerError(thrown);
      if (error.status >= 500) this.services.observe({ kind: 'failure', requestId: context.id, error });
      const { status, headers, body } = errorAnswer(error);
      const withId = { ...headers, 'x-request-id': context.id };
      send(response, { status, headers: withId, ...(body === undefined ? {} : { body }) }, request.method === 'HEAD');
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    const target = parseTarget(request.url ?? '/', this.services.settings['app.limits.url-bytes']);
    const [table = '', id, ...more] = target.segments.slice(prefixLength);
    if (more.length > 0) throw notFound();
    if (request.method === 'OPTIONS') {
      this.answerOptions(request, response, context, table, id !== undefined && id !== '');
      return;
    }
    const claimed = this.services.authenticate(request);
    const identity = claimed instanceof Promise ? await claimed : claimed;
    if (table === '') return this.answerRoot(request, response, context);
    const schema = schemaOf(request.method ?? 'GET', request.headers, this.served);
    const routes = routesOf(this.routes, schema, table);
    const timing = this.services.settings['app.server.production'] ? undefined : new Timing(context.start);
    const exchange = new TableExchange({
      services: this.services,
      statements: this.statements,
      writes: this.writes,
      request,
      response,
      context,
      identity,
      query: target.query,
      id: id === '' ? undefined : id,
      headers: this.commonHeaders(context, schema),
      timing,
    });
    await this.dispatch(request.method ?? 'GET', routes, exchange, id);
  }

  private dispatch(
    method: string,
    routes: TableRoutes,
    exchange: TableExchange,
    id: string | undefined,
  ): Promise<void> {
    const byKey = id !== undefined && id !== '';
    if (method !== 'GET' && method !== 'HEAD') {
      const write = byKey ? undefined : writeRoute(routes, method);
      if (write === undefined) throw methodNotAllowed(method, allowed(routes, byKey));
      return write(exchange);
    }
    if (!byKey) return routes.list(exchange);
    if (routes.row !== undefined) return routes.row(exchange);
    throw notByKey(routes.table.name);
  }

  private commonHeaders(context: RequestContext, schema: string): OutgoingHttpHeaders {
    const id = { 'x-request-id': context.id };
    return this.served.length > 1 ? { ...id, 'content-profile': encodeURI(schema) } : id;
  }

  private async answerRoot(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw methodNotAllowed(request.method ?? '', allowed(undefined, false));
    const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': context.id };
    send(response, { status: 200, headers, body: await this.openapi() }, request.method === 'HEAD');
  }

  /** Answered without a token and without a profile header: a browser asks before it sends either. */
  private answerOptions(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    table: string,
    byKey: boolean,
  ): void {
    const named = typeof request.headers['accept-profile'] === 'string';
    const schemas = named ? [schemaOf('OPTIONS', request.headers, this.served)] : this.served;
    const schema = schemas.find((each) => this.routes.get(each)?.has(table) === true) ?? schemas[0] ?? '';
    const routes = table === '' ? undefined : routesOf(this.routes, schema, table);
    const allow = allowed(routes, byKey);
    send(response, { status: 204, headers: { allow, 'x-request-id': context.id } }, false);
  }
}

const notFound = (): ServerError =>
  new ServerError(404, codes.notFound, 'There is nothing at this path.', {
    hint: 'Paths are /api/v1/{table} and /api/v1/{table}/{id}. A `/` inside a name or a key is written %2F.',
  });

/** Contract 4.1: "only if the primary key is one column". */
const notByKey = (table: string): ServerError =>
  new ServerError(404, codes.notFound, `Rows of "${table}" have no path: its primary key is not one column.`, {
    hint: 'Filter by the columns of the key, as in ?a=eq.1&b=eq.2.',
  });
