import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AskingServices } from '../../execute/custom/caller.js';
import { isClientDisconnect } from '../../http/client-disconnect.js';
import { pathOf, report } from '../../http/report.js';
import type { RequestContext } from '../../http/request-context.js';
import { createCheckHost } from '../../http/senders.js';
import { send } from '../../response/answer.js';
import { errorAnswer } from '../../response/rest-error.js';
import { toServerError } from '../../response/server-error.js';
import type { OwnMount } from '../../server/custom-extension.js';
import type { Mount, MountSource } from '../../server/mount.js';

/**
 * A path of the user's extension in one API. The server identifies the senders, and the rates count
 * them, as for REST and GraphQL.
 */
export function mountedAt(
  { prefix, handler }: OwnMount,
  { settings, dialect, observe, authenticate, admission }: AskingServices,
  { callerOf }: MountSource,
): Mount {
  const checkHost = createCheckHost(settings);
  const answer = async (request: IncomingMessage, response: ServerResponse, context: RequestContext): Promise<void> => {
    checkHost(request);
    await admission?.enter(request, response);
    const identity = await authenticate(request);
    const operations = new Map([[`${request.method ?? ''} ${prefix}`, 1]]);
    await admission?.charge(request, response, identity, { operations, cost: 1 });
    const { id, signal } = context;
    await handler(request, response, { id, signal, caller: callerOf(identity, signal) });
  };
  return {
    prefix,
    handler: async (request, response, context) => {
      response.setHeader('x-request-id', context.id);
      try {
        await answer(request, response, context);
      } catch (thrown) {
        const error = toServerError(thrown, dialect);
        if (isClientDisconnect(error, context.signal)) return;
        const { method = '', url } = request;
        report(observe, error, context, { method, path: pathOf(url) }, error.status);
        // Half an answer must not look like a whole one.
        if (response.headersSent) response.destroy();
        else send(response, errorAnswer(error), method === 'HEAD');
      }
    },
  };
}
