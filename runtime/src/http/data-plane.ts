import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientClosedRequest, type Observer } from '../observe/observation.js';
import { protocolOf, type Protocol, type TellStage } from '../observe/metrics/stages.js';
import type { EndSpan, Traces } from '../observe/traces.js';
import type { Cors } from './cors.js';
import { beginRequest, type DataHandler } from './request-context.js';

/** Takes a request when its path is one of the data plane's, and says whether it did. */
export type DataPlane = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface DataPlaneServices {
  readonly observe: Observer;
  readonly cors: Cors | undefined;
  /** Receive requests if they are switched on. */
  readonly stages?: TellStage;
  readonly traces?: Traces;
}

/**
 * The two protocols in front of Express, which would cost more than the rest of a request together. `handlers` are by the first
 * segments of the path: `/graphql`, `/api/v1`.
 */
export function createDataPlane(
  handlers: ReadonlyMap<string, DataHandler>,
  { observe, cors, stages, traces }: DataPlaneServices,
): DataPlane {
  const prefixes = [...handlers.keys()];
  const templates = new Map(prefixes.map((prefix) => [prefix, templatesOf(prefix)]));
  return (request, response) => {
    const url = request.url ?? '/';
    const prefix = prefixes.find((each) => isUnder(url, each));
    const handler = prefix === undefined ? undefined : handlers.get(prefix);
    if (prefix === undefined || handler === undefined) return false;
    const context = beginRequest(request, response);
    const { id, start, signal } = context;
    const method = request.method ?? '';
    const template = templateOf(prefix, url, templates.get(prefix));
    const answer = (endSpan?: EndSpan): void => {
      const finish = (): void => {
        const milliseconds = performance.now() - start;
        const status = signal.aborted && !response.headersSent ? clientClosedRequest : response.statusCode;
        observe({ kind: 'request', id, method, route: prefix, template, status, milliseconds });
        endSpan?.(status);
        if (stages !== undefined) watchSending(response, protocolOf(prefix), stages);
      };
      if (cors?.(request, response) === true) {
        finish();
        return;
      }
      handler(request, response, context).then(finish, (error: unknown) => {
        observe({ kind: 'failure', requestId: id, error });
        endSpan?.(500);
        response.destroy();
      });
    };
    if (traces === undefined) answer();
    else traces.request(request.headers, method, template, answer);
    return true;
  };
}

/** Tells how long the client takes for what is not sent yet. */
function watchSending(response: ServerResponse, protocol: Protocol, tell: TellStage): void {
  const since = performance.now();
  if (response.writableFinished) tell(protocol, 'send', since, since);
  else
    response.once('finish', () => {
      tell(protocol, 'send', since, performance.now());
    });
}

function isUnder(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '' || next === '/' || next === '?';
}

/** The form of a path, without its values. */
function templateOf(prefix: string, url: string, templates: Templates | undefined): string {
  if (templates === undefined) return prefix;
  const end = url.indexOf('?');
  const rest = url.slice(prefix.length + 1, end === -1 ? undefined : end);
  if (rest === '') return prefix;
  const slash = rest.indexOf('/');
  if (slash === -1 || slash === rest.length - 1) return templates.table;
  return rest.startsWith('rpc/') ? templates.function : templates.row;
}

interface Templates {
  readonly table: string;
  readonly row: string;
  readonly function: string;
}

/** Those of a mount of REST. */
const templatesOf = (prefix: string): Templates | undefined =>
  prefix === '/graphql'
    ? undefined
    : { table: `${prefix}/{table}`, row: `${prefix}/{table}/{key}`, function: `${prefix}/rpc/{function}` };
