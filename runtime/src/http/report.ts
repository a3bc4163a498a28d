import { codes, type ServerError } from '../errors.js';
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
  /** Why a token is refused. */
  readonly reason?: string | undefined;
}

/**
 * Reports a failed request: as a refusal if the client made a mistake, as a failure if an operator
 * has to act.
 * @param status that is sent: a form of REST and a media type of GraphQL have statuses of their own
 */
export function report(
  observe: Observer,
  error: ServerError,
  context: RequestContext,
  reported: Reported,
  status: number,
): void {
  if (isClientDisconnect(error, context.signal)) return;
  if (!error.clientsMistake) observe({ kind: 'failure', requestId: context.id, path: reported.path, status, error });
  else reportRefusal(observe, status, error.code, context, { ...reported, ...reasonOf(error) });
}

/** The texts about tokens are fixed: nothing of the token is in them. */
export const reasonOf = ({ code, message }: ServerError): { readonly reason?: string } =>
  code === codes.invalidToken ? { reason: message } : {};

export function reportRefusal(
  observe: Observer,
  status: number,
  code: string,
  { id }: RequestContext,
  { method, path, field, reason }: Reported,
): void {
  const more = { ...(field === undefined ? {} : { field }), ...(reason === undefined ? {} : { reason }) };
  observe({ kind: 'refusal', requestId: id, method, path, status, code, ...more });
}

const MAX_PATH_LENGTH = 100;

/** `/api/v1/issues/42?title=eq.x` → `/api/v1/issues` */
export function pathOf(url: string | undefined): string {
  const [path = ''] = (url ?? '').split('?', 1);
  return path.split('/', 4).join('/').slice(0, MAX_PATH_LENGTH);
}
