import type { Observer } from './observation.js';

/**
 * An observer of the user's code. Its errors go to `report` and no further: observations are made
 * in timers and socket callbacks, where an exception would end the process.
 */
export function guardedObserver(observe: Observer, report: Observer): Observer {
  return (observation) => {
    try {
      observe(observation);
    } catch (error) {
      report({ kind: 'failure', error });
    }
  };
}
