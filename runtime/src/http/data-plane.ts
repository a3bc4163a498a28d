import type { IncomingMessage, ServerResponse } from 'node:http';
import { clientClosedRequest, type Observer } from '../observe/observation.js';
import { protocolOf, type Protocol, type StageListener } from '../observe/metrics/stages.js';
import type { EndSpan, Traces } from '../observe/traces.js';
import type { Cors } from './cors.js';
import { beginRequest, type DataHandler } from './request-context.js';

/** Answers a request if its path is GraphQL's or REST's; returns whether it does. */
export type DataPlane = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface DataPlaneServices {
  readonly observe: Observer;
  readonly cors: Cors | undefined;
  /** Absent if the metrics of stages are off. */
  readonly stages?: StageListener;
  readonly traces?: Traces;
}

/**
 * Answers GraphQL and REST before Express, which takes more time than the rest of a request
 * together.
 * @param handlers by the first segments of the path: `/graphql`, `/api/v1`
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

/** Measures how long the client takes to receive the rest of the answer. */
function watchSending(response: ServerResponse, protocol: Protocol, notify: StageListener): void {
  const since = performance.now();
  if (response.writableFinished) notify(protocol, 'send', since, since);
  else
    response.once('finish', () => {
      notify(protocol, 'send', since, performance.now());
    });
}

function isUnder(url: string, prefix: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url.charAt(prefix.length);
  return next === '' || next === '/' || next === '?';
}

/** The path with placeholders for its values: metrics and traces group requests by it. */
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

/** Prefixes whose paths name no table. */
const withoutTables: ReadonlySet<string> = new Set(['/graphql', '/mcp', '/.well-known/oauth-protected-resource']);

/** The templates of a mount of REST; undefined for other prefixes. */
const templatesOf = (prefix: string): Templates | undefined =>
  withoutTables.has(prefix)
    ? undefined
    : { table: `${prefix}/{table}`, row: `${prefix}/{table}/{key}`, function: `${prefix}/rpc/{function}` };
