import type { IncomingMessage, ServerResponse } from 'node:http';
import { copyWith } from '../../copy-with.js';
import type { Catalog } from '../../catalog/catalog.js';
import type { Identity, RunOptions } from '../../dialect/driver.js';
import type { TableRoutes } from '../../descriptor/generated.js';
import { rowKeyOf } from '../../descriptor/unique-keys.js';
import { checkIssuedAt } from '../../auth/issued-at.js';
import { ServerError } from '../../errors.js';
import { rightsOfRole } from '../../execute/role-rights.js';
import type { Services } from '../../execute/services.js';
import { basePathOf, describedBelow } from '../../response/answer.js';
import type { DataHandler, RequestContext } from '../../http/request-context.js';
import { checkTakesDescription } from './request/accept.js';
import { parseTarget, type Target } from '../../request/rest/grammar/target.js';
import type { RawRow } from '../../plan/statement.js';
import type { Deliver } from '../../response/deliver.js';
import { addressed } from '../../response/rest-written.js';
import { asSaid, saidOfAnswer, without } from './answer/said-of-answer.js';
import type { ExchangeParts } from '../../endpoint/rest/exchange.js';
import { callByQuery } from './request/call.js';
import { canonicalQuery } from './answer/canonical-query.js';
import { functionsPath } from '../../endpoint/rest/functions.js';
import { RestHandler, type AllowedMethods, type RestOptions } from '../../endpoint/rest/handler.js';
import { allowed, methodNotAllowed, routesOf } from '../../endpoint/rest/routes.js';
import { PostgrestFunctionExchange } from './call-exchange.js';
import type { Descriptions } from './description/index.js';
import { createPostgrestForm } from './form.js';
import { postgrestFunctions } from './functions.js';
import { planResponder, type RespondPlan } from './plan.js';
import { senderOf } from './project-key.js';
import { createSessionOf, type SessionOf } from './session.js';

export interface PostgrestOptions extends RestOptions {
  /** What the API follows from; undefined where it cannot be read. */
  readonly catalog: () => Promise<Catalog | undefined>;
}

/**
 * Everything under `app.rest.postgrest`: REST in PostgREST's own form, by the same parsers, plans
 * and statements.
 */
export function createPostgrestHandler(services: Services, path: string, options: PostgrestOptions): DataHandler {
  const handler = new PostgrestHandler(services, path, options);
  return (request, response, context) => handler.handle(request, response, context);
}

class PostgrestHandler extends RestHandler {
  private readonly defaultSchema: string;
  private readonly respondPlan: RespondPlan | undefined;
  private readonly sessionOf: SessionOf;
  private readonly catalog: PostgrestOptions['catalog'];
  private descriptions: Promise<Descriptions> | undefined;

  constructor(
    services: Services,
    private readonly path: string,
    options: PostgrestOptions,
  ) {
    const segments = path.split('/').length - 1;
    const form = createPostgrestForm(path, services.settings['app.rest.client-error-verbosity']);
    super(services, options, { form, segments, functions: postgrestFunctions });
    this.sessionOf = createSessionOf(services, path);
    this.catalog = options.catalog;
    const [first = ''] = this.served;
    const isChosen = services.settings['app.schemas'] !== undefined;
    if (services.settings['app.rest.plan-enabled']) this.respondPlan = planResponder(services);
    this.defaultSchema = !isChosen && this.served.includes('public') ? 'public' : first;
  }

  /** Rows have no paths of their own. Throws ServerError 404. */
  protected override targetOf(request: IncomingMessage): Target {
    const target = parseTarget(request.url ?? '/', this.services.settings['app.limits.url-bytes'], true);
    const [table = '', name, ...more] = target.segments.slice(this.mount.segments);
    if ((name !== undefined && table !== functionsPath) || more.length > 0) throw invalidPath();
    const described = this.services.settings['app.rest.root-spec'];
    const { method } = request;
    if (described === undefined || table !== '' || (method !== 'GET' && method !== 'HEAD')) return target;
    const mount = target.segments.slice(0, this.mount.segments);
    return { ...target, segments: [...mount, functionsPath, described.slice(described.indexOf('.') + 1)] };
  }

  protected override authenticate(request: IncomingMessage): Promise<Identity> | Identity {
    const sender = senderOf(request);
    const identity = this.services.authenticate(sender);
    if (sender !== request) return identity;
    return identity instanceof Promise ? identity.then(checkIssuedAt) : checkIssuedAt(identity);
  }

  /** Without a profile header the first schema is meant. Source: PostgREST, "Schemas". */
  protected override schemaOf(request: IncomingMessage): string {
    const { method = 'GET', headers } = request;
    const reads = method === 'GET' || method === 'HEAD' || method === 'OPTIONS';
    const profile = headers[reads ? 'accept-profile' : 'content-profile'];
    return profile === undefined ? this.defaultSchema : super.schemaOf(request);
  }

  /** In PostgREST's order. A function is looked up as by a call without arguments. */
  protected override options(request: IncomingMessage, table: string, id: string | undefined): AllowedMethods {
    if (table === '') return { status: 200, allow: 'OPTIONS,GET,HEAD' };
    const schema = this.schemaOf(request);
    const functions = this.functionsAt(schema, table, id);
    if (functions === undefined) {
      const given = new Set(allowed(withReplace(routesOf(this.routes, schema, table)), false));
      return { status: 200, allow: methods.filter((each) => given.has(each)).join(',') };
    }
    const { called } = callByQuery({ ...this.calledAt(schema, id ?? ''), overloads: functions }, '');
    return { status: 200, allow: called.operation === 'query' ? 'OPTIONS,GET,HEAD,POST' : 'OPTIONS,POST' };
  }

  protected override respond(...[asked, functions, routes]: Parameters<RestHandler['respond']>): Promise<void> {
    const given = routes === undefined ? asked : withLocation(asked, this.path, routes.table.name);
    const parts = this.withSession(given);
    const answered = routes && withReplace(routes);
    if (this.respondPlan === undefined) return super.respond(parts, functions, answered);
    return this.respondPlan(parts, (planned) => super.respond(planned, functions, answered));
  }

  private withSession(parts: ExchangeParts): ExchangeParts {
    const { session, deliver } = this.sessionFor(parts);
    return session === undefined ? parts : copyWith(parts, { session, deliver });
  }

  /** The answer is as code of the database says, where it says something. */
  private sessionFor({
    request: sent,
    identity,
    deliver: own,
  }: Pick<ExchangeParts, 'request' | 'identity' | 'deliver'>): Pick<ExchangeParts, 'session' | 'deliver'> {
    let row: RawRow | undefined;
    const session = this.sessionOf(sent, identity, (answered) => (row = answered));
    if (session === undefined) return { deliver: own };
    const deliver: Deliver = (request, response, answer, common) => {
      const said = row === undefined ? undefined : saidOfAnswer(row);
      if (said === undefined) return own(request, response, answer, common);
      return own(request, response, asSaid(answer, said), without(common, said.headers));
    };
    return { session, deliver };
  }

  protected override functionExchange(
    ...[parts, functions]: Parameters<RestHandler['functionExchange']>
  ): PostgrestFunctionExchange {
    return new PostgrestFunctionExchange(parts, functions);
  }

  /** The description of a schema, as far as the caller's role may use it. */
  protected override async answerRoot(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    identity: Identity,
  ): Promise<void> {
    const { method = 'GET', headers } = request;
    if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, 'OPTIONS, GET, HEAD');
    const mode = this.services.settings['app.rest.openapi-mode'];
    if (mode === 'disabled') throw new ServerError(404, 'PGRST126', 'Root endpoint metadata is disabled');
    const schema = this.schemaOf(request);
    checkTakesDescription(headers.accept);
    const { session, deliver } = this.sessionFor({ request, identity, deliver: this.deliver });
    const options = { identity, signal: context.signal, ...(session && { session }) };
    const described = await this.describe(schema, mode === 'follow-privileges', options);
    const body = describedBelow(basePathOf(request), described, this.path);
    const answer = { status: 200, headers: { 'content-type': openapiType }, body, tagged: true };
    await deliver(request, response, answer, this.commonHeaders(request, context, schema, identity));
  }

  /** Privileges are read as the caller, after the function before each request. */
  private async describe(schema: string, follows: boolean, options: RunOptions): Promise<Buffer> {
    const { driver, settings } = this.services;
    const role = options.identity?.role;
    const isWhole = !follows || settings['app.security.schema-by-role'];
    const limits = isWhole ? undefined : { role, rights: await rightsOfRole(this.services, role, options) };
    if (isWhole && options.session !== undefined) await driver.run([{ text: 'select null', values: [] }], options);
    this.descriptions ??= import('./description/index.js').then(
      ({ Descriptions }) =>
        new Descriptions(this.services, {
          ...{ path: this.path, catalog: this.catalog },
          functions: [...this.functions.named.values()].flatMap((named) => [...named.values()].flat()),
        }),
    );
    return (await this.descriptions).of({ schema, limits });
  }
}

const openapiType = 'application/openapi+json; charset=utf-8';

const methods = ['OPTIONS', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** PUT of a view that has the key of its table: of tables alone, the generated code has one. */
function withReplace(routes: TableRoutes): TableRoutes {
  const { table } = routes;
  const hasKey = table.primaryKey === undefined && rowKeyOf(table) !== undefined;
  return hasKey && table.insertable === true && table.updatable === true
    ? { replace: (exchange) => exchange.replace(table), ...routes }
    : routes;
}

/** `Content-Location` of a read. */
function withLocation(parts: ExchangeParts, path: string, table: string): ExchangeParts {
  const { method = 'GET' } = parts.request;
  if (method !== 'GET' && method !== 'HEAD') return parts;
  const location = `${path}/${encodeURIComponent(table)}${canonicalQuery(parts.query)}`;
  return { ...parts, headers: { ...parts.headers, ...addressed('content-location', location) } };
}

const invalidPath = (): ServerError => new ServerError(404, 'PGRST125', 'Invalid path specified in request URL');
