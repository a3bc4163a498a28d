import type { Observer } from '../../../observe/observation.js';
import { serverErrorOf } from '../../../response/graphql-error.js';

/** Tells of the errors that are no mistakes of the client's. */
export function observeFailures(errors: readonly unknown[], observe: Observer, requestId?: string): void {
  for (const each of errors) {
    const error = serverErrorOf(each);
    if (error?.clientsMistake !== false) continue;
    observe({ kind: 'failure', ...(requestId === undefined ? {} : { requestId }), path: '/graphql', error });
  }
}
