import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GraphQLSchema } from 'graphql';
import type { TableRoutes } from '../../descriptor/generated.js';
import { codes, ServerError } from '../../errors.js';
import { mayLoseDigits, parseExact } from '../../exact-number.js';
import type { Services } from '../../execute/services.js';
import { readBody } from '../../http/body.js';
import { report } from '../../http/report.js';
import type { DataHandler, RequestContext } from '../../http/request-context.js';
import { createCheckToolPage } from '../../http/senders.js';
import { isRecord } from '../../is-record.js';
import { createDeliver, varyByCoding } from '../../response/deliver.js';
import { errorAnswer } from '../../response/rest-error.js';
import { toServerError } from '../../response/server-error.js';
import { createGraphqlEndpoint, createGraphqlHandler, type Streaming } from '../../endpoint/graphql/handler.js';
import type { StreamEndpoint } from '../../endpoint/graphql/stream/operation.js';
import { createRestHandler, type RestOptions } from '../../endpoint/rest/handler.js';
import { toolServices, type Sender } from './ask.js';
import { createMetadata, mcpPath, metadataPath } from './metadata.js';
import type { ResourceOptions } from './resources.js';
import type { Sdk } from './sdk.js';
import { createServer, toolsOf, type AgentApi } from './server.js';
import type { ToolSource } from './tool.js';

export { mcpPath, metadataPath };

export interface McpOptions extends Omit<RestOptions, 'successor'>, Pick<StreamEndpoint, 'resolve'> {
  readonly sdk: Sdk;
  readonly routes: readonly TableRoutes[];
  /** What GraphQL serves; undefined where it has nothing to show. */
  readonly schema: GraphQLSchema | undefined;
  readonly streams: Streaming['streams'];
  readonly resources: ResourceOptions;
  /** Finds the agents' part of the API that has taken the place of this one. */
  readonly successor: (error: unknown) => Promise<Mcp | undefined>;
}

/** The agents' part of an API. */
export interface Mcp {
  readonly handler: DataHandler;
  readonly metadata: DataHandler;
  /** Answers requests of tools. */
  readonly rest: DataHandler;
  readonly graphql: StreamEndpoint | undefined;
}

/**
 * The Model Context Protocol at `/mcp`, over streamable HTTP without sessions: each POST is one
 * message, and its answer is JSON. Tools send requests to handlers of REST and GraphQL in this
 * process, which know the caller of the tool instead of a header.
 * Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports
 */
export function createMcp(services: Services, options: McpOptions): Mcp {
  const own = toolServices(services);
  const { successor, resolve, schema, streams } = options;
  const rest = createRestHandler(own, { ...options, successor: async (error) => (await successor(error))?.rest });
  const endpoint =
    schema === undefined
      ? undefined
      : createGraphqlEndpoint(own, schema, {
          hub: undefined,
          resolve,
          successor: async (error) => (await successor(error))?.graphql?.engine,
        });
  const graphql = endpoint && createGraphqlHandler(endpoint, { streams, current: () => endpoint });
  const writes = services.settings['app.mcp.writes'];
  const handler = new McpHandler(services, options, { services: own, rest, graphql, writes });
  return {
    handler: (request, response, context) => handler.handle(request, response, context),
    metadata: (request, response, context) => handler.describe(request, response, context),
    rest,
    graphql: endpoint,
  };
}

class McpHandler {
  private readonly tools: AgentApi['tools'];
  private readonly deliver: ReturnType<typeof createDeliver>;
  private readonly metadata: ReturnType<typeof createMetadata>;
  private readonly checkPage: ReturnType<typeof createCheckToolPage>;
  private readonly vary: string | undefined;

  constructor(
    private readonly services: Services,
    private readonly options: Pick<McpOptions, 'sdk' | 'resources'>,
    private readonly source: ToolSource,
  ) {
    const { settings, pendingBytes } = services;
    this.tools = toolsOf(source);
    this.deliver = createDeliver(settings, pendingBytes);
    this.metadata = createMetadata(settings);
    this.checkPage = createCheckToolPage(settings);
    const vary = varyByCoding(settings).join(', ');
    this.vary = vary === '' ? undefined : vary;
  }

  async handle(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    await this.answering(request, response, context, async () => {
      checkPath(request, new RegExp(`^${mcpPath}/?$`));
      this.checkPage(request);
      const { admission } = this.services;
      if (admission !== undefined) await admission.enter(request, response);
      if (request.method !== 'POST') throw onlyPost(request.method);
      const identity = await this.services.authenticate(request);
      if (
        !this.services.settings['app.mcp.anonymous'] &&
        identity.userId === undefined &&
        identity.claims === undefined
      )
        throw loginNeeded();
      const message = parseMessage(await readBody(request, this.services.settings['app.limits.body-bytes']));
      if (admission !== undefined && !this.asksAgain(message))
        await admission.charge(request, response, identity, { operations: new Map([[`POST ${mcpPath}`, 1]]), cost: 1 });
      const answer = await this.exchange(message, { request, response, context, identity });
      const { status, headers } = answer;
      const type = headers.get('content-type');
      const body = await answer.text();
      return { status, headers: { 'cache-control': 'no-store', ...(type && { 'content-type': type }) }, body };
    });
  }

  /** Answers the metadata of the protected resource. */
  async describe(request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> {
    await this.answering(request, response, context, () => {
      checkPath(request, new RegExp(`^${metadataPath}(?:${mcpPath})?$`));
      if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyPost(request.method, 'GET, HEAD');
      return Promise.resolve(this.metadata.answer(request));
    });
  }

  /** Whether the message calls a tool that asks REST or GraphQL, which count it themselves. */
  private asksAgain(message: unknown): boolean {
    if (!isRecord(message) || message['method'] !== 'tools/call' || !isRecord(message['params'])) return false;
    const { name } = message['params'];
    return typeof name === 'string' && this.tools.get(name)?.isLocal === false;
  }

  /** Lets the SDK answer one message. */
  private async exchange(message: unknown, sender: Sender): Promise<Response> {
    const { sdk, resources } = this.options;
    const { request, context } = sender;
    const failed = (error: ServerError): void => {
      report(this.services.observe, error, context, { method: 'POST', path: mcpPath }, error.status);
    };
    const server = createServer(sdk, { source: this.source, tools: this.tools, resources, failed }, sender);
    const transport = new sdk.Transport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      const headers = transportHeaders.flatMap((name): [string, string][] => {
        const value = request.headers[name];
        return value === undefined ? [] : [[name, String(value)]];
      });
      const sent = new Request(`http://localhost${mcpPath}`, { method: 'POST', headers });
      return await transport.handleRequest(sent, { parsedBody: message });
    } finally {
      await server.close();
    }
  }

  private async answering(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
    make: () => Promise<Parameters<typeof this.deliver>[2]>,
  ): Promise<void> {
    const common = { vary: this.vary, 'x-request-id': context.id };
    try {
      await this.deliver(request, response, await make(), common);
    } catch (thrown) {
      const error = toServerError(thrown, this.services.dialect);
      report(this.services.observe, error, context, { method: request.method ?? '', path: mcpPath }, error.status);
      const { headers, ...answer } = errorAnswer(error);
      const challenge = error.headers['WWW-Authenticate'] ?? '';
      const challenged =
        error.status === 401 ? { 'WWW-Authenticate': this.metadata.challenge(request, challenge) } : {};
      await this.deliver(request, response, { ...answer, headers: { ...headers, ...challenged } }, common);
    }
  }
}

/** The headers that the transport reads. It gets no credentials. */
const transportHeaders = ['accept', 'content-type', 'mcp-protocol-version'];

/** One message: a batch would be many requests in one. */
function parseMessage(body: Buffer): unknown {
  const text = body.toString();
  let message: unknown;
  try {
    message = mayLoseDigits(text) ? parseExact(text) : JSON.parse(text);
  } catch (cause) {
    throw new ServerError(400, codes.malformedBody, 'The body is not JSON.', { cause });
  }
  if (isRecord(message)) return message;
  throw new ServerError(400, codes.malformedBody, 'The body has to be one message of JSON-RPC.', {
    hint: 'Send each message by a POST of its own.',
  });
}

function checkPath({ url = '/' }: IncomingMessage, form: RegExp): void {
  const [path = ''] = url.split('?');
  if (!form.test(path))
    throw new ServerError(404, codes.notFound, 'There is nothing at this path.', { hint: `Agents ask at ${mcpPath}.` });
}

/** Without sessions there is nothing to stream by GET, and nothing to end by DELETE. */
const onlyPost = (method = '', allow = 'POST'): ServerError =>
  new ServerError(405, codes.methodNotAllowed, `${method} is not supported here.`, { headers: { allow } });

const loginNeeded = (): ServerError =>
  new ServerError(401, codes.invalidToken, 'Agents need a token here.', {
    hint: 'Send `Authorization: Bearer <JWT>`.',
  });
