import type { IncomingMessage } from 'node:http';
import type { Identity } from '../../dialect/driver.js';
import { ServerError } from '../../errors.js';
import type { Services } from '../../execute/services.js';
import type { DataHandler } from '../../http/request-context.js';
import { parseTarget, type Target } from '../../request/rest/grammar/target.js';
import { createPostgrestForm } from '../../response/postgrest/form.js';
import { functionsPath } from '../rest/functions.js';
import { RestHandler, type RestOptions } from '../rest/handler.js';
import { planResponder, type RespondPlan } from './plan.js';
import { isProjectKey } from './project-key.js';

/**
 * Everything under `app.rest.postgrest`: REST in PostgREST's own form, by the same parsers, plans
 * and statements.
 */
export function createPostgrestHandler(services: Services, path: string, options: RestOptions): DataHandler {
  const handler = new PostgrestHandler(services, path, options);
  return (request, response, context) => handler.handle(request, response, context);
}

class PostgrestHandler extends RestHandler {
  private readonly defaultSchema: string;
  private readonly respondPlan: RespondPlan | undefined;

  constructor(services: Services, path: string, options: RestOptions) {
    const segments = path.split('/').length - 1;
    super(services, options, { form: createPostgrestForm(path), segments, name: 'postgrest' });
    const [first = ''] = this.served;
    const isChosen = services.settings['app.schemas'] !== undefined;
    if (services.settings['app.rest.plan-enabled']) this.respondPlan = planResponder(services);
    this.defaultSchema = !isChosen && this.served.includes('public') ? 'public' : first;
  }

  /** Rows have no paths of their own. Throws ServerError 404. */
  protected override targetOf(request: IncomingMessage): Target {
    const target = parseTarget(request.url ?? '/', this.services.settings['app.limits.url-bytes'], true);
    const [table = '', name = ''] = target.segments.slice(this.mount.segments);
    if (name !== '' && table !== functionsPath) throw invalidPath();
    return target;
  }

  protected override authenticate(request: IncomingMessage): Promise<Identity> | Identity {
    if (!isProjectKey(request.headers)) return super.authenticate(request);
    const { method, url, rawHeaders, headers } = request;
    return this.services.authenticate({ method, url, rawHeaders, headers: { ...headers, authorization: undefined } });
  }

  protected override isAnonymous({ headers }: IncomingMessage): boolean {
    return headers.authorization === undefined || isProjectKey(headers);
  }

  /** Without a profile header the first schema is meant. Source: PostgREST, "Schemas". */
  protected override schemaOf(request: IncomingMessage): string {
    const { method = 'GET', headers } = request;
    const reads = method === 'GET' || method === 'HEAD';
    const profile = headers[reads ? 'accept-profile' : 'content-profile'];
    return profile === undefined ? this.defaultSchema : super.schemaOf(request);
  }

  protected override respond(...[parts, functions, routes]: Parameters<RestHandler['respond']>): Promise<void> {
    if (this.respondPlan === undefined) return super.respond(parts, functions, routes);
    return this.respondPlan(parts, (planned) => super.respond(planned, functions, routes));
  }

  protected override answerRoot(): Promise<void> {
    return Promise.reject(
      new ServerError(404, 'PGRST126', 'Root endpoint metadata is disabled', {
        hint: 'GET /api/v1 describes the tables and functions that there are.',
      }),
    );
  }
}

const invalidPath = (): ServerError =>
  new ServerError(404, 'PGRST125', 'Invalid path specified in request URL', {
    hint: 'Paths are /{table} and /rpc/{function}.',
  });
