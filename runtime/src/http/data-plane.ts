import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientClosedRequest, type Observer } from '../observe/observation.js';
import type { Cors } from './cors.js';
import { beginRequest, type DataHandler } from './request-context.js';

/** Takes a request when its path is one of the data plane's, and says whether it did. */
export type DataPlane = (request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The two protocols in front of Express, which would cost more than the rest of a request together. `handlers` are by the first
 * segments of the path: `/graphql`, `/api/v1`.
 */
export function createDataPlane(
  handlers: ReadonlyMap<string, DataHandler>,
  observe: Observer,
  cors: Cors | undefined,
): DataPlane {
  const prefixes = [...handlers.keys()];
  return (request, response) => {
    const url = request.url ?? '/';
    const prefix = prefixes.find((each) => isUnder(url, each));
    const handler = prefix === undefined ? undefined : handlers.get(prefix);
    if (prefix === undefined || handler === undefined) return false;
    const context = beginRequest(request, response);
    const { id, start, signal } = context;
    const method = request.method ?? '';
    const finish = (): void => {
      const milliseconds = performance.now() - start;
      const status = signal.aborted && !response.headersSent ? clientClosedRequest : response.statusCode;
      observe({ kind: 'request', id, method, route: prefix, status, milliseconds });
    };
    if (cors?.(request, response) === true) {
      finish();
      return true;
    }
    handler(request, response, context).then(finish, (error: unknown) => {
      observe({ kind: 'failure', requestId: id, error });
      response.destroy();
    });
    return true;
  };
}

function isUnder(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '' || next === '/' || next === '?';
}
