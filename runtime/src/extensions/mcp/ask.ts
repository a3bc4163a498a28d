import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { stringify } from 'lossless-json';
import type { Identity } from '../../dialect/driver.js';
import { codes, ServerError } from '../../errors.js';
import { ExactNumber } from '../../exact-number.js';
import type { Services } from '../../execute/services.js';
import type { DataHandler, RequestContext } from '../../http/request-context.js';

/** Who calls a tool: the request that carries the call, and its identity. */
export interface Sender {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
  readonly identity: Identity;
}

/** A request of a tool to REST or GraphQL. */
export interface Asked {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  /** With names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The answer of a handler to a request of a tool. */
export interface Answered {
  readonly status: number;
  readonly text: string;
}

/**
 * Sends a request to a handler of the data plane in this process, without a socket: tools have the
 * parsing, planning, policies, limits and errors of every other request.
 */
export async function ask(handler: DataHandler, sender: Sender, asked: Asked): Promise<Answered> {
  const request = new ToolRequest(sender, asked);
  const response = new ToolResponse(request);
  await handler(request, response, sender.context);
  if (response.text === undefined) throw new ServerError(503, codes.unavailable, 'The call was cancelled.');
  return { status: response.statusCode, text: response.text };
}

/**
 * The services of handlers that tools ask. A request has the identity that its call has, and counts
 * against the rates of the call's sender, which has entered already.
 */
export function toolServices(services: Services): Services {
  const { admission } = services;
  const authenticate: Services['authenticate'] = (request) => senderOf(request).identity;
  // The caches of the other handlers have their names in the metrics already.
  // Agents call procedures, which GraphQL always has, by the paths of REST.
  const settings = { ...services.settings, 'app.rest.procedures': true };
  const own: Services = { ...services, settings, caches: () => undefined, authenticate };
  if (admission === undefined) return own;
  return {
    ...own,
    admission: {
      ...admission,
      enter: () => Promise.resolve(),
      charge: (request, _response, identity, use) => {
        const { request: call, response } = senderOf(request);
        return admission.charge(call, response, identity, use);
      },
    },
  };
}

/** No other request may reach these handlers: it would have no identity. */
function senderOf(request: unknown): Sender {
  if (request instanceof ToolRequest) return request.sender;
  throw new TypeError('Only calls of tools reach this handler.');
}

/** JSON in which a number has the digits that the client wrote. */
export const jsonOf = (value: unknown): string => stringify(value, undefined, undefined, exactDigits) ?? '';

const exactDigits = [{ test: (value: unknown) => value instanceof ExactNumber, stringify: String }];

class ToolRequest extends IncomingMessage {
  constructor(
    readonly sender: Sender,
    { method, url, headers, body }: Asked,
  ) {
    super(new Socket());
    this.method = method;
    this.url = url;
    this.headers = { accept: 'application/json', ...headers };
    if (body !== undefined) {
      this.headers['content-type'] = 'application/json';
      this.push(jsonOf(body));
    }
    this.push(null);
  }
}

/** Keeps its body instead of sending it. */
class ToolResponse extends ServerResponse {
  text: string | undefined;

  override end(chunk?: unknown): this {
    this.text = typeof chunk === 'string' || Buffer.isBuffer(chunk) ? chunk.toString() : '';
    return this;
  }

  override writeHead(status: number): this {
    this.statusCode = status;
    return this;
  }
}
