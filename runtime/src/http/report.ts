import type { ServerError } from '../errors.js';
import type { Observer } from '../observe/observation.js';
import { isClientDisconnect } from './client-disconnect.js';
import type { RequestContext } from './request-context.js';

/** The address of a request, without any value. */
export interface Reported {
  readonly method: string;
  /** The path up to the table or function, without key and query. */
  readonly path: string;
  /** GraphQL: the field of the document. */
  readonly field?: string | undefined;
}

/**
 * Reports a failed request: as a refusal if the client made a mistake, as a failure if an operator
 * has to act.
 */
export function report(observe: Observer, error: ServerError, context: RequestContext, reported: Reported): void {
  if (isClientDisconnect(error, context.signal)) return;
  if (error.clientsMistake) reportRefusal(observe, error.status, error.code, context, reported);
  else observe({ kind: 'failure', requestId: context.id, path: reported.path, error });
}

export function reportRefusal(
  observe: Observer,
  status: number,
  code: string,
  { id }: RequestContext,
  { method, path, field }: Reported,
): void {
  observe({ kind: 'refusal', requestId: id, method, path, status, code, ...(field === undefined ? {} : { field }) });
}

const LONGEST_PATH = 100;

/** `/api/v1/issues/42?title=eq.x` → `/api/v1/issues` */
export function pathOf(url: string | undefined): string {
  const [path = ''] = (url ?? '').split('?', 1);
  return path.split('/', 4).join('/').slice(0, LONGEST_PATH);
}
