import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import { ServerError, codes } from '../errors.js';
import type { Answer } from '../response/answer.js';
import { createDeliver, varyByCoding, type Deliver } from '../response/deliver.js';
import {
  dataAnswer,
  failedAnswer,
  negotiate,
  partialAnswer,
  refusedAnswer,
  type MediaType,
} from '../response/graphql-answer.js';
import { serverErrorOf } from '../response/graphql-error.js';
import { toServerError } from '../response/server-error.js';
import { isDeparture } from './departure.js';
import { createGraphiql, type Graphiql } from './graphiql.js';
import { readGraphqlRequest } from './graphql-body.js';
import { GraphqlEngine, type Outcome } from './graphql-engine.js';
import { securePage } from './page-security.js';
import type { DataHandler, RequestContext } from './request-context.js';
import type { Services } from './services.js';
import { Timing } from './timing.js';

/**
 * Everything under `/graphql`: queries by POST, and outside production GraphiQL for browsers.
 * Source: contract 4.6; decisions 8; https://graphql.github.io/graphql-over-http/draft/
 * @param schema is made ready in place: see prepareSchema
 */
export function createGraphqlHandler(services: Services, schema: GraphQLSchema): DataHandler {
  const handler = new GraphqlHandler(services, new GraphqlEngine(services, schema));
  return (request, response, context) => handler.handle(request, response, context);
}

class GraphqlHandler {
  private readonly graphiql: Graphiql | undefined;
  private readonly deliver: Deliver;
  private readonly vary: string;

  constructor(
    private readonly services: Services,
    private readonly engine: GraphqlEngine,
  ) {
    this.graphiql = services.settings['app.server.production'] ? undefined : createGraphiql();
    this.deliver = createDeliver(services.settings);
    this.vary = ['Accept', ...varyByCoding(services.settings)].join(', ');
  }

  async handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    const page = request.method === 'POST' ? undefined : await this.graphiql?.answer(request);
    if (page !== undefined) securePage(request, response);
    const answer = page ?? (await this.answer(request, context));
    await this.deliver(request, response, answer, { vary: this.vary, 'x-request-id': context.id });
  }

  private async answer(request: IncomingMessage, context: RequestContext): Promise<Answer> {
    let type: MediaType = 'application/json';
    try {
      checkPath(request);
      if (request.method === 'OPTIONS') return { status: 204, headers: { allow } };
      checkMethod(request);
      type = negotiate(request.headers.accept);
      return await this.execute(request, context, type);
    } catch (thrown) {
      const error = toServerError(thrown);
      this.report(error, context);
      return failedAnswer(type, error);
    }
  }

  private async execute(request: IncomingMessage, context: RequestContext, type: MediaType): Promise<Answer> {
    const { settings } = this.services;
    const claimed = this.services.authenticate(request);
    const identity = claimed instanceof Promise ? await claimed : claimed;
    const parsed = await readGraphqlRequest(request, settings['app.limits.body-bytes']);
    const timing = settings['app.server.production'] ? undefined : new Timing(context.start);
    const outcome = await this.engine.answer(parsed, {
      identity,
      options: { signal: context.signal },
      ...(timing === undefined
        ? {}
        : {
            mark: (stage: string) => {
              timing.mark(stage);
            },
          }),
    });
    for (const error of outcome.errors) this.report(serverErrorOf(error), context);
    const answer = answerOf(outcome, type);
    return timing === undefined
      ? answer
      : { ...answer, headers: { ...answer.headers, 'server-timing': timing.header() } };
  }

  private report(error: ServerError | undefined, context: RequestContext): void {
    if (error === undefined || error.status < 500 || isDeparture(error, context.signal)) return;
    this.services.observe({ kind: 'failure', requestId: context.id, error });
  }
}

function answerOf(outcome: Outcome, type: MediaType): Answer {
  if (outcome.kind === 'refused') return refusedAnswer(type, outcome.errors);
  return outcome.errors.length === 0
    ? dataAnswer(type, outcome.data)
    : partialAnswer(type, outcome.data, outcome.errors);
}

const allow = 'POST, OPTIONS';

function checkPath(request: IncomingMessage): void {
  const [path = ''] = (request.url ?? '').split('?');
  if (!/^\/graphql\/?$/.test(path)) {
    throw new ServerError(404, codes.notFound, 'There is nothing at this path.', { hint: 'GraphQL is at /graphql.' });
  }
}

/** Only POST executes: a GET would be cached, and could be sent by another site's page. */
function checkMethod(request: IncomingMessage): void {
  if (request.method === 'POST') return;
  throw new ServerError(405, codes.methodNotAllowed, 'GraphQL requests are POST requests.', {
    hint: 'Send {"query": "…"} as JSON with POST.',
    headers: { allow },
  });
}
