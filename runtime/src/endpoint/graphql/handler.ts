import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { copyWith } from '../../copy-with.js';
import { ServerError, codes } from '../../errors.js';
import type { Answer } from '../../response/answer.js';
import { cacheControl } from '../../response/cache-control.js';
import { createDeliver, varyByCoding, type Deliver } from '../../response/deliver.js';
import {
  dataAnswer,
  failedAnswer,
  introspectionAnswer,
  negotiate,
  partialAnswer,
  refusedAnswer,
  type MediaType,
} from '../../response/graphql-answer.js';
import { formatError, serverErrorOf } from '../../response/graphql-error.js';
import { toServerError } from '../../response/server-error.js';
import { lazyGraphiql } from '../../http/console.js';
import type { Identity } from '../../dialect/driver.js';
import type { GraphqlParams } from './documents.js';
import { readGraphqlRequest } from './body.js';
import { readGetRequest } from './get-request.js';
import { GraphqlEngine, type Outcome, type Successor } from './engine.js';
import { answerAsEvents, wantsEventStream } from './stream/event-stream.js';
import { KeyWatch } from './stream/key-watch.js';
import type { StreamEndpoint } from './stream/operation.js';
import type { Streams } from './stream/sockets.js';
import { securePage } from '../../http/page-security.js';
import { pathOf, report, reportRefusal, type Reported } from '../../http/report.js';
import type { DataHandler, RequestContext } from '../../http/request-context.js';
import type { AskingServices } from '../../execute/custom/caller.js';
import type { Services } from '../../execute/services.js';
import { Timing } from '../../http/timing.js';

/**
 * Everything under `/graphql`: documents by POST, queries by GET too, and outside production
 * GraphiQL for browsers.
 * Source: decision 008; https://graphql.github.io/graphql-over-http/draft/
 */
export function createGraphqlHandler(endpoint: StreamEndpoint, streaming: Streaming): DataHandler {
  const handler = new GraphqlHandler(endpoint, streaming);
  return (request, response, context) => handler.handle(request, response, context);
}

/**
 * What answers documents of a schema: by requests here, by WebSockets and event streams elsewhere.
 */
export function createGraphqlEndpoint(
  services: AskingServices,
  schema: GraphQLSchema,
  { successor, ...rest }: Pick<StreamEndpoint, 'hub' | 'resolve' | 'of'> & { readonly successor?: Successor },
): StreamEndpoint {
  return { services, engine: new GraphqlEngine(services, schema, successor), ...rest };
}

/** What takes event streams, and goes on when the endpoint is replaced. */
export interface Streaming {
  readonly streams: Streams;
  /** What serves now. */
  readonly current: () => StreamEndpoint;
}

class GraphqlHandler {
  private readonly graphiql: ReturnType<typeof lazyGraphiql> | undefined;
  private readonly deliver: Deliver;
  private readonly vary: string;
  private readonly services: Services;

  constructor(
    private readonly endpoint: StreamEndpoint,
    private readonly streaming: Streaming,
  ) {
    const { services } = endpoint;
    this.services = services;
    this.graphiql = services.settings['app.server.production'] ? undefined : lazyGraphiql(services.settings);
    this.deliver = createDeliver(services.settings, services.pendingBytes);
    this.vary = ['Accept', ...varyByCoding(services.settings)].join(', ');
  }

  async handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    const page = request.method === 'POST' ? undefined : await this.graphiql?.(request);
    if (page !== undefined) securePage(request, response);
    const answer = page ?? (await this.answer(request, response, context));
    if (answer === 'streamed') return;
    const vary = request.method === 'POST' ? this.vary : `${this.vary}, Authorization`;
    const common = { vary, 'x-request-id': context.id };
    try {
      await this.deliver(request, response, answer, common);
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const failed = failedAnswer(negotiate(request.headers.accept), error);
      report(this.services.observe, error, context, reportedOf(request), failed.status);
      await this.deliver(request, response, failed, common);
    }
  }

  private async answer(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ): Promise<Answer | 'streamed'> {
    let type: MediaType = 'application/json';
    try {
      checkPath(request);
      if (request.method === 'OPTIONS') return { status: 204, headers: { allow } };
      checkMethod(request);
      if (this.services.admission !== undefined) await this.services.admission.enter(request, response);
      if (wantsEventStream(request)) return await this.stream(request, response, context);
      type = negotiate(request.headers.accept);
      return await this.execute(request, response, context, type);
    } catch (thrown) {
      const error = toServerError(thrown, this.services.dialect);
      const answer = failedAnswer(type, error);
      report(this.services.observe, error, context, reportedOf(request), answer.status);
      return answer;
    }
  }

  private async stream(request: IncomingMessage, response: ServerResponse, context: RequestContext) {
    const { current, streams } = this.streaming;
    const keys = new KeyWatch(this.services, request);
    try {
      const identity = await this.services.authenticate(request);
      const parsed = await readGraphqlRequest(request, this.services.settings['app.limits.body-bytes']);
      await this.chargeStream(request, response, identity, parsed);
      await answerAsEvents(response, context, current, streams, parsed, identity, keys);
      return 'streamed' as const;
    } finally {
      keys.stop();
    }
  }

  /**
   * Counts a request before its stream begins, because the status of a stream is 200. A request
   * without a document is not counted: an event of the stream reports the mistake.
   */
  private async chargeStream(
    request: IncomingMessage,
    response: ServerResponse,
    identity: Identity,
    params: GraphqlParams,
  ): Promise<void> {
    const { admission } = this.services;
    if (admission === undefined) return;
    const { engine, resolve } = this.streaming.current();
    const resolved = resolve(params);
    if (!('errors' in resolved)) await admission.charge(request, response, identity, engine.use(resolved));
  }

  private async execute(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    type: MediaType,
  ): Promise<Answer> {
    const { settings, admission } = this.services;
    const claimed = this.services.authenticate(request);
    const identity = claimed instanceof Promise ? await claimed : claimed;
    const isPost = request.method === 'POST';
    const params = isPost
      ? await readGraphqlRequest(request, settings['app.limits.body-bytes'])
      : readGetRequest(request);
    const resolved = this.endpoint.resolve(params);
    if ('errors' in resolved) {
      const refused = refusedAnswer(type, resolved.errors);
      this.report({ kind: 'refused', errors: resolved.errors }, request, context, refused.status);
      return refused;
    }
    if (admission !== undefined)
      await admission.charge(request, response, identity, this.endpoint.engine.use(resolved));
    const timing = Timing.of(this.services, context.start, 'graphql');
    const version = this.services.beginVersion?.(request, response);
    const outcome = await this.endpoint.engine.answer(resolved, {
      identity,
      ...(isPost ? {} : { queriesOnly: true }),
      options: version === undefined ? { signal: context.signal } : { signal: context.signal, version },
      ...(timing === undefined
        ? {}
        : {
            mark: (stage: string) => {
              timing.mark(stage);
            },
          }),
    });
    const found = answerOf(outcome, type);
    if (outcome.errors.length > 0) this.report(outcome, request, context, found.status);
    const answer = isPost || outcome.errors.length > 0 ? found : kept(found, cacheControl(request.method, identity));
    return timing === undefined
      ? answer
      : copyWith(answer, { headers: copyWith(answer.headers, { 'server-timing': timing.header() }) });
  }

  /** Every failure; a client's mistakes are one line, however many they are. */
  private report({ errors }: Outcome, request: IncomingMessage, context: RequestContext, status: number): void {
    const { observe } = this.services;
    const known = errors.map((error) => ({ error, server: serverErrorOf(error) }));
    const failures = known.flatMap(({ server }) => (server?.clientsMistake === false ? [server] : []));
    for (const failure of failures) report(observe, failure, context, reportedOf(request), status);
    const [first] = known;
    if (failures.length > 0 || first === undefined) return;
    const { path, extensions } = formatError(first.error);
    const field = typeof path?.[0] === 'string' ? path[0] : undefined;
    const code = typeof extensions?.['code'] === 'string' ? extensions['code'] : codes.internal;
    reportRefusal(observe, status, code, context, { ...reportedOf(request), field });
  }
}

const reportedOf = ({ method = '', url }: IncomingMessage): Reported => ({ method, path: pathOf(url) });

function answerOf(outcome: Outcome, type: MediaType): Answer {
  if (outcome.kind === 'refused') return refusedAnswer(type, outcome.errors);
  if (outcome.kind === 'introspected') return introspectionAnswer(type, outcome.answer, outcome.errors);
  const refusable = outcome.isRead === true;
  if (outcome.errors.length === 0) return dataAnswer(type, outcome.data, refusable);
  return { ...partialAnswer(type, outcome.data, outcome.errors), refusable };
}

/** An answer that its client may keep and ask about. */
const kept = (answer: Answer, control: string): Answer =>
  copyWith(answer, { headers: { ...answer.headers, 'cache-control': control }, tagged: true });

const allow = 'GET, HEAD, POST, OPTIONS';

function checkPath({ url = '' }: IncomingMessage): void {
  if (url === '/graphql') return;
  const [path = ''] = url.split('?');
  if (!/^\/graphql\/?$/.test(path)) {
    throw new ServerError(404, codes.notFound, 'There is nothing at this path.', { hint: 'GraphQL is at /graphql.' });
  }
}

function checkMethod({ method = '' }: IncomingMessage): void {
  if (method === 'POST' || method === 'GET' || method === 'HEAD') return;
  throw new ServerError(405, codes.methodNotAllowed, `${method} is not supported here.`, {
    hint: 'Send {"query": "…"} as JSON with POST, or a query with GET.',
    headers: { allow },
  });
}
