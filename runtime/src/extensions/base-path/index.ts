import type { IncomingMessage } from 'node:http';
import { codes, ServerError } from '../../errors.js';
import { rawAnswer } from '../../http/raw-answer.js';
import { send } from '../../response/answer.js';
import { basePathOf } from '../../response/answer.js';
import { errorAnswer } from '../../response/rest-error.js';
import type { Extension } from '../../server/extension.js';
import { checkPath } from '../../server/own-path.js';

/** Serves everything below a path: some proxies and hosts do not take the path off addresses. */
export const basePath: Extension = {
  name: 'base-path',
  open: ({ settings }) => {
    const path = settings['app.server.base-path'] ?? '';
    checkPath(path, 'app.server.base-path', '/data');
    return {
      handle: (next) => (request, response, pass) => {
        if (isBelow(path, request)) next(request, response, pass);
        else if (pass !== undefined) pass();
        else send(response, errorAnswer(isElsewhere(path)), request.method === 'HEAD');
      },
      upgrade: (next) => (request, socket, head) => {
        if (isBelow(path, request)) next(request, socket, head);
        else socket.on('error', () => undefined).end(rawAnswer(isElsewhere(path)));
      },
    };
  },
};

/** Takes the path off the address, as Express does; returns whether the address is below it. */
function isBelow(path: string, request: IncomingMessage & { baseUrl?: string; originalUrl?: string }): boolean {
  if (basePathOf(request) === path) return true;
  const { url = '/' } = request;
  if (!url.startsWith(path)) return false;
  const rest = url.slice(path.length);
  if (rest !== '' && !/^[/?]/.test(rest)) return false;
  request.originalUrl ??= url;
  request.baseUrl = basePathOf(request) + path;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
  return true;
}

const isElsewhere = (path: string): ServerError =>
  new ServerError(404, codes.notFound, `There is nothing at this path: the server is below ${path}.`, {
    hint: `GraphQL is at ${path}/graphql, REST at ${path}/api/v1. The setting is app.server.base-path.`,
  });
