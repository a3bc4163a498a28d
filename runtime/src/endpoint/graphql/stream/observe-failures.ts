import type { Observer } from '../../../observe/observation.js';
import { serverErrorOf } from '../../../response/graphql-error.js';

/** Reports errors that are not the client's mistakes. */
export function observeFailures(errors: readonly unknown[], observe: Observer, requestId?: string): void {
  for (const each of errors) {
    const error = serverErrorOf(each);
    if (error?.clientsMistake !== false) continue;
    observe({ kind: 'failure', ...(requestId === undefined ? {} : { requestId }), path: '/graphql', error });
  }
}
