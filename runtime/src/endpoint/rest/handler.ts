import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { CountedCache } from '../../observe/metrics/cache-counts.js';
import { ServerError, codes } from '../../errors.js';
import { schemaOf } from '../../request/rest/grammar/profile.js';
import { parseTarget, type Target } from '../../request/rest/grammar/target.js';
import { send } from '../../response/answer.js';
import { cacheControl } from '../../response/cache-control.js';
import { createDeliver, varyByCoding, type Deliver } from '../../response/deliver.js';
import { toServerError } from '../../response/server-error.js';
import type { Identity } from '../../dialect/driver.js';
import type { Statement } from '../../plan/statement.js';
import { restPath } from '../../descriptor/naming.js';
import { basePathOf, describedBelow } from '../../response/answer.js';
import { isClientDisconnect } from '../../http/client-disconnect.js';
import type { FunctionDescriptor } from '../../descriptor/descriptor.js';
import type { TableRoutes } from '../../descriptor/generated.js';
import { pathOf, report } from '../../http/report.js';
import { createCheckHost, type CheckSender } from '../../http/senders.js';
import type { DataHandler, RequestContext } from '../../http/request-context.js';
import { refusePrecondition } from './precondition.js';
import { createCostOf, type CostOf } from './cost.js';
import { createStatementCache, TableExchange, withoutRange, type ExchangeParts } from './exchange.js';
import { FunctionExchange } from './call-exchange.js';
import { functionMethods, functionsPath, ownFunctions, type MountFunctions } from './functions.js';
import { ownForm, type RestForm } from './rest-form.js';
import { allowed, indexRoutes, methodNotAllowed, routesOf, writeRoute, type RouteMap } from './routes.js';
import type { Use } from '../../execute/admission.js';
import type { Services } from '../../execute/services.js';
import { createWriteCache, type WriteCaches } from './write-exchange.js';
import { WriteRunner } from '../../execute/write-runner.js';
import { Timing } from '../../http/timing.js';

export interface RestOptions {
  readonly routes: readonly TableRoutes[];
  /** The bytes of openapi.json. */
  readonly openapi: () => Promise<Buffer>;
  /**
   * Finds the handler that repeats a read, after its statement failed because the database changed;
   * undefined if no newer API is served.
   */
  readonly successor?: (error: unknown) => Promise<DataHandler | undefined>;
}

/** Everything under a path of REST. Default: `/api/v1`. Source: decision 006. */
export function createRestHandler(services: Services, options: RestOptions, mount?: RestMount): DataHandler {
  const handler = new RestHandler(services, options, mount);
  return (request, response, context) => handler.handle(request, response, context);
}

/** The path begins with `['api', 'v1']`; the table and the key follow. */
const ownMount: RestMount = { form: ownForm, segments: 2, functions: ownFunctions };

/** Another path of the API's description: some tools expect a file name. */
const description = 'openapi.json';

/** A path prefix under which the tables are served. */
export interface RestMount {
  readonly form: RestForm;
  /** Number of segments of the prefix. */
  readonly segments: number;
  readonly functions: (services: Services) => MountFunctions;
}

export class RestHandler {
  protected readonly served: readonly string[];
  protected readonly routes: RouteMap;
  private readonly statements: CountedCache<Statement>;
  private readonly writes: WriteCaches;
  private readonly openapi: () => Promise<Buffer>;
  private readonly successor: RestOptions['successor'];
  protected readonly deliver: Deliver;
  private readonly vary: string;
  private readonly checkHost: CheckSender;
  protected readonly functions: MountFunctions;
  private readCost: CostOf | undefined;

  constructor(
    protected readonly services: Services,
    options: RestOptions,
    protected readonly mount: RestMount = ownMount,
  ) {
    this.functions = mount.functions(services);
    this.served = services.settings['app.schemas'] ?? this.functions.schemas;
    this.routes = indexRoutes(options.routes, this.served);
    this.openapi = options.openapi;
    this.checkHost = createCheckHost(services.settings);
    this.successor = options.successor;
    this.deliver = createDeliver(services.settings, services.pendingBytes);
    this.vary = varyOf(services, this.served.length > 1);
    this.statements = createStatementCache(services.registry);
    services.caches?.(`${mount.form.name}_statements`, this.statements);
    this.writes = { runner: new WriteRunner(services), prepared: createWriteCache(services.registry) };
    services.caches?.(`${mount.form.name}_writes`, this.writes.prepared);
  }

  async handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    const asker: Asker = { identity: undefined };
    try {
      await this.answer(request, response, context, asker);
    } catch (thrown) {
      const error = toServerError(thrown, this.services.dialect);
      const next = canRepeat(request, response, context) ? await this.successor?.(error) : undefined;
      if (next !== undefined) return next(request, response, { ...context, isRepeated: true });
      if (isClientDisconnect(error, context.signal)) return;
      const { method = '' } = request;
      const answer = this.mount.form.error(error, { isAnonymous: this.isAnonymous(asker), method });
      report(this.services.observe, error, context, { method, path: pathOf(request.url) }, answer.status);
      await this.deliver(request, response, answer, { vary: this.vary, 'x-request-id': context.id });
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    asker: Asker,
  ): Promise<void> {
    const { segments: prefixLength, form } = this.mount;
    const { admission } = this.services;
    if (admission !== undefined && context.isRepeated !== true) await admission.enter(request, response);
    const target = this.targetOf(request);
    const { segments } = target;
    if (segments.length > prefixLength + 2) throw notFound();
    const table = segments[prefixLength] ?? '';
    const id = segments[prefixLength + 1];
    if (request.method === 'OPTIONS') {
      this.checkHost(request);
      const { status, allow } = this.options(request, table, id);
      send(response, { status, headers: { allow, vary: this.vary, 'x-request-id': context.id } }, false);
      return;
    }
    const claimed = this.authenticate(request);
    const identity = claimed instanceof Promise ? await claimed : claimed;
    asker.identity = identity;
    if (table === '' || (table === description && id === undefined && !this.hasTable(table)))
      return this.answerRoot(request, response, context, identity);
    const schema = this.schemaOf(request);
    if (request.method === 'POST') refusePrecondition(request.headers, 'POST');
    const functions = this.functionsAt(schema, table, id);
    const routes = functions === undefined ? routesOf(this.routes, schema, table) : undefined;
    if (admission !== undefined && context.isRepeated !== true) {
      const cost = this.costOf(request, target.query, id, functions, routes);
      await admission.charge(
        request,
        response,
        identity,
        useOf(request, schema, functions === undefined ? table : id, cost),
      );
    }
    const timing = Timing.of(this.services, context.start, 'rest', form.stages);
    timing?.show('identify');
    const parts: ExchangeParts = {
      services: this.services,
      statements: this.statements,
      writes: this.writes,
      request,
      given: request.headers,
      response,
      context,
      identity,
      query: target.query,
      id: id === '' ? undefined : id,
      headers: this.commonHeaders(request, context, schema, identity),
      timing,
      deliver: this.deliver,
      form,
      called: functions === undefined ? undefined : this.calledAt(schema, id ?? ''),
      version: this.services.beginVersion?.(request, response),
    };
    await this.respond(parts, functions, routes);
  }

  /** As GraphQL counts: a write has not read its body yet, and costs one unit. */
  private costOf(
    request: IncomingMessage,
    query: string,
    id: string | undefined,
    functions: readonly FunctionDescriptor[] | undefined,
    routes: TableRoutes | undefined,
  ): number {
    const { registry, settings } = this.services;
    if (functions?.some(({ returnsSet }) => returnsSet) === true) return settings['app.max-rows'];
    const table = routes === undefined ? undefined : registry.table.get(routes.table.field);
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (table === undefined || !isRead || (id !== undefined && id !== '')) return 1;
    const { form } = this.mount;
    this.readCost ??= createCostOf(this.services);
    const headers = withoutRange(request.headers, request.method, form);
    return this.readCost({ table, query, headers, form, mediaHandlers: registry.mediaHandlers });
  }

  /** Answers a request to a function or to a table. */
  protected respond(
    parts: ExchangeParts,
    functions: readonly FunctionDescriptor[] | undefined,
    routes: TableRoutes | undefined,
  ): Promise<void> {
    if (functions !== undefined) return this.functionExchange(parts, functions).respond();
    if (routes === undefined) return Promise.resolve();
    return this.dispatch(parts.request.method ?? 'GET', routes, new TableExchange(parts), parts.id);
  }

  protected functionExchange(parts: ExchangeParts, functions: readonly FunctionDescriptor[]): FunctionExchange {
    return new FunctionExchange(parts, functions);
  }

  /**
   * Whether a served schema has a table of this name: a table called `openapi.json` keeps its path.
   */
  private hasTable(table: string): boolean {
    return this.served.some((schema) => this.routes.get(schema)?.has(table) === true);
  }

  /** The functions at /rpc/{name}. Throws ServerError 404. */
  protected functionsAt(
    schema: string,
    path: string,
    name: string | undefined,
  ): readonly FunctionDescriptor[] | undefined {
    if (path !== functionsPath || name === undefined) return undefined;
    return this.functions.at(schema, name, this.routes.get(schema)?.has(path) === true);
  }

  /** What an unknown function was perhaps meant to be, for errors that name it. */
  protected calledAt(schema: string, name: string): NonNullable<ExchangeParts['called']> {
    const others = (): Iterable<string> => this.functions.named.get(schema)?.keys() ?? [];
    return { schema, name, others, restNames: this.services.registry.restNames };
  }

  private dispatch(
    method: string,
    routes: TableRoutes,
    exchange: TableExchange,
    id: string | undefined,
  ): Promise<void> {
    const byKey = id !== undefined;
    if (method !== 'GET' && method !== 'HEAD') {
      const write = byKey ? undefined : writeRoute(routes, method);
      if (write === undefined) throw methodNotAllowed(method, allowed(routes, byKey).join(', '));
      return write(exchange);
    }
    if (!byKey) return routes.list(exchange);
    if (routes.row !== undefined) return routes.row(exchange);
    throw notByKey(routes.table.name);
  }

  protected commonHeaders(
    request: IncomingMessage,
    context: RequestContext,
    schema: string,
    identity: Identity,
  ): OutgoingHttpHeaders {
    const headers: OutgoingHttpHeaders = {
      'cache-control': cacheControl(request.method, identity),
      vary: this.vary,
      'x-request-id': context.id,
    };
    if (this.served.length > 1) headers['content-profile'] = encodeURI(schema);
    return headers;
  }

  protected targetOf(request: IncomingMessage): Target {
    return parseTarget(request.url ?? '/', this.services.settings['app.limits.url-bytes']);
  }

  protected authenticate(request: IncomingMessage): Promise<Identity> | Identity {
    return this.services.authenticate(request);
  }

  /** Whether the request is anonymous, or its token names the anonymous role. */
  private isAnonymous({ identity }: Asker): boolean {
    if (identity === undefined) return false;
    const { userId, claims, role } = identity;
    if (userId === undefined && claims === undefined) return true;
    return role !== undefined && role === this.services.settings['app.security.anonymous-role'];
  }

  protected schemaOf({ method = 'GET', headers }: IncomingMessage): string {
    return schemaOf(method, headers, this.served);
  }

  protected async answerRoot(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    identity: Identity,
  ): Promise<void> {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw methodNotAllowed(request.method ?? '', allowed(undefined, false).join(', '));
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': cacheControl(request.method, identity),
    };
    const body = describedBelow(basePathOf(request), await this.openapi(), restPath);
    const answer = { status: 200, headers, body, tagged: true };
    await this.deliver(request, response, answer, { vary: this.vary, 'x-request-id': context.id });
  }

  /** Needs no token and no profile header: browsers send neither in a preflight. */
  protected options(request: IncomingMessage, table: string, id: string | undefined): AllowedMethods {
    const byKey = id !== undefined && id !== '';
    const named = typeof request.headers['accept-profile'] === 'string';
    const schemas = named ? [schemaOf('OPTIONS', request.headers, this.served)] : this.served;
    const schema = schemas.find((each) => this.routes.get(each)?.has(table) === true) ?? schemas[0] ?? '';
    const holder = schemas.find((each) => this.functions.named.get(each)?.has(id ?? '') === true) ?? schema;
    const functions = this.functionsAt(holder, table, id);
    const routes = table === '' || functions !== undefined ? undefined : routesOf(this.routes, schema, table);
    return {
      status: 204,
      allow: (functions === undefined ? allowed(routes, byKey) : functionMethods(functions)).join(', '),
    };
  }
}

/** Reads by HEAD are reads. Source: RFC 9110, 9.3.2. */
const useOf = ({ method = '' }: IncomingMessage, schema: string, name = '', cost: number): Use => ({
  operations: new Map([[`${method === 'HEAD' ? 'GET' : method} ${schema}.${name}`, 1]]),
  cost,
});

/** What OPTIONS answers. */
export interface AllowedMethods {
  readonly status: number;
  readonly allow: string;
}

/** Who sends a request, once that is known. */
interface Asker {
  identity: Identity | undefined;
}

/**
 * Only reads are repeated: they changed nothing, and have no body, which could not be read twice.
 */
const canRepeat = (
  { method }: IncomingMessage,
  { headersSent }: ServerResponse,
  { isRepeated }: RequestContext,
): boolean => (method === 'GET' || method === 'HEAD') && !headersSent && isRepeated !== true;

/** The request headers that the answer depends on, for `Vary`. Source: RFC 9110, 12.5.5. */
const varyOf = ({ settings, identifiedBy = [] }: Services, severalSchemas: boolean): string =>
  [
    'Accept',
    ...(severalSchemas ? ['Accept-Profile'] : []),
    ...identifiedBy.map((name) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())),
    'Prefer',
    'Range',
    ...varyByCoding(settings),
  ].join(', ');

const notFound = (): ServerError =>
  new ServerError(404, codes.notFound, 'There is nothing at this path.', {
    hint: 'Paths are /api/v1/{table} and /api/v1/{table}/{id}. A `/` inside a name or a key is written %2F.',
  });

/** Decision 006: "only if the primary key is one column". */
const notByKey = (table: string): ServerError =>
  new ServerError(404, codes.notFound, `Rows of "${table}" have no path: its primary key is not one column.`, {
    hint: 'Filter by the columns of the key, as in ?a=eq.1&b=eq.2.',
  });
